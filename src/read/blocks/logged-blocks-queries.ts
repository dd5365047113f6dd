import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Block } from '../../chain/block.ts';
import type { Sql } from '../../db/client.ts';
import { parseMessage } from '../../node/json.ts';
import { readBlock } from '../../node/messages.ts';
import { type BlockContents, findBlockContents } from './block-contents-queries.ts';
import type { BlockRow } from './blocks-queries.ts';
import type { CountedMicroblock } from './microblocks-queries.ts';

/** The message behind a payload of the log. */
export const decompressPayload = promisify(brotliDecompress) as (payload: Buffer) => Promise<Buffer>;
const none = Buffer.alloc(0);

/** Larger messages are left alone: only a genesis with all its accounts is, and no response needs its bytes. */
const MAX_BYTES = 32 << 20;

/** How a block that the tables do not hold is named. */
export type LoggedBlockKey =
  | { indexHash: Uint8Array }
  | { hash: Uint8Array }
  | { height: number }
  | { burnHash: Uint8Array }
  | { burnHeight: number };

/** A block of another branch as the log has it; block 0, which no branch shows, is one of them. */
export async function findLoggedBlock(sql: Sql, key: LoggedBlockKey): Promise<Block | undefined> {
  const [row] = await sql<{ payload: Buffer }[]>`
    select l.payload
    from block_tree t
    join event_log l on l.id = t.event_id
    where ${isLogged(sql, key)} and l.size <= ${MAX_BYTES}
    order by t.height desc, t.event_id desc
    limit 1
  `;
  return row && readBlock(parseMessage(await decompressPayload(row.payload)));
}

/** Whether the log has such a block, on any branch. */
export async function isLoggedBlock(sql: Sql, key: LoggedBlockKey): Promise<boolean> {
  const rows = await sql`
    select 1
    from block_tree t
    where ${isLogged(sql, key)}
    limit 1
  `;
  return rows.length > 0;
}

function isLogged(sql: Sql, key: LoggedBlockKey) {
  if ('indexHash' in key) return sql`t.index_hash = ${key.indexHash}`;
  if ('height' in key) return sql`t.height = ${key.height} and not t.parked`;
  if ('burnHeight' in key) return sql`t.burn_height = ${key.burnHeight} and not t.parked`;
  if ('burnHash' in key) {
    const { burnHash } = key;
    return sql`
      substring(t.burn_hash from 1 for 8) = ${burnHash.subarray(0, 8)} and t.burn_hash = ${burnHash} and not t.parked
    `;
  }
  return sql`substring(t.block_hash from 1 for 8) = ${key.hash.subarray(0, 8)} and t.block_hash = ${key.hash}`;
}

/** An orphaned block in the form of the canonical ones. */
export const orphanBlockRow = (block: Block): BlockRow => ({
  height: block.height,
  time: block.time,
  burn_height: block.burn.height,
  burn_time: block.burn.time,
  tenure: block.tenureHeight ?? -1,
  tx_count: block.receipts.length,
  read_count: block.cost.readCount,
  write_count: block.cost.writeCount,
  read_length: BigInt(block.cost.readLength),
  write_length: BigInt(block.cost.writeLength),
  runtime: block.cost.runtime,
  hash: Buffer.from(block.hash),
  index_hash: Buffer.from(block.indexHash),
  parent_hash: Buffer.from(block.parentHash),
  parent_index_hash: Buffer.from(block.parentIndexHash),
  burn_hash: Buffer.from(block.burn.hash),
  miner_tx_id: Buffer.from(block.minerTxId),
  microblock: block.parentMicroblock ? Buffer.from(block.parentMicroblock.hash) : none,
  microblock_sequence: block.parentMicroblock?.sequence ?? -1,
  canonical: false,
});

/**
 * The contents of an orphaned block as the API shows them: the microblocks that the canonical block of its height confirmed.
 * Its transactions are found by id.
 */
export async function findOrphanContents(sql: Sql, { height }: Block): Promise<BlockContents> {
  const { accepted } = await findBlockContents(sql, height);
  return { txIds: [], accepted, streamed: [] };
}

/** What an orphaned block itself said when it came: the microblocks it confirmed. */
export function orphanBlockContents(block: Block): BlockContents {
  const accepted = new Map<string, CountedMicroblock & { sequence: number }>();
  for (const { microblock } of block.receipts) {
    if (!microblock) continue;
    const hash = toHex(microblock.hash);
    const known = accepted.get(hash);
    if (known) known.txCount++;
    else accepted.set(hash, { hash, txCount: 1, sequence: microblock.sequence });
  }
  return { txIds: [], accepted: [...accepted.values()].sort((a, b) => a.sequence - b.sequence), streamed: [] };
}
