import { eventCodes } from '../../chain/event.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';

/** Micro-STX that the transactions burnt in which some names of version 2 were first registered, in the order of the names. */
export async function listRegistrationBurns(sql: Sql, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await sql<{ burnt: string }[]>`
    select coalesce(b.burnt, 0)::text as burnt
    from unnest(${arrayLiteral(names)}::text[]) with ordinality as w (name, n)
    left join lateral (
      select h.height, h.place
      from name_history h
      where h.name = w.name and h.version = 2
      order by h.height, h.place, h.event_index
      limit 1
    ) r on true
    left join lateral (
      select sum(e.amount) as burnt
      from events e
      where e.height = r.height and e.place = r.place and e.kind = ${constant(sql, eventCodes.stx_burn)}
    ) b on true
    order by w.n
  `;
  return rows.map(({ burnt }) => burnt);
}
