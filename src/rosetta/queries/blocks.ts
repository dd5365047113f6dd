import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { payloadIds } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';

/** What decides over locks in a block, and how that stood before it. */
export type BlockFacts = {
  height: number;
  burnHeight: number;
  forced: bigint[];
  /** No block is before it. */
  first: boolean;
  burnHeightBefore: number;
  forcedBefore: bigint[];
  /** Place of its first coinbase. */
  coinbase: number | null;
};

type FactsRow = {
  height: number;
  burn: number;
  forced: bigint[];
  burn_before: number | null;
  forced_before: bigint[] | null;
  coinbase: number | null;
};

const coinbases = [payloadIds.coinbase, payloadIds.coinbase_to_alt_recipient, payloadIds.nakamoto_coinbase];

export async function listBlockFacts(sql: Sql, heights: readonly number[]): Promise<BlockFacts[]> {
  const rows = await sql<FactsRow[]>`
    select
      b.height,
      b.burn_height as burn,
      b.unlock_heights as forced,
      p.burn_height as burn_before,
      p.unlock_heights as forced_before,
      (
        select min(t.place) from transactions t where t.height = b.height and t.type = any (${coinbases}::int[])
      ) as coinbase
    from blocks b
    left join blocks p on p.height = b.height - 1
    where b.height = any (${heights as number[]}::int[])
  `;
  return rows.map(({ burn, burn_before, forced_before, ...row }) => ({
    ...row,
    burnHeight: burn,
    first: burn_before === null,
    burnHeightBefore: burn_before ?? burn,
    forcedBefore: forced_before ?? row.forced,
  }));
}

/** The parent of block 1, from what block 1 says about it; with a hash, only if the parent has that hash. */
export async function findGenesisParent(sql: Sql, hash?: Uint8Array) {
  const [row] = await sql<{ hash: Buffer; index_hash: Buffer; burn_height: number; burn_time: number }[]>`
    select b.parent_hash as hash, b.parent_index_hash as index_hash, b.parent_burn_height as burn_height, b.parent_burn_time as burn_time
    from blocks b
    where b.height = 1 ${hash ? sql`and ${hash} in (b.parent_hash, b.parent_index_hash)` : sql``}
  `;
  return row;
}

/** Ids of the pending transactions, newest first. */
export async function listPendingIds(sql: Sql, limit: number): Promise<Buffer[]> {
  const rows = await sql<{ tx_id: Buffer }[]>`
    select m.tx_id
    from mempool m
    where m.status = ${constant(sql, mempoolStatus.pending)}
    order by m.received_at desc, m.event_id, m.tx_id
    limit ${limit}
  `;
  return rows.map(row => row.tx_id);
}
