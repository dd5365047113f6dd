import type { Sql } from '../db/client.ts';
import { type BlockKey, isBlock } from './blocks.ts';
import {
  type Transaction,
  type TransactionRow,
  transactionColumns,
  transactionJoins,
  withFunctions,
} from './transactions.ts';

export type BlockTransactionPage = { limit: number; offset: number; order: 'asc' | 'desc' };

/** Transactions of a canonical block; undefined when there is no such block. */
export async function listBlockTransactions(
  sql: Sql,
  key: BlockKey,
  page: BlockTransactionPage,
): Promise<{ total: number; rows: Transaction[] } | undefined> {
  const [block] = await sql<{ height: number; total: number }[]>`
    select b.height, b.tx_total - coalesce(before.tx_total, 0) as total
    from blocks b
    left join blocks before on before.height = b.height - 1
    where ${isBlock(sql, key)}
  `;
  if (!block) return undefined;
  const { height, total } = block;
  if (page.offset >= total) return { total, rows: [] };
  // The places inside a block have no gaps.
  const rows = await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from transactions t
    ${transactionJoins(sql)}
    where t.height = ${height}
      and ${
        page.order === 'asc' ? sql`t.place >= ${page.offset}::int8` : sql`t.place < ${total} - ${page.offset}::int8`
      }
    order by t.place ${page.order === 'asc' ? sql`asc` : sql`desc`}
    limit ${page.limit}
  `;
  return { total, rows: await withFunctions(sql, rows) };
}
