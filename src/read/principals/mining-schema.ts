import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { isoTimeFrom0 } from '../pages/time.ts';
import type { MiningRewardRow, MiningTotalsRow, RewardCursor } from './mining-queries.ts';

export const MiningTotals = Type.Object(
  {
    rewards: Type.Object({
      count: Type.Integer({ description: 'Number of rewards above zero.' }),
      coinbase: Type.String({ description: 'Block rewards, in micro-STX.' }),
      fees: Type.String({ description: 'Transaction fees, in micro-STX.' }),
      total: Type.String({ description: 'Block rewards and fees, in micro-STX.' }),
    }),
  },
  { title: 'PrincipalMining' },
);

/** Zeros for a principal without rewards. */
export function renderMiningTotals(row: MiningTotalsRow | undefined): Static<typeof MiningTotals> {
  const { rewards: count, coinbase, fees } = row ?? { rewards: 0, coinbase: '0', fees: '0' };
  return { rewards: { count, coinbase, fees, total: String(BigInt(coinbase) + BigInt(fees)) } };
}

/** A block without a transaction. */
export const BlockSummary = Type.Object(
  {
    height: Type.Integer({ description: 'Height of the block.' }),
    hash: Type.String({ description: 'Hash of the block.' }),
    index_hash: Type.String({ description: 'Index block hash.' }),
    time: Type.Integer({
      description: 'Time of the block in Unix seconds; before Nakamoto the time of its burn block.',
    }),
    time_iso: Type.String({ description: 'The same time as UTC text.' }),
  },
  { title: 'BlockSummary' },
);

export const renderBlockSummary = (block: {
  height: number;
  hash: Buffer;
  index_hash: Buffer;
  time: number;
  burn_time: number;
}): Static<typeof BlockSummary> => {
  const time = block.time || block.burn_time;
  return {
    height: block.height,
    hash: toHex(block.hash),
    index_hash: toHex(block.index_hash),
    time,
    time_iso: isoTimeFrom0(time),
  };
};

const MiningReward = Type.Object(
  {
    id: Type.String({
      description: 'Index block hash of the block that paid the reward, and the position of the reward in that block.',
    }),
    recipient: Type.String({ description: 'Principal that received the reward.' }),
    miner: Type.String({ description: 'Principal that mined the block.' }),
    block: BlockSummary,
    source_block: Type.Union([BlockSummary, Type.Null()], {
      description: 'The block that earned the reward; null if the chain of this service begins after it.',
    }),
    coinbase: Type.String({ description: 'Block rewards, in micro-STX.' }),
    fees: Type.String({ description: 'Transaction fees, in micro-STX.' }),
    total: Type.String({ description: 'Block rewards and fees, in micro-STX.' }),
  },
  { title: 'MiningReward' },
);
export const MiningRewardList = CursorList(MiningReward, 'MiningRewardList');

export function renderMiningReward(row: MiningRewardRow): Static<typeof MiningReward> {
  const recipient = principalFromBytes(row.recipient);
  return {
    id: `${toHex(row.index_hash)}:${row.position}`,
    recipient,
    miner: row.miner ? principalFromBytes(row.miner) : recipient,
    block: renderBlockSummary(row),
    source_block:
      row.source_height === null
        ? null
        : renderBlockSummary({
            height: row.source_height,
            hash: row.source_hash!,
            index_hash: row.source_index_hash,
            time: row.source_time!,
            burn_time: row.source_burn_time!,
          }),
    coinbase: row.coinbase,
    fees: row.fees,
    total: String(BigInt(row.coinbase) + BigInt(row.fees)),
  };
}

export const rewardPattern = '^[0-9]+:[0-9]+$';

/** `mature_block_height:reward_index`. */
export const rewardCursor = (row: MiningRewardRow): string => `${row.height}:${row.position}`;

/** The position that a cursor names; 'out of range' where a part can be none of any reward. */
export function readRewardCursor(text: string | undefined): RewardCursor | undefined | 'out of range' {
  if (text === undefined) return undefined;
  const [height = 0, position = 0] = text.split(':').map(Number);
  return height > 2_147_483_647 || position > 32_767 ? 'out of range' : { height, position };
}
