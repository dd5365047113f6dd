import type { ReadCaches } from '../../cache/read-caches.ts';
import type { Shape } from '../../compat/shape.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import type { BlockKey } from '../../queries/blocks/blocks.ts';
import { listPrincipalSummaries } from '../../queries/principals/summaries.ts';
import {
  type ListedSummary,
  listBlockSummaries,
  listSummaries,
  listSummariesAt,
  listSummariesOf,
} from '../../queries/transactions/summaries.ts';
import { renderKeyedPage } from '../../schemas/pages/cursor-list.ts';
import { renderPrincipalTransaction } from '../../schemas/principals/principal-transaction.ts';
import { chainCursor } from '../../schemas/transactions/chain-cursor.ts';
import { renderSummary, type TransactionSummary } from '../../schemas/transactions/transaction-summary.ts';
import { placeKey } from '../transactions/transaction-list.ts';

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
