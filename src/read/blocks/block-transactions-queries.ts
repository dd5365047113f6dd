import { revision } from '../../cache/revision.ts';
import { constant, type Reader, type Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { TransactionKey } from '../transactions/transactions-queries.ts';
import { isBlock, type StrictBlockKey } from './blocks-queries.ts';
import { firstHeight, listFirstPlaces } from './first-block-queries.ts';

type BlockTransactionPage = { limit: number; offset: number; order: 'asc' | 'desc' };

type BlockTotals = { total: number; tx_count: number };

const totals = (sql: Sql) => sql`b.tx_total - coalesce(before.tx_total, 0) as total, b.tx_count`;
const blocksBefore = (sql: Sql) => sql`left join blocks before on before.height = b.height - 1`;

/** Transactions of a canonical block, with their number and that of its own message; undefined without such a block. */
export async function listBlockTransactions(
  sql: Reader,
  key: StrictBlockKey,
  page: BlockTransactionPage,
): Promise<{ total: number; txCount: number; rows: TransactionKey[] } | undefined> {
  const { limit, offset, order } = page;
  // The places inside a block have no gaps.
  const rows = await sql<(TransactionKey & BlockTotals)[]>`
    select t.height, t.place, ${revision(sql)} as version, k.total, k.tx_count
    from (select b.height, ${totals(sql)} from blocks b ${blocksBefore(sql)} where ${isBlock(sql, key)}) k
    cross join lateral (
      select t.height, t.place
      from transactions t
      where t.height = k.height
        and ${order === 'asc' ? sql`t.place >= ${offset}::int8` : sql`t.place < k.total - ${offset}::int8`}
      order by t.place ${order === 'asc' ? sql`asc` : sql`desc`}
      limit ${limit}
    ) t
    order by t.place ${order === 'asc' ? sql`asc` : sql`desc`}
  `;
  const block = rows[0] ?? (await findTotals(sql, key));
  if (!block) return undefined;
  const { total, tx_count: txCount } = block;
  if (rows[0]?.height !== firstHeight) return { total, txCount, rows };
  return { total, txCount, rows: await inSnapshot(sql, snapshot => listFirst(snapshot, page)) };
}

async function findTotals(sql: Sql, key: StrictBlockKey): Promise<BlockTotals | undefined> {
  const [block] = await sql<BlockTotals[]>`
    select ${totals(sql)} from blocks b ${blocksBefore(sql)} where ${isBlock(sql, key)}
  `;
  return block;
}

async function listFirst(sql: Sql, { limit, offset, order }: BlockTransactionPage): Promise<TransactionKey[]> {
  const places = (await listFirstPlaces(sql, order)).slice(offset, offset + limit);
  return await sql<TransactionKey[]>`
    select ${constant(sql, firstHeight)} as height, p.place, ${revision(sql)} as version
    from unnest(${places}::int2[]) with ordinality p (place, rank)
    order by p.rank
  `;
}
