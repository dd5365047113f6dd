import type { Pieces } from '../../cache/rendered-items.ts';
import type { Pool } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { listBlockTransactions } from '../../queries/blocks/block-transactions.ts';
import { isLoggedBlock } from '../../queries/blocks/logged-blocks.ts';
import { gatherTransactions, type ListedTransactionOptions } from './transaction-list.ts';

type Page = ListedTransactionOptions & { limit: number; offset: number };

/** Transactions of a block, last first. An orphaned block is known and has an empty list. */
export async function listTransactionsOfBlockV1(
  pieces: Pieces,
  sql: Pool,
  key: { hash: Uint8Array } | { height: number },
  { limit, offset, ...options }: Page,
  missing: string,
) {
  const wanted = 'height' in key ? key : { blockHash: key.hash };
  const listed = await listBlockTransactions(sql, wanted, { limit, offset, order: 'desc' });
  if (!listed && !(await isLoggedBlock(sql, key))) throw notFound(missing);
  const results = await gatherTransactions(pieces, sql, listed?.rows ?? [], options);
  return { limit, offset, total: listed?.total ?? 0, results };
}
