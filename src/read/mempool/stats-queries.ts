import { mempoolStatus, minerPayloads } from '../../chain/mempool/mempool.ts';
import { payloadIds, type TransactionType, transactionType } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';

/** Percentiles 25, 50, 75 and 95, interpolated. */
export type Percentiles = readonly number[];

/** Statistics of the pending transactions of one type. */
export type MempoolTypeStats = { fee: Percentiles; age: Percentiles; size: Percentiles };

/** How many are pending, by public type; the fold maintains the numbers. */
export async function countMempoolTypes(sql: Sql): Promise<Map<TransactionType, number>> {
  const [state] = await sql<{ types: number[] }[]>`select s.types from mempool_state s`;
  const counts = new Map<TransactionType, number>();
  for (const [payloadId, count] of (state?.types ?? []).entries()) {
    const type = transactionType(payloadId);
    counts.set(type, (counts.get(type) ?? 0) + count);
  }
  return counts;
}

/** Fee, age in blocks (1 in the block it may be mined in first) and size of what is pending, by type: one pass; the response is cached until the mempool changes. */
export async function findMempoolStats(sql: Sql): Promise<Map<TransactionType, MempoolTypeStats>> {
  const rows = await sql<(MempoolTypeStats & { type: number })[]>`
    select ${publicType(sql)} as type,
      percentile_cont(${percentiles(sql)}) within group (order by m.fee) as fee,
      percentile_cont(${percentiles(sql)}) within group (order by p.height + 1 - m.received_height) as age,
      percentile_cont(${percentiles(sql)}) within group (order by m.size) as size
    from mempool m
    cross join fold_position p
    where ${counted(sql)}
    group by 1
  `;
  return new Map(rows.map(({ type, ...stats }) => [transactionType(type), stats]));
}

/** Fee percentiles of each type and of all together; absent where nothing is pending. */
export async function findMempoolFees(sql: Sql): Promise<Map<TransactionType | 'all', Percentiles>> {
  const rows = await sql<{ type: number | null; fee: number[] }[]>`
    select ${publicType(sql)} as type,
      percentile_cont(${percentiles(sql)}) within group (order by m.fee) as fee
    from mempool m
    where ${counted(sql)}
    group by grouping sets ((1), ())
    having count(*) > 0
  `;
  return new Map(rows.map(({ type, fee }) => [type === null ? 'all' : transactionType(type), fee]));
}

/** Versioned contracts are contracts in the public API. */
const publicType = (sql: Sql) => sql`
  case m.type
    when ${constant(sql, payloadIds.versioned_smart_contract)} then ${constant(sql, payloadIds.smart_contract)}
    else m.type
  end`;

const percentiles = (sql: Sql) => sql`array[0.25, 0.5, 0.75, 0.95]`;

/** What only a miner makes counts for nothing. */
const counted = (sql: Sql) =>
  sql`m.status = ${constant(sql, mempoolStatus.pending)} and m.type <> all (${[...minerPayloads]}::int[])`;
