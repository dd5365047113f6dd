import type { Sql } from '../db/client.ts';
import { type TransactionRow, transactionColumns, transactionJoins } from './transactions.ts';

/** What decides over locks in a block, and how that stood before it. */
export type BlockFacts = {
  /** No block is before it. */
  first: boolean;
  forced: bigint[];
  burnHeightBefore: number;
  forcedBefore: bigint[];
};

export async function findBlockFacts(sql: Sql, height: number): Promise<BlockFacts> {
  const [row] = await sql<{ forced: bigint[]; before: number | null; forced_before: bigint[] | null; burn: number }[]>`
    select b.unlock_heights as forced, b.burn_height as burn, p.burn_height as before, p.unlock_heights as forced_before
    from blocks b
    left join blocks p on p.height = b.height - 1
    where b.height = ${height}
  `;
  if (!row) throw new Error(`block ${height} has gone while it was read`);
  return {
    first: row.before === null,
    forced: row.forced,
    burnHeightBefore: row.before ?? row.burn,
    forcedBefore: row.forced_before ?? row.forced,
  };
}

/** All transactions of a block in order. */
export async function listTransactionsOf(sql: Sql, height: number): Promise<TransactionRow[]> {
  return await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from transactions t
    ${transactionJoins(sql)}
    where t.height = ${height}
    order by t.place
  `;
}

/** The block before the first one, as far as that names it. */
export async function findGenesisParent(sql: Sql, hash: Uint8Array) {
  const [row] = await sql<{ burn_height: number; burn_time: number }[]>`
    select b.parent_burn_height as burn_height, b.parent_burn_time as burn_time
    from blocks b
    where b.height = 1 and b.parent_hash = ${hash}
  `;
  return row;
}

/** Ids of the pending transactions, newest first. */
export async function listPendingIds(sql: Sql, limit: number): Promise<Buffer[]> {
  const rows = await sql<{ tx_id: Buffer }[]>`
    select m.tx_id
    from mempool m
    where m.status = 0
    order by m.received_at desc, m.event_id, m.tx_id
    limit ${limit}
  `;
  return rows.map(row => row.tx_id);
}
