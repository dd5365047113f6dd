import { equalSteps } from '../../chain/series.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest } from '../../errors.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';
import { findSampledMinutes, listMempoolSamples } from './mempool-samples-queries.ts';
import {
  listFeeSeries,
  listHolderSeries,
  listStxSeries,
  listStxSupplySeries,
  listTokenSeries,
  listTokenSupplySeries,
  listTransactionSeries,
  type SeriesQuery,
  type SeriesRow,
  type SeriesRows,
} from './series-queries.ts';
import { renderFees, renderPoint, renderTypeCounts } from './series-schema.ts';

const DAY_MINUTES = 24 * 60;

/** The points of a series; 400 if its range has no blocks because of both its ends, or its step gives too many points. */
function pointsOf<T>(query: SeriesQuery, rows: SeriesRows<T>, before = 0): SeriesRow<T>[] {
  const { from, to, step } = query;
  const points = rows.filter((row): row is SeriesRow<T> => row.height !== null);
  if (step !== undefined && points.length > query.points + before) {
    throw badRequest(
      `a \`step\` of ${step} gives more than ${query.points} points: choose a larger one or fewer blocks`,
    );
  }
  if (from && to && rows.length > 0 && points.length === 0) throw badRequest('`from` is after `to`');
  return points;
}

/** The balance of a principal over time; STX without an asset. */
export async function listBalanceSeries(
  sql: Sql,
  principal: Uint8Array,
  asset: AssetName | undefined,
  query: SeriesQuery,
) {
  const rows = asset ? await listTokenSeries(sql, principal, asset, query) : await listStxSeries(sql, principal, query);
  return { results: pointsOf(query, rows).map(row => ({ ...renderPoint(row), balance: row.balance })) };
}

/** The supply over time; STX without an asset. */
export async function listSupplySeries(sql: Sql, asset: AssetName | undefined, query: SeriesQuery) {
  if (!asset) {
    const rows = await listStxSupplySeries(sql, query);
    return { results: pointsOf(query, rows).map(row => ({ ...renderPoint(row), supply: row.supply })) };
  }
  const rows = await listTokenSupplySeries(sql, asset, query);
  return {
    results: pointsOf(query, rows).map(row => ({ ...renderPoint(row), supply: row.supply, holders: row.holders })),
  };
}

/** How many hold an asset over time; STX without one. */
export async function listHolderCounts(sql: Sql, asset: AssetName | undefined, query: SeriesQuery) {
  const rows = pointsOf(query, await listHolderSeries(sql, asset, query));
  return { results: rows.map(row => ({ ...renderPoint(row), holders: row.holders })) };
}

/** Transactions over time, by type. */
export async function listTransactionCounts(sql: Sql, query: SeriesQuery) {
  const rows = pointsOf(query, await listTransactionSeries(sql, query));
  let before: { total: number; types: readonly number[] } = { total: 0, types: [] };
  const results = [];
  for (const row of rows) {
    if (row.height >= row.first) {
      const types = renderTypeCounts(row.types.map((count, i) => count - (before.types[i] ?? 0)));
      results.push({ ...renderPoint(row), total: row.total, count: row.total - before.total, types });
    }
    before = row;
  }
  return { results };
}

/** Fee percentiles over time. */
export async function listFeePercentiles(sql: Sql, query: SeriesQuery) {
  const rows = await listFeeSeries(sql, query);
  return { results: pointsOf(query, rows).map(row => ({ ...renderPoint(row), ...renderFees(row) })) };
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
