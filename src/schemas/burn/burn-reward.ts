import { type Static, Type } from 'typebox';
import { toHex } from '../../codec/hex.ts';
import type { BurnRewardRow, BurnSlotRow, PoxOutputRow } from '../../queries/burn/burn-rewards.ts';

const place = {
  canonical: Type.Boolean({ description: 'Always true: a Bitcoin fork takes the others away.' }),
  burn_block_hash: Type.String(),
  burn_block_height: Type.Integer(),
};

export const BurnchainReward = Type.Object(
  {
    ...place,
    burn_amount: Type.String({ description: 'Satoshis the block burned.' }),
    reward_recipient: Type.String(),
    reward_amount: Type.String({ description: 'Satoshis.' }),
    reward_index: Type.Integer(),
  },
  { title: 'BurnchainReward' },
);
export type BurnchainReward = Static<typeof BurnchainReward>;

export const BurnchainRewardTotal = Type.Object(
  { reward_recipient: Type.String(), reward_amount: Type.String() },
  { title: 'BurnchainRewardTotal' },
);

export const RewardSlotHolder = Type.Object(
  { ...place, address: Type.String(), slot_index: Type.Integer() },
  { title: 'RewardSlotHolder' },
);
export type RewardSlotHolder = Static<typeof RewardSlotHolder>;

export const PoxTransaction = Type.Object(
  {
    burn_block_height: Type.Integer(),
    burn_block_hash: Type.String(),
    tx_id: Type.String({ description: 'A Bitcoin transaction.' }),
    recipient: Type.String(),
    utxo_idx: Type.Integer(),
    amount: Type.String({ description: 'Satoshis.' }),
  },
  { title: 'BurnBlockPoxTransaction' },
);
export type PoxTransaction = Static<typeof PoxTransaction>;

export const renderBurnReward = (row: BurnRewardRow): BurnchainReward => ({
  canonical: true,
  burn_block_hash: toHex(row.burn_hash),
  burn_block_height: row.burn_height,
  burn_amount: row.burn_amount.toString(),
  reward_recipient: row.address,
  reward_amount: row.amount.toString(),
  reward_index: row.reward_index,
});

export const renderBurnSlot = (row: BurnSlotRow): RewardSlotHolder => ({
  canonical: true,
  burn_block_hash: toHex(row.burn_hash),
  burn_block_height: row.burn_height,
  address: row.address,
  slot_index: row.slot_index,
});

export const renderPoxTransaction = (row: PoxOutputRow): PoxTransaction => ({
  burn_block_height: row.burn_height,
  burn_block_hash: toHex(row.burn_hash),
  tx_id: toHex(row.tx_id),
  recipient: row.address,
  utxo_idx: row.utxo_index,
  amount: row.amount.toString(),
});
