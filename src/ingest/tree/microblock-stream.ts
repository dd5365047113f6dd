import type { Block } from '../../chain/block.ts';
import type { Receipt } from '../../chain/transaction.ts';
import type { Sql } from '../../db/client.ts';
import { type MicroblockMessage, readMicroblocks } from '../../node/messages.ts';
import { eventById, parseEvent } from '../log/event-reader.ts';
import type { Batch } from '../rows/batch.ts';
import type { FirstTable } from '../rows/table-kinds.ts';

const microblockStreamsTable: FirstTable = {
  name: 'microblock_streams',
  columns: {
    hash: 'bytea',
    parent_hash: 'bytea',
    anchor: 'bytea',
    burn_hash: 'bytea',
    event_id: 'int8',
    sequence: 'int4',
    burn_height: 'int4',
    burn_time: 'int4',
    live: 'bool',
  },
  key: ['hash'],
};

/** Stores every microblock of a message; the first message of each wins. */
export function addMicroblocks(batch: Batch, eventId: bigint, stream: MicroblockMessage, live: boolean): void {
  for (const { microblock } of stream.receipts) {
    if (!microblock) continue;
    batch.first(microblockStreamsTable, Buffer.from(microblock.hash).toString('hex'), [
      microblock.hash,
      microblock.parentHash,
      stream.parentIndexHash,
      stream.burn.hash,
      eventId,
      microblock.sequence,
      stream.burn.height,
      stream.burn.time,
      live,
    ]);
  }
}

type StreamRow = { hash: Buffer; parent_hash: Buffer; event_id: bigint; sequence: number };

/** Transactions of the stream on a block: the chain of the newest microblock that reaches back to sequence 0. */
export async function streamReceipts(sql: Sql, anchor: Buffer): Promise<Receipt[]> {
  const rows = await sql<StreamRow[]>`
    select s.hash, s.parent_hash, s.event_id, s.sequence
    from microblock_streams s
    where s.anchor = ${anchor} and s.live
    order by s.event_id desc, s.sequence desc
  `;
  const chain = longestChain(rows);
  const receipts: Receipt[] = [];
  const messages = new Map<bigint, MicroblockMessage>();
  for (const row of chain) {
    let message = messages.get(row.event_id);
    if (!message) {
      const event = await eventById(sql, row.event_id, { asMessages: true });
      if (!event) throw new Error(`event ${row.event_id} is not in the log`);
      message = readMicroblocks(parseEvent(event));
      messages.set(row.event_id, message);
    }
    receipts.push(...message.receipts.filter(r => r.microblock && row.hash.equals(r.microblock.hash)));
  }
  return receipts;
}

/** Whether a stream follows a block. */
export async function hasStream(sql: Sql, anchor: Buffer): Promise<boolean> {
  const rows = await sql`select 1 from microblock_streams s where s.anchor = ${anchor} and s.live limit 1`;
  return rows.length > 0;
}

/** Last received wins; a microblock whose ancestors are not all there counts for nothing. Lowest sequence first. */
function longestChain(rows: StreamRow[]): StreamRow[] {
  const byHash = new Map(rows.map(row => [row.hash.toString('hex'), row]));
  for (const tip of rows) {
    const chain: StreamRow[] = [];
    for (let row: StreamRow | undefined = tip; row; row = byHash.get(row.parent_hash.toString('hex'))) {
      chain.unshift(row);
      if (row.sequence === 0) return chain;
    }
  }
  return [];
}

const none = new Uint8Array(0);

/** Microblocks as the block that will confirm them, with the fields that the projections read. */
export function unconfirmedBlock(tip: { height: number; indexHash: Uint8Array }, receipts: Receipt[]): Block {
  return {
    height: tip.height + 1,
    hash: none,
    indexHash: none,
    parentHash: none,
    parentIndexHash: tip.indexHash,
    time: 0,
    burn: { hash: none, height: -1, time: -1 },
    parentBurn: { hash: none, height: -1, time: -1 },
    minerTxId: none,
    signerSignatures: [],
    unlockHeights: [],
    rewards: [],
    cost: { runtime: 0n, readCount: 0, readLength: 0, writeCount: 0, writeLength: 0 },
    receipts,
  };
}
