import type { Sql } from '../db/client.ts';

/** Where the fold stands. */
export type Position = {
  eventId: bigint;
  journalSeq: bigint;
  /** Blocks that were added to the chain or taken from it, ever. */
  blockEvents: bigint;
  /** Fencing token: only the writer whose token the row holds may commit. */
  writer: bigint;
  /** Canonical tip; height -1 before the first block. */
  height: number;
  indexHash: Buffer;
  rootMidChain: boolean;
  /** A bulk load runs: current values are left for its end. */
  bulk: boolean;
  /** The tables hold unconfirmed microblocks at height + 1. */
  provisional: boolean;
  haltedAt: bigint | null;
};

type PositionRow = {
  event_id: bigint;
  journal_seq: bigint;
  block_events: bigint;
  writer: bigint;
  height: number;
  index_hash: Buffer;
  root_mid_chain: boolean;
  bulk: boolean;
  provisional: boolean;
  halted_at: bigint | null;
};

/** Makes the caller the one writer: every earlier one fails its next commit. */
export async function takeOver(sql: Sql): Promise<Position> {
  const [row] = await sql<PositionRow[]>`
    update fold_position set writer = writer + 1
    returning event_id, journal_seq, writer, height, index_hash, root_mid_chain, bulk, provisional, halted_at,
      coalesce((select j.block_events from journal j where j.seq = journal_seq), 0) as block_events
  `;
  return {
    eventId: row!.event_id,
    journalSeq: row!.journal_seq,
    blockEvents: row!.block_events,
    writer: row!.writer,
    height: row!.height,
    indexHash: row!.index_hash,
    rootMidChain: row!.root_mid_chain,
    bulk: row!.bulk,
    provisional: row!.provisional,
    haltedAt: row!.halted_at,
  };
}
