import { bareHex } from '@cairn-stacks/codec/hex';
import type { Pool } from '../../db/client.ts';
import { type Json, object, optionalInteger, optionalText } from '../../node/json.ts';
import { eventById, parseEvent } from '../log/event-reader.ts';
import type { Sortition } from './replayed-block.ts';

/** Facts about a missing block from its neighbours. Hashes are bare hex. */
export type KnownBlock = {
  blockHash: string;
  consensusHash: string;
  sortition: Sortition;
  minerTxId: string;
  tenureHeight: number | undefined;
  /** Burn heights of the forced unlocks of pox-1 to pox-4, as far as they are known. */
  unlockHeights: readonly (number | undefined)[];
};

const zeroHash = '0'.repeat(64);

/** A block that the fold has seen, canonical or not. */
export async function findKnownBlock(sql: Pool, id: string): Promise<KnownBlock | undefined> {
  const [row] = await sql<((BlockRow | { hash: null }) & { event_id: bigint })[]>`
    select t.event_id,
      b.hash, b.consensus_hash, b.burn_hash, b.burn_height, b.burn_time, b.miner_tx_id, b.tenure, b.unlock_heights
    from block_tree t
    left join blocks b on b.height = t.height and b.index_hash = t.index_hash
    where t.index_hash = decode(${id}, 'hex')
  `;
  if (!row) return undefined;
  return row.hash === null ? await fromLog(sql, row.event_id) : fromRow(row);
}

/** A block that waits for another one. */
export async function findWaitingChild(sql: Pool, id: string): Promise<KnownBlock | undefined> {
  const [row] = await sql<{ event_id: bigint }[]>`
    select t.event_id
    from block_tree t
    where t.parked and t.parent = decode(${id}, 'hex')
    order by t.event_id
    limit 1
  `;
  return row && (await fromLog(sql, row.event_id));
}

/** The Bitcoin transaction that won a tenure, from any other block of the tenure; undefined when none is known. */
export async function findMinerTxId(
  sql: Pool,
  consensusHash: string,
  { burnHash }: Sortition,
): Promise<string | undefined> {
  const burn = burnHash.replace(/^0x/, '');
  const rows = await sql<{ event_id: bigint; miner_tx_id: Buffer | null; consensus_hash: Buffer | null }[]>`
    select t.event_id, b.miner_tx_id, b.consensus_hash
    from block_tree t
    left join blocks b on b.height = t.height and b.index_hash = t.index_hash
    where substring(t.burn_hash from 1 for 8) = substring(decode(${burn}, 'hex') from 1 for 8)
      and t.burn_hash = decode(${burn}, 'hex')
      and t.unknown not like '%miner_txid%'
    order by t.event_id desc
    limit 5
  `;
  for (const row of rows) {
    const known = row.miner_tx_id
      ? { consensusHash: bareHex(row.consensus_hash!), minerTxId: bareHex(row.miner_tx_id) }
      : await fromLog(sql, row.event_id);
    if (known?.consensusHash === consensusHash && known.minerTxId !== zeroHash) return known.minerTxId;
  }
  return undefined;
}

/** Facts about the neighbours of a block from its message. */
export function knownFromMessage(json: Json): KnownBlock {
  return {
    blockHash: bare(optionalText(json, 'block_hash') ?? zeroHash),
    consensusHash: bare(optionalText(json, 'consensus_hash') ?? ''),
    sortition: {
      burnHash: optionalText(json, 'burn_block_hash') ?? zeroHash,
      burnHeight: optionalInteger(json, 'burn_block_height') ?? 0,
      burnTime: optionalInteger(json, 'burn_block_time') ?? 0,
    },
    minerTxId: bare(optionalText(json, 'miner_txid') ?? zeroHash),
    tenureHeight: optionalInteger(json, 'tenure_height'),
    unlockHeights: [1, 2, 3, 4].map(version => optionalInteger(json, `pox_v${version}_unlock_height`)),
  };
}

type BlockRow = {
  hash: Buffer;
  consensus_hash: Buffer;
  burn_hash: Buffer;
  burn_height: number;
  burn_time: number;
  miner_tx_id: Buffer;
  tenure: number;
  unlock_heights: bigint[];
};

const fromRow = (row: BlockRow): KnownBlock => ({
  blockHash: bareHex(row.hash),
  consensusHash: bareHex(row.consensus_hash),
  sortition: { burnHash: bareHex(row.burn_hash), burnHeight: row.burn_height, burnTime: row.burn_time },
  minerTxId: bareHex(row.miner_tx_id),
  tenureHeight: row.tenure < 0 ? undefined : row.tenure,
  unlockHeights: row.unlock_heights.map(Number),
});

async function fromLog(sql: Pool, eventId: bigint): Promise<KnownBlock | undefined> {
  const event = await eventById(sql, eventId, { asMessages: true });
  return event && knownFromMessage(object(parseEvent(event), 'block'));
}

const bare = (hex: string) => hex.replace(/^0x/, '');
