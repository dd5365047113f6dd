import type { Network } from '@cairn-stacks/codec/network';
import { registriesOf } from '../../chain/sbtc/registry.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';

/** The registry in use: on a test network the first one that has printed anything. */
export async function findRegistry(sql: Sql, network: Network): Promise<number> {
  const known = registriesOf(network);
  if (known.length === 1) return known[0]!;
  const [row] = await sql<{ registry: number }[]>`
    select r.registry
    from unnest(${arrayLiteral(known)}::int2[]) with ordinality as r (registry, n)
    where exists (
      select
      from sbtc_totals t
      where t.registry = r.registry and t.height <= (select f.height from fold_position f)
    )
    order by r.n
    limit 1
  `;
  return row?.registry ?? known[0]!;
}
