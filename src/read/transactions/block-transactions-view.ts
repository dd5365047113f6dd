import type { Reader } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { listBlockTransactions } from '../blocks/block-transactions-queries.ts';
import type { BlockKey } from '../blocks/blocks-queries.ts';
import { isLoggedBlock } from '../blocks/logged-blocks-queries.ts';
import type { ReadCaches } from '../read-caches.ts';
import { type ListedTransactionOptions, renderTransactionList } from './transaction-list-view.ts';

type Page = ListedTransactionOptions & { limit: number; offset: number };

/** Transactions of a block, last first. An orphaned block is known and has an empty list. */
export async function listTransactionsOfBlockV1(
  caches: ReadCaches,
  sql: Reader,
  key: { hash: Uint8Array } | { height: number },
  { limit, offset, ...options }: Page,
  missing: string,
) {
  const wanted = 'height' in key ? key : { blockHash: key.hash };
  const listed = await listBlockTransactions(sql, wanted, { limit, offset, order: 'desc' });
  if (!listed && !(await isLoggedBlock(sql, key))) throw notFound(missing);
  const results = await renderTransactionList(caches, sql, listed?.rows ?? [], options);
  return { limit, offset, total: listed?.total ?? 0, results };
}

/** Transactions of a block, first one first, without the interfaces of contracts; a page after the last one is 404. */
export async function listTransactionsOfBlock(
  caches: ReadCaches,
  sql: Reader,
  key: BlockKey,
  { limit, offset, excludeFunctionArgs }: Page,
) {
  const listed = await listBlockTransactions(sql, key, { limit, offset, order: 'asc' });
  const first = listed?.rows[0];
  if (!listed || !first) throw notFound('Block not found');
  const options = { excludeFunctionArgs, withoutInterface: true };
  const results = await renderTransactionList(caches, sql, listed.rows, options);
  // The total is the number in the message of the block.
  const body = { limit, offset, total: listed.txCount, results };
  return { body, height: key === 'latest' ? undefined : first.height };
}
