import { eventCodes } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';

/** What a contract printed, the newest first. */
export async function listSignerPrints(sql: Sql, contract: number, page: EventPageRequest) {
  const where = sql`k.kind = ${constant(sql, eventCodes.print)} and k.asset = ${contract}::int`;
  const total = sql`
    select c.total
    from contract_log_totals c
    where c.contract = ${contract}::int and c.height <= (select f.height from fold_position f)
    order by c.height desc
    limit 1
  `;
  return await listEventPositions<{ value: Buffer }>(sql, { table: 'events', where, total }, page, {
    columns: sql`e.value`,
    joins: sql``,
  });
}
