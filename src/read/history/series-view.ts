import { equalSteps } from '../../chain/series.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest } from '../../errors.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';
import { findSampledMinutes, listMempoolSamples } from './mempool-samples-queries.ts';
import { findSeriesRange, type SeriesEnd } from './range-queries.ts';
import {
  listFeeSeries,
  listStxSeries,
  listStxSupplySeries,
  listTokenSeries,
  listTokenSupplySeries,
  listTransactionSeries,
  type SeriesRow,
} from './series-queries.ts';
import { renderFees, renderPoint, renderTypeCounts } from './series-schema.ts';

/** Which blocks a series is of. */
type SeriesQuery = { from?: SeriesEnd; to?: SeriesEnd; points: number };

const DAY_MINUTES = 24 * 60;

/** Reads the values after blocks in equal steps, all at one state of the chain. */
async function readSeries<T>(
  sql: Reader,
  { from, to, points }: SeriesQuery,
  read: (sql: Sql, heights: readonly number[]) => Promise<SeriesRow<T>[]>,
): Promise<SeriesRow<T>[]> {
  return await inSnapshot(sql, async snapshot => {
    const range = await findSeriesRange(snapshot, from, to);
    if (!range) return [];
    if (from && to && range.last < range.first) throw badRequest('`from` is after `to`');
    return await read(snapshot, equalSteps(range.first, range.last, points));
  });
}

/** The balance of a principal over time; STX without an asset. */
export async function listBalanceSeries(
  sql: Reader,
  principal: Uint8Array,
  asset: AssetName | undefined,
  query: SeriesQuery,
) {
  const rows = await readSeries(sql, query, (snapshot, heights) =>
    asset ? listTokenSeries(snapshot, principal, asset, heights) : listStxSeries(snapshot, principal, heights),
  );
  return { results: rows.map(row => ({ ...renderPoint(row), balance: row.balance })) };
}

/** The supply over time; STX without an asset. */
export async function listSupplySeries(sql: Reader, asset: AssetName | undefined, query: SeriesQuery) {
  if (!asset) {
    const rows = await readSeries(sql, query, listStxSupplySeries);
    return { results: rows.map(row => ({ ...renderPoint(row), supply: row.supply })) };
  }
  const rows = await readSeries(sql, query, (snapshot, heights) => listTokenSupplySeries(snapshot, asset, heights));
  return { results: rows.map(row => ({ ...renderPoint(row), supply: row.supply, holders: row.holders })) };
}

/** Transactions over time, by type. */
export async function listTransactionCounts(sql: Reader, query: SeriesQuery) {
  let first = 0;
  const rows = await readSeries(sql, query, (snapshot, heights) => {
    first = heights[0] ?? 0;
    return listTransactionSeries(snapshot, heights);
  });
  let before: { total: number; types: readonly number[] } = { total: 0, types: [] };
  const results = [];
  for (const row of rows) {
    if (row.height >= first) {
      const types = renderTypeCounts(row.types.map((count, i) => count - (before.types[i] ?? 0)));
      results.push({ ...renderPoint(row), total: row.total, count: row.total - before.total, types });
    }
    before = row;
  }
  return { results };
}

/** Fee percentiles over time. */
export async function listFeePercentiles(sql: Reader, query: SeriesQuery) {
  const rows = await readSeries(sql, query, listFeeSeries);
  return { results: rows.map(row => ({ ...renderPoint(row), ...renderFees(row) })) };
}

/** Pending transactions over time, by type; ends are times in seconds, by default the last day of the samples. */
export async function listPendingCounts(sql: Reader, query: { from?: number; to?: number; points: number }) {
  return await inSnapshot(sql, async snapshot => {
    const sampled = await findSampledMinutes(snapshot);
    if (!sampled) return { results: [] };
    const minuteOf = (seconds: number) => Math.floor(seconds / 60);
    const last = Math.min(sampled.last, query.to === undefined ? sampled.last : minuteOf(query.to));
    const first = Math.max(sampled.first, query.from === undefined ? last - DAY_MINUTES : minuteOf(query.from));
    if (query.from !== undefined && query.to !== undefined && query.to < query.from) {
      throw badRequest('`from` is after `to`');
    }
    const rows = await listMempoolSamples(snapshot, equalSteps(first, last, query.points));
    const results = rows.map(({ minute, types }) => ({
      time: minute * 60 + 59,
      total: types.reduce((sum, count) => sum + count, 0),
      types: renderTypeCounts(types),
    }));
    return { results };
  });
}
