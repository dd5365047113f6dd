import type { Shape } from '../../compat/shape.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { BlockKey } from '../blocks/blocks-queries.ts';
import { renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { ReadCaches } from '../read-caches.ts';
import { chainCursor } from '../transactions/chain-cursor-schema.ts';
import {
  type ListedSummary,
  listBlockSummaries,
  listSummaries,
  listSummariesAt,
  listSummariesOf,
} from '../transactions/summaries-queries.ts';
import { placeKey } from '../transactions/transaction-list-view.ts';
import { renderSummary, type TransactionSummary } from '../transactions/transaction-summary-schema.ts';
import { renderPrincipalTransaction } from './principal-transaction-schema.ts';
import { listPrincipalSummaries } from './summaries-queries.ts';

/** The summaries of a list of transactions; those missing from the cache are read by one statement. */
export const renderSummaryList = (
  caches: ReadCaches,
  sql: Sql,
  listed: readonly ListedSummary[],
  shape: Shape,
): Promise<TransactionSummary[]> =>
  caches.items.render(listed, {
    namespace: shape === '9.0' ? 'summary' : `summary of ${shape}`,
    keyOf: entry => placeKey(entry),
    read: missing => listSummariesAt(sql, missing),
    render: row => renderSummary(row, shape),
  });

type Page = Parameters<typeof listSummaries>[1];

/** Transactions of the whole chain in short, newest first. */
export async function listTransactionSummaries(caches: ReadCaches, sql: Sql, page: Page, shape: Shape) {
  const found = await listSummaries(sql, page);
  const summaries = await renderSummaryList(caches, sql, found.rows, shape);
  return renderKeyedPage(found, page.limit, { cursorOf: chainCursor, render: (_, i) => summaries[i]! });
}

/** Confirmed transactions of some ids in short, newest first. */
export const listTransactionBatch = async (caches: ReadCaches, sql: Sql, ids: Uint8Array[]) => ({
  results: await renderSummaryList(caches, sql, await listSummariesOf(sql, ids), '9.3'),
});

/** Transactions of a block in short, the last first. */
export async function listBlockTransactionSummaries(
  caches: ReadCaches,
  sql: Sql,
  key: BlockKey,
  page: Page,
  shape: Shape,
) {
  const found = await listBlockSummaries(sql, key, page);
  if (!found) throw notFound('Block not found');
  const summaries = await renderSummaryList(caches, sql, found.rows, shape);
  const body = renderKeyedPage(found, page.limit, { cursorOf: chainCursor, render: (_, i) => summaries[i]! });
  return { body, height: key === 'latest' ? undefined : found.rows[0]?.height };
}

/** Transactions that touched a principal in short, with the STX they moved for it, newest first. */
export async function listPrincipalTransactionSummaries(
  caches: ReadCaches,
  sql: Sql,
  principal: Uint8Array,
  page: Page,
  shape: Shape,
) {
  const found = await listPrincipalSummaries(sql, principal, page);
  const summaries = await renderSummaryList(caches, sql, found.rows, shape);
  return renderKeyedPage(found, page.limit, {
    cursorOf: chainCursor,
    render: (row, i) => renderPrincipalTransaction(row, summaries[i]!),
  });
}
