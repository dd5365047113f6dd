import { arrayLiteral, type Sql } from '../../db/client.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';

/** A block of a series with its time in seconds, and the values after it. */
export type SeriesRow<T> = T & { height: number; time: number };

/** Fees of a point are those of the last blocks up to it: at most this many blocks and transactions. */
const feeBlocks = 20;
const feeTransactions = 200;

/** The blocks of these heights, each joined by one index seek with its values. */
const points = (sql: Sql, heights: readonly number[]) => sql`
  unnest(${arrayLiteral(heights)}::int[]) as h (height)
  join lateral (
    select b.height, ${blockTime(sql)} as time, b.supply, b.tx_total, b.type_totals
    from blocks b
    where b.height = h.height
  ) b on true
`;

/** Micro-STX of a principal. */
export async function listStxSeries(sql: Sql, principal: Uint8Array, heights: readonly number[]) {
  return await sql<SeriesRow<{ balance: string }>[]>`
    select b.height, b.time,
      coalesce(s.received, 0) + coalesce(s.rewards, 0) - coalesce(s.sent, 0) - coalesce(s.fees, 0) as balance
    from ${points(sql, heights)}
    left join lateral (
      select s.received, s.rewards, s.sent, s.fees
      from stx_balances s
      where s.principal = (select p.id from principals p where p.name = ${principal}) and s.height <= b.height
      order by s.height desc
      limit 1
    ) s on true
    order by b.height
  `;
}

/** Amount of a fungible token, or number of non-fungible tokens of a collection, of a principal. */
export async function listTokenSeries(sql: Sql, principal: Uint8Array, asset: AssetName, heights: readonly number[]) {
  const latest = (table: 'ft_balances' | 'nft_balances') => sql`
    select coalesce(t.received, 0) - coalesce(t.sent, 0) as balance
    from ${sql(table)} t
    where t.principal = (select p.id from principals p where p.name = ${principal})
      and t.asset = ${assetId(sql, asset)} and t.height <= b.height
    order by t.height desc
    limit 1
  `;
  return await sql<SeriesRow<{ balance: string }>[]>`
    select b.height, b.time, coalesce(f.balance, n.balance, 0)::numeric as balance
    from ${points(sql, heights)}
    left join lateral (${latest('ft_balances')}) f on true
    left join lateral (${latest('nft_balances')}) n on true
    order by b.height
  `;
}

/** Micro-STX in existence. */
export async function listStxSupplySeries(sql: Sql, heights: readonly number[]) {
  return await sql<SeriesRow<{ supply: string }>[]>`
    select b.height, b.time, b.supply
    from ${points(sql, heights)}
    order by b.height
  `;
}

/** Supply and holders of a token. */
export async function listTokenSupplySeries(sql: Sql, asset: AssetName, heights: readonly number[]) {
  return await sql<SeriesRow<{ supply: string; holders: number }>[]>`
    select b.height, b.time, coalesce(t.supply, 0) as supply, coalesce(t.holders, 0) as holders
    from ${points(sql, heights)}
    left join lateral (
      select t.supply, t.holders
      from asset_totals t
      where t.asset = ${assetId(sql, asset)} and t.height <= b.height
      order by t.height desc
      limit 1
    ) t on true
    order by b.height
  `;
}

/** Transactions of all blocks up to each point, by payload id; the block before the first point comes first, if there is one. */
export async function listTransactionSeries(sql: Sql, heights: readonly number[]) {
  const withBefore = heights.length > 0 ? [heights[0]! - 1, ...heights] : [];
  return await sql<SeriesRow<{ total: number; types: number[] }>[]>`
    select b.height, b.time, b.tx_total as total, b.type_totals as types
    from ${points(sql, withBefore)}
    order by b.height
  `;
}

/** Percentiles 25, 50, 75 and 95 of the fees in the last blocks of each point; null where these have none. */
export async function listFeeSeries(sql: Sql, heights: readonly number[]) {
  return await sql<SeriesRow<{ count: number; fees: bigint[] | null }>[]>`
    select b.height, b.time, f.count, f.fees
    from ${points(sql, heights)}
    cross join lateral (
      select count(*)::int as count,
        percentile_disc(array[0.25, 0.5, 0.75, 0.95]) within group (order by t.fee) as fees
      from (
        select t.fee
        from transactions t
        where t.height <= b.height and t.height > b.height - ${feeBlocks}::int and t.fee > 0
        order by t.height desc, t.place desc
        limit ${feeTransactions}
      ) t
    ) f
    order by b.height
  `;
}

const assetId = (sql: Sql, { contract, name }: AssetName) => sql`(
  select a.id
  from principals c
  join assets a on a.contract = c.id and a.name = ${name}
  where c.name = ${contract}
)`;
