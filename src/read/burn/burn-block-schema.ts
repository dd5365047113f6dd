import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { splitHashes } from '../blocks/hashes-queries.ts';
import { isoTime } from '../pages/time.ts';
import type { BurnBlockRow } from './burn-blocks-queries.ts';

export const BurnBlock = Type.Object(
  {
    burn_block_time: Type.Integer({ description: 'Time of the burn block in Unix seconds.' }),
    burn_block_time_iso: Type.String({ description: 'The same time as UTC text.' }),
    burn_block_hash: Type.String({ description: 'Hash of the burn block.' }),
    burn_block_height: Type.Integer({ description: 'Height of the burn block.' }),
    stacks_blocks: Type.Array(Type.String(), {
      description: 'Hashes of the Stacks blocks of the burn block, newest first.',
    }),
    avg_block_time: Type.Integer({ description: 'Mean time between its Stacks blocks in seconds; 0 with one block.' }),
    total_tx_count: Type.Integer({ description: 'Number of transactions of all its Stacks blocks.' }),
  },
  { title: 'BurnBlock' },
);

export const renderBurnBlock = (row: BurnBlockRow): Static<typeof BurnBlock> => ({
  burn_block_time: row.burn_time,
  burn_block_time_iso: isoTime(row.burn_time),
  burn_block_hash: toHex(row.burn_hash),
  burn_block_height: row.burn_height,
  stacks_blocks: splitHashes(row.hashes).map(toHex),
  avg_block_time: row.average_time,
  total_tx_count: row.tx_count,
});
