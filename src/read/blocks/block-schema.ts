import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { isoTimeFrom0 } from '../pages/time.ts';
import type { BlockContents } from './block-contents-queries.ts';
import type { BlockRow } from './blocks-queries.ts';

const header = {
  canonical: Type.Boolean({ description: 'Whether the block is part of the chain; false if a fork removed it.' }),
  height: Type.Integer({ description: 'Height of the block.' }),
  hash: Type.String({ description: 'Hash of the block.' }),
  block_time: Type.Integer({
    description: 'Time of the block in Unix seconds; before Nakamoto the time of its burn block.',
  }),
  block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
  tenure_height: Type.Integer({ description: 'Height of the tenure; before Nakamoto the height of the block.' }),
  index_block_hash: Type.String({ description: 'Index block hash: unique across forks.' }),
  parent_block_hash: Type.String({ description: 'Hash of the parent block.' }),
  burn_block_time: Type.Integer({ description: 'Time of the burn block in Unix seconds.' }),
  burn_block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
  burn_block_hash: Type.String({ description: 'Hash of the burn block.' }),
  burn_block_height: Type.Integer({ description: 'Height of the burn block.' }),
  miner_txid: Type.String({ description: 'Id of the Bitcoin transaction of the block commit.' }),
  execution_cost_read_count: Type.Integer({ description: 'Number of read operations.' }),
  execution_cost_read_length: Type.Integer({ description: 'Bytes read.' }),
  execution_cost_runtime: Type.Integer({ description: 'Runtime cost, in cost units.' }),
  execution_cost_write_count: Type.Integer({ description: 'Number of write operations.' }),
  execution_cost_write_length: Type.Integer({ description: 'Bytes written.' }),
};
const Header = Type.Object(header);

export const NakamotoBlock = Type.Object(
  {
    ...header,
    parent_index_block_hash: Type.String({ description: 'Index block hash of the parent block.' }),
    tx_count: Type.Integer({ description: 'Number of transactions.' }),
  },
  { title: 'NakamotoBlock' },
);
export type NakamotoBlock = Static<typeof NakamotoBlock>;

/** A block of any epoch as the second version of the API shows it. */
export const renderNakamotoBlock = (row: BlockRow): NakamotoBlock => ({
  ...renderHeader(row),
  parent_index_block_hash: toHex(row.parent_index_hash),
  tx_count: row.tx_count,
});

export const Block = Type.Object(
  {
    ...header,
    txs: Type.Array(Type.String(), { description: 'Ids of the transactions, last one first.' }),
    parent_microblock_hash: Type.String({
      description: 'Hash of the last microblock that the block confirms; empty if there is none.',
    }),
    parent_microblock_sequence: Type.Integer({ description: 'Sequence of that microblock; -1 if there is none.' }),
    microblocks_accepted: Type.Array(Type.String(), {
      description: 'Hashes of the microblocks that the block confirms.',
    }),
    microblocks_streamed: Type.Array(Type.String(), {
      description: 'Hashes of the microblocks that follow the block.',
    }),
    microblock_tx_count: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of transactions by hash of the confirmed microblock.',
    }),
  },
  { title: 'Block' },
);
export type Block = Static<typeof Block>;

/** A block as the first version of the API and the realtime messages show it. */
export function renderBlock(row: BlockRow, { txIds, accepted, streamed }: BlockContents): Block {
  return {
    ...renderHeader(row),
    txs: txIds,
    parent_microblock_hash: row.microblock.length > 0 ? toHex(row.microblock) : '',
    parent_microblock_sequence: row.microblock_sequence,
    microblocks_accepted: accepted.map(({ hash }) => hash),
    microblocks_streamed: streamed.map(({ hash }) => hash),
    microblock_tx_count: Object.fromEntries(accepted.map(({ hash, txCount }) => [hash, txCount])),
  };
}

function renderHeader(row: BlockRow): Static<typeof Header> {
  const time = row.time || row.burn_time;
  return {
    canonical: row.canonical,
    height: row.height,
    hash: toHex(row.hash),
    block_time: time,
    block_time_iso: isoTimeFrom0(time),
    tenure_height: tenureHeight(row),
    index_block_hash: toHex(row.index_hash),
    parent_block_hash: toHex(row.parent_hash),
    burn_block_time: row.burn_time,
    burn_block_time_iso: isoTimeFrom0(row.burn_time),
    burn_block_hash: toHex(row.burn_hash),
    burn_block_height: row.burn_height,
    miner_txid: toHex(row.miner_tx_id),
    execution_cost_read_count: row.read_count,
    execution_cost_read_length: Number(row.read_length),
    execution_cost_runtime: Number(row.runtime),
    execution_cost_write_count: row.write_count,
    execution_cost_write_length: Number(row.write_length),
  };
}

/** Before Nakamoto, when blocks had no time of their own, each block was a tenure. */
const tenureHeight = ({ tenure, time, height }: BlockRow) => (tenure === -1 && time === 0 ? height : tenure);
