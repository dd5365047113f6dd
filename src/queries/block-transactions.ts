import type { Sql } from '../db/client.ts';
import { type BlockKey, isBlock } from './blocks.ts';
import { type TransactionRow, transactionColumns, transactionJoins } from './transactions.ts';

export type BlockTransactionPage = { limit: number; offset: number; order: 'asc' | 'desc' };

/** Transactions of a canonical block, with their number and that of its own message; undefined without such a block. */
export async function listBlockTransactions(
  sql: Sql,
  key: BlockKey,
  page: BlockTransactionPage,
): Promise<{ total: number; txCount: number; rows: TransactionRow[] } | undefined> {
  const [block] = await sql<{ height: number; total: number; tx_count: number }[]>`
    select b.height, b.tx_total - coalesce(before.tx_total, 0) as total, b.tx_count
    from blocks b
    left join blocks before on before.height = b.height - 1
    where ${isBlock(sql, key)}
  `;
  if (!block) return undefined;
  const { height, total, tx_count: txCount } = block;
  if (page.offset >= total) return { total, txCount, rows: [] };
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
  return { total, txCount, rows };
}
