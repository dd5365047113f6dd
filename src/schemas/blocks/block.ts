import { type Static, Type } from 'typebox';
import { toHex } from '../../codec/hex.ts';
import type { BlockContents } from '../../queries/blocks/block-contents.ts';
import type { BlockRow } from '../../queries/blocks/blocks.ts';
import { isoTimeFrom0 } from '../time.ts';

const header = {
  canonical: Type.Boolean(),
  height: Type.Integer(),
  hash: Type.String(),
  block_time: Type.Integer({ description: 'Time of the block, or of its burn block before Nakamoto.' }),
  block_time_iso: Type.String(),
  tenure_height: Type.Integer(),
  index_block_hash: Type.String(),
  parent_block_hash: Type.String(),
  burn_block_time: Type.Integer(),
  burn_block_time_iso: Type.String(),
  burn_block_hash: Type.String(),
  burn_block_height: Type.Integer(),
  miner_txid: Type.String(),
  execution_cost_read_count: Type.Integer(),
  execution_cost_read_length: Type.Integer(),
  execution_cost_runtime: Type.Integer(),
  execution_cost_write_count: Type.Integer(),
  execution_cost_write_length: Type.Integer(),
};
const Header = Type.Object(header);

export const NakamotoBlock = Type.Object(
  { ...header, parent_index_block_hash: Type.String(), tx_count: Type.Integer() },
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
    txs: Type.Array(Type.String(), { description: 'Ids of its transactions, last first.' }),
    parent_microblock_hash: Type.String({ description: 'The last microblock it confirms; empty when none.' }),
    parent_microblock_sequence: Type.Integer({ description: '-1 when none.' }),
    microblocks_accepted: Type.Array(Type.String(), { description: 'Microblocks this block confirms.' }),
    microblocks_streamed: Type.Array(Type.String(), { description: 'Microblocks that follow this block.' }),
    microblock_tx_count: Type.Record(Type.String(), Type.Integer()),
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
