import type { Sql } from '../db/client.ts';
import { type BlockKey, isBlock } from './blocks.ts';
import { firstHeight, listFirstPlaces } from './first-block.ts';
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
  const rows = await (height === firstHeight ? listFirst(sql, page) : list(sql, height, total, page));
  return { total, txCount, rows };
}

/** The places inside a block have no gaps. */
const list = async (sql: Sql, height: number, total: number, { limit, offset, order }: BlockTransactionPage) =>
  await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from transactions t
    ${transactionJoins(sql)}
    where t.height = ${height}
      and ${order === 'asc' ? sql`t.place >= ${offset}::int8` : sql`t.place < ${total} - ${offset}::int8`}
    order by t.place ${order === 'asc' ? sql`asc` : sql`desc`}
    limit ${limit}
  `;

async function listFirst(sql: Sql, { limit, offset, order }: BlockTransactionPage): Promise<TransactionRow[]> {
  const places = (await listFirstPlaces(sql, order)).slice(offset, offset + limit);
  return await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from unnest(${places}::int2[]) with ordinality p (place, rank)
    join transactions t on t.height = ${firstHeight} and t.place = p.place
    ${transactionJoins(sql)}
    order by p.rank
  `;
}
