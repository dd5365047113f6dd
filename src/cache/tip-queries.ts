import { journalKinds } from '../chain/journal.ts';
import { constant, type Sql } from '../db/client.ts';
import { STATE_COLUMN } from '../db/response-reads.ts';

/** The tip of the canonical chain, and the journal numbers on which responses depend. */
export type Tip = {
  /** Last step of any kind: changes with the mempool and with messages of signers too. */
  seq: number;
  /** Part of the time of that step: tells the journal of one database from that of another. */
  check: number;
  /** Last step that changed more than the metrics of signers. */
  mempoolSeq: number;
  /** Last step that changed the chain: not the mempool or signer metrics alone, nor the tree of non-canonical blocks. */
  chainSeq: number;
  /** -1 before the first block. */
  height: number;
  hash: Buffer;
  indexHash: Buffer;
  burnHeight: number;
  /** The burn height of the block at the tip: burn blocks may have come since. */
  blockBurnHeight: number;
  /** The newest microblock of the stream on the tip. */
  microblock?: { hash: Buffer; sequence: number };
  /** Burn heights of the forced unlocks of pox-1, pox-2, pox-3, as far as the node has reported them. */
  unlockHeights: readonly (number | null)[];
  /** Changes when blocks are rolled back, the tables are rebuilt or another writer takes over. */
  revision: string;
  /** Counts the rebuilds of the tables. */
  generation: number;
  /** The lowest heights of canonical blocks of which something is unknown; none when all are whole. */
  incomplete: readonly number[];
};

type TipRow = {
  seq: bigint;
  check: number;
  mempool_seq: bigint;
  chain_seq: bigint;
  height: number;
  hash: Buffer | null;
  index_hash: Buffer | null;
  burn_height: number | null;
  block_burn_height: number | null;
  revision: string;
  generation: number;
  microblock_hash: Buffer | null;
  microblock_sequence: number | null;
  unlock_heights: (bigint | null)[] | null;
  incomplete: number[];
};

/** How many incomplete blocks the tip names at most. */
export const INCOMPLETE_NAMED = 6;

/** The height of the tip; -1 before the first block. */
export async function findTipHeight(sql: Sql): Promise<number> {
  const [row] = await sql<{ height: number }[]>`select p.height from fold_position p`;
  return row?.height ?? -1;
}

/** How far a server is: its last journal step, and the height of the tip (-1 before the first block). */
export type ServedState = { seq: number; height: number };

export async function findServedState(sql: Sql): Promise<ServedState> {
  const [row] = await sql<
    { seq: bigint; height: number }[]
  >`select p.journal_seq as seq, p.height from fold_position p`;
  if (!row) throw missingPosition();
  return { seq: Number(row.seq), height: row.height };
}

/** A column that names the state a statement reads (`STATE_COLUMN`): no further statement is needed to know what a response shows. */
export const namedState = (sql: Sql) =>
  sql`(select f.journal_seq || ' ' || f.height from fold_position f) as ${sql(STATE_COLUMN)}`;

/** The state that a statement named. */
export function readServedState(text: string): ServedState {
  const [seq, height] = text.split(' ');
  return { seq: Number(seq), height: Number(height) };
}

const missingPosition = () => new Error('the row of fold_position is missing: the database was not set up by Cairn');

/** A part of the time of a journal row `j`: two databases that came apart do not share it. */
export const stepCheck = (sql: Sql) => sql`((extract(epoch from j.at) * 1000000)::int8 & 4294967295)::float8`;

/** Reads the tip in one statement, so that all of it is of one state. */
export async function findTip(sql: Sql): Promise<Tip> {
  const [row] = await sql<TipRow[]>`
    select
      p.journal_seq as seq,
      coalesce((select ${stepCheck(sql)} from journal j where j.seq = p.journal_seq), 0) as check,
      coalesce(last.seq, p.journal_seq) as chain_seq,
      coalesce(
        (select j.seq from journal j where j.kind <> ${constant(sql, journalKinds.signers)} order by j.seq desc limit 1),
        p.journal_seq
      ) as mempool_seq,
      p.height,
      b.hash,
      b.index_hash,
      coalesce(bb.height, b.burn_height) as burn_height,
      b.burn_height as block_burn_height,
      p.revision,
      p.generation,
      b.unlock_heights,
      m.hash as microblock_hash,
      m.sequence as microblock_sequence,
      array(
        select t.height
        from block_tree t
        where t.unknown <> ''
          and exists (select 1 from blocks c where c.height = t.height and c.index_hash = t.index_hash)
        order by t.height
        limit ${constant(sql, INCOMPLETE_NAMED)}
      ) as incomplete
    from fold_position p
    left join blocks b
      on b.height = p.height
    left join lateral (
      select m.hash, m.sequence
      from microblocks m
      where m.height = p.height + 1
      order by m.sequence desc
      limit 1
    ) m
      on true
    left join lateral (
      select j.seq, j.kind, j.index_hash
      from journal j
      where j.kind not in (${constant(sql, journalKinds.mempool, journalKinds.nonCanonicalBlock, journalKinds.signers)})
      order by j.seq desc
      limit 1
    ) last
      on true
    -- Only a burn block that arrived after the tip is a change; one below that of the tip is not.
    left join burn_blocks bb
      on last.kind = ${constant(sql, journalKinds.burnBlock)}
      and substring(bb.hash from 1 for 8) = substring(last.index_hash from 1 for 8)
      and bb.hash = last.index_hash
  `;
  if (!row) throw missingPosition();
  return {
    seq: Number(row.seq),
    check: row.check,
    chainSeq: Number(row.chain_seq),
    mempoolSeq: Number(row.mempool_seq),
    height: row.height,
    hash: row.hash ?? Buffer.alloc(0),
    indexHash: row.index_hash ?? Buffer.alloc(0),
    burnHeight: row.burn_height ?? 0,
    blockBurnHeight: row.block_burn_height ?? 0,
    revision: row.revision,
    generation: row.generation,
    ...(row.microblock_hash && {
      microblock: { hash: row.microblock_hash, sequence: row.microblock_sequence ?? 0 },
    }),
    unlockHeights: (row.unlock_heights ?? []).map(height => (height === null ? null : Number(height))),
    incomplete: row.incomplete,
  };
}
