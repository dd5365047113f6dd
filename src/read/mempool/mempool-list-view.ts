import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { ReadCaches } from '../read-caches.ts';
import { pendingCursor } from '../transactions/pending-cursor-schema.ts';
import { renderPending } from '../transactions/pending-summary-schema.ts';
import { listDropped, listMempool, type MempoolFilter, type MempoolOrder, newestFirst } from './mempool-queries.ts';
import { renderMempoolFees, renderMempoolStats } from './mempool-stats-schema.ts';
import { renderMempoolSummary } from './mempool-summary-schema.ts';
import { renderMempoolTransaction } from './mempool-transaction-schema.ts';
import { listPending, listPendingOf } from './pending-summaries-queries.ts';
import { countMempoolTypes, findMempoolFees, findMempoolStats } from './stats-queries.ts';
import { listMempoolSummary } from './summary-queries.ts';

type Page = { limit: number; offset: number };

export type MempoolListOptions = {
  filter: MempoolFilter;
  order?: MempoolOrder;
  excludeFunctionArgs: boolean | undefined;
  withState?: boolean | undefined;
  withSize?: boolean | undefined;
};

/** A page of pending transactions, newest first unless ordered otherwise. */
export async function listPendingTransactions(
  { interfaces }: ReadCaches,
  sql: Sql,
  page: Page,
  { filter, order = newestFirst, ...render }: MempoolListOptions,
) {
  const { total, rows } = await listMempool(sql, filter, page, order, interfaces);
  return {
    ...page,
    total,
    results: rows.map(row => renderMempoolTransaction(row, render)),
  };
}

/** Transactions that left the mempool without being mined, the last dropped first. */
export async function listDroppedTransactions({ interfaces }: ReadCaches, sql: Sql, page: Page) {
  const { total, rows } = await listDropped(sql, page, interfaces);
  return { ...page, total, results: rows.map(row => renderMempoolTransaction(row)) };
}

/** Numbers, fees, ages and sizes of pending transactions by type. */
export const findStats = (pool: Pool) =>
  inSnapshot(pool, async sql => renderMempoolStats(await countMempoolTypes(sql), await findMempoolStats(sql)));

/** Fees of pending transactions as four priorities. */
export const findFeePriorities = async (sql: Sql) => renderMempoolFees(await findMempoolFees(sql));

export const findMempoolSummary = async (sql: Sql) => renderMempoolSummary(await listMempoolSummary(sql));

type KeyedPage = Parameters<typeof listPending>[1];

/** Pending transactions in short, newest first; those from, for or paid by one principal where given. */
export async function listPendingSummaries(sql: Sql, page: KeyedPage, principal?: Uint8Array) {
  const found = principal ? await listPendingOf(sql, principal, page) : await listPending(sql, page);
  return renderKeyedPage(found, page.limit, { cursorOf: pendingCursor, render: renderPending });
}
