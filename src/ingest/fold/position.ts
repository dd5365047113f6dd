import type { Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';

/** The position of the fold. */
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
  /** The tables hold unconfirmed microblocks at height + 1; the column is `provisional`. */
  unconfirmed: boolean;
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

/**
 * Makes the caller the one writer: every earlier one fails its next commit. After a failover the server may lack the last
 * blocks, so a new revision is set.
 */
export async function takeOver(sql: Sql): Promise<Position> {
  const [row] = await sql<PositionRow[]>`
    update fold_position set writer = writer + 1, revision = default
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
    unconfirmed: row!.provisional,
    haltedAt: row!.halted_at,
  };
}

/** Adds the statement that stores the position after the transaction; it also clears a halt. */
export function movePosition(flush: Flush, position: Position): void {
  const { eventId, journalSeq, height, indexHash, rootMidChain, unconfirmed } = position;
  flush.query(
    `update fold_position set event_id = $1::bigint, journal_seq = $2::bigint, height = $3::int,
       index_hash = decode($4, 'hex'), root_mid_chain = $5::bool, provisional = $6::bool,
       halted_at = null, halt_reason = null`,
    [eventId, journalSeq, height, indexHash.toString('hex'), String(rootMidChain), String(unconfirmed)],
  );
}

/** Clears a stored halt before another fold is started, which tries the event again and halts anew if it has to. */
export async function clearHalt(sql: Sql): Promise<void> {
  await sql`update fold_position set halted_at = null, halt_reason = null`;
}

/** Stores why the fold failed, until it commits again; a reason without a halt is that of a failure that is tried again. */
export async function storeFailure(sql: Sql, reason: string): Promise<void> {
  await sql`update fold_position set halt_reason = ${reason} where halted_at is null`;
}

/** Stores at which event the fold has halted and why; null clears it. */
export async function setHalt(sql: Sql, position: Position, eventId: bigint | null, reason: string | null) {
  position.haltedAt = eventId;
  await sql`
    update fold_position set halted_at = ${eventId === null ? null : String(eventId)}::bigint, halt_reason = ${reason}
    where writer = ${String(position.writer)}::bigint
  `;
}
