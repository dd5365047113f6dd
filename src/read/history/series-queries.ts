import { namedState } from '../../cache/tip-queries.ts';
import type { Sql } from '../../db/client.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';
import { type SeriesEnd, seriesRange } from './range-queries.ts';

/** Which blocks a series is of: at most so many, in equal steps between both ends, or `step` blocks apart from the first on. */
export type SeriesQuery = { from?: SeriesEnd; to?: SeriesEnd; points: number; step?: number };

/** A block of a series with its time in seconds, and the values after it. */
export type SeriesRow<T> = T & { height: number; time: number };

/** The rows of a series; one row with a height of null where the range has no blocks, none before the first block of the chain. */
export type SeriesRows<T> = (SeriesRow<T> | { height: null })[];

/** Fees of a point are those of the last blocks up to it: at most this many blocks and transactions. */
const feeBlocks = 20;
const feeTransactions = 200;

/**
 * The blocks `b` of a series, each found by one index seek: first, last, and others in equal steps. With `before`, the block before
 * the first one too. The steps are those of `equalSteps`. With `step` one more than `points` says that there would be too many.
 */
const points = (sql: Sql, { from, to, points, step }: SeriesQuery, before = false) => sql`
  (${seriesRange(sql, from, to)}) r
  left join lateral (
    select b.height, ${blockTime(sql)} as time, b.supply, b.tx_total, b.type_totals
    from (
      select ${step === undefined ? sql`least(${points}::int - 1, r.last - r.first)` : sql`least(${points}::int, (r.last - r.first) / ${step}::int)`} as steps
      where r.last >= r.first
    ) s
    cross join lateral generate_series(${before ? -1 : 0}::int, s.steps) as i
    join blocks b on b.height = case
      when i < 0 then r.first - 1
      ${step === undefined ? sql`` : sql`when true then r.first + i * ${step}::int`}
      when s.steps = 0 then r.last
      else r.first + (i::int8 * (r.last - r.first) / s.steps)::int
    end
  ) b on true
`;

/** Micro-STX of a principal. */
export async function listStxSeries(sql: Sql, principal: Uint8Array, series: SeriesQuery) {
  return await sql<SeriesRows<{ balance: string }>>`
    select b.height, b.time,
      coalesce(s.received, 0) + coalesce(s.rewards, 0) - coalesce(s.sent, 0) - coalesce(s.fees, 0) as balance,
      ${namedState(sql)}
    from ${points(sql, series)}
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
export async function listTokenSeries(sql: Sql, principal: Uint8Array, asset: AssetName, series: SeriesQuery) {
  const latest = (table: 'ft_balances' | 'nft_balances') => sql`
    select coalesce(t.received, 0) - coalesce(t.sent, 0) as balance
    from ${sql(table)} t
    where t.principal = (select p.id from principals p where p.name = ${principal})
      and t.asset = ${assetId(sql, asset)} and t.height <= b.height
    order by t.height desc
    limit 1
  `;
  return await sql<SeriesRows<{ balance: string }>>`
    select b.height, b.time, coalesce(f.balance, n.balance, 0)::numeric as balance, ${namedState(sql)}
    from ${points(sql, series)}
    left join lateral (${latest('ft_balances')}) f on true
    left join lateral (${latest('nft_balances')}) n on true
    order by b.height
  `;
}

/** Micro-STX in existence. */
export async function listStxSupplySeries(sql: Sql, series: SeriesQuery) {
  return await sql<SeriesRows<{ supply: string }>>`
    select b.height, b.time, b.supply, ${namedState(sql)}
    from ${points(sql, series)}
    order by b.height
  `;
}

/** Supply and holders of a token. */
export async function listTokenSupplySeries(sql: Sql, asset: AssetName, series: SeriesQuery) {
  return await sql<SeriesRows<{ supply: string; holders: number }>>`
    select b.height, b.time, coalesce(t.supply, 0) as supply, coalesce(t.holders, 0) as holders, ${namedState(sql)}
    from ${points(sql, series)}
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

/** Principals with a balance of an asset above zero; of STX without one. */
export async function listHolderSeries(sql: Sql, asset: AssetName | undefined, series: SeriesQuery) {
  return await sql<SeriesRows<{ holders: number }>>`
    select b.height, b.time, coalesce(t.funded, 0) as holders, ${namedState(sql)}
    from ${points(sql, series)}
    left join lateral (
      select t.funded
      from asset_totals t
      where t.asset = ${asset ? assetId(sql, asset) : sql`0`} and t.height <= b.height
      order by t.height desc
      limit 1
    ) t on true
    order by b.height
  `;
}

/** Transactions of all blocks up to each point, by payload id; the block before the first point comes first, if there is one. */
export async function listTransactionSeries(sql: Sql, series: SeriesQuery) {
  return await sql<SeriesRows<{ total: number; types: number[]; first: number }>>`
    select b.height, b.time, b.tx_total as total, b.type_totals as types, r.first, ${namedState(sql)}
    from ${points(sql, series, true)}
    order by b.height
  `;
}

/** Percentiles 25, 50, 75 and 95 of the fees in the last blocks of each point; null where these have none. */
export async function listFeeSeries(sql: Sql, series: SeriesQuery) {
  return await sql<SeriesRows<{ count: number; fees: bigint[] | null }>>`
    select b.height, b.time, f.count, f.fees, ${namedState(sql)}
    from ${points(sql, series)}
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
