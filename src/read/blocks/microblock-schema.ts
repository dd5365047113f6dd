import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { isoTime } from '../pages/time.ts';
import { splitHashes } from './hashes-queries.ts';
import type { MicroblockRow } from './microblocks-queries.ts';

export const Microblock = Type.Object(
  {
    canonical: Type.Boolean({ description: 'Whether the block that the microblock belongs to is part of the chain.' }),
    microblock_canonical: Type.Boolean({ description: 'Whether the microblock is part of the chain.' }),
    microblock_hash: Type.String(),
    microblock_sequence: Type.Integer({ description: 'Position in the stream of microblocks, from 0.' }),
    microblock_parent_hash: Type.String({
      description: 'Hash of the previous microblock, or of the block that the stream follows.',
    }),
    block_height: Type.Integer({
      description: 'Height of the block that confirms the microblock, or of the next block.',
    }),
    parent_block_height: Type.Integer({ description: 'Height of the block that the stream follows.' }),
    parent_block_hash: Type.String(),
    parent_burn_block_hash: Type.String(),
    parent_burn_block_time: Type.Integer({ description: 'Time of its burn block in Unix seconds.' }),
    parent_burn_block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
    parent_burn_block_height: Type.Integer(),
    block_hash: Type.String({ description: 'Hash of the block that confirms the microblock; `0x` if none has yet.' }),
    txs: Type.Array(Type.String(), { description: 'Ids of the transactions.' }),
  },
  { title: 'Microblock' },
);
export type Microblock = Static<typeof Microblock>;

export const renderMicroblock = (row: MicroblockRow): Microblock => ({
  canonical: row.canonical,
  microblock_canonical: row.microblock_canonical,
  microblock_hash: toHex(row.hash),
  microblock_sequence: row.sequence,
  microblock_parent_hash: toHex(row.parent_hash),
  block_height: row.height,
  parent_block_height: row.height - 1,
  parent_block_hash: toHex(row.parent_block_hash),
  parent_burn_block_hash: toHex(row.parent_burn_hash),
  parent_burn_block_time: row.parent_burn_time,
  parent_burn_block_time_iso: isoTime(row.parent_burn_time),
  parent_burn_block_height: row.parent_burn_height,
  block_hash: row.block_hash ? toHex(row.block_hash) : '0x',
  txs: splitHashes(row.tx_ids ?? Buffer.alloc(0)).map(toHex),
});
