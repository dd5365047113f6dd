import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import type { AssetName } from './nfts-queries.ts';

/** How much of a fungible token there is, minted less burnt; undefined for one that never moved. */
export async function findFtSupply(
  sql: Sql,
  { contract, name }: AssetName,
  asOf: AsOf = 'tip',
): Promise<string | undefined> {
  const [row] = await sql<{ supply: string }[]>`
    select t.supply
    from principals c
    join assets a on a.contract = c.id and a.name = ${name}
    cross join (${asOfBlock(sql, asOf)}) m
    cross join lateral (
      select t.supply
      from asset_totals t
      where t.asset = a.id and t.height <= m.height
      order by t.height desc
      limit 1
    ) t
    where c.name = ${contract}
  `;
  return row?.supply;
}
