import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import type { BurnRewardRow, BurnSlotRow, PoxOutputRow } from './burn-rewards-queries.ts';

const place = {
  canonical: Type.Boolean({ description: 'Always true: rows of Bitcoin forks are removed.' }),
  burn_block_hash: Type.String({ description: 'Hash of the burn block.' }),
  burn_block_height: Type.Integer({ description: 'Height of the burn block.' }),
};

export const BurnchainReward = Type.Object(
  {
    ...place,
    burn_amount: Type.String({ description: 'Satoshis that the burn block burned.' }),
    reward_recipient: Type.String({ description: 'Bitcoin address that was paid.' }),
    reward_amount: Type.String({ description: 'Amount in satoshis.' }),
    reward_index: Type.Integer({ description: 'Index of the reward in the burn block.' }),
  },
  { title: 'BurnchainReward' },
);
export type BurnchainReward = Static<typeof BurnchainReward>;

export const BurnchainRewardTotal = Type.Object(
  {
    reward_recipient: Type.String({ description: 'Bitcoin address that was paid.' }),
    reward_amount: Type.String({ description: 'Sum in satoshis.' }),
  },
  { title: 'BurnchainRewardTotal' },
);

export const RewardSlotHolder = Type.Object(
  {
    ...place,
    address: Type.String({ description: 'Bitcoin address that was eligible.' }),
    slot_index: Type.Integer({ description: 'Index of the reward slot.' }),
  },
  { title: 'RewardSlotHolder' },
);
export type RewardSlotHolder = Static<typeof RewardSlotHolder>;

export const PoxTransaction = Type.Object(
  {
    burn_block_height: Type.Integer({ description: 'Height of the burn block.' }),
    burn_block_hash: Type.String({ description: 'Hash of the burn block.' }),
    tx_id: Type.String({ description: 'Id of the Bitcoin transaction.' }),
    recipient: Type.String({ description: 'Bitcoin address that was paid.' }),
    utxo_idx: Type.Integer({ description: 'Index of the output in the Bitcoin transaction.' }),
    amount: Type.String({ description: 'Amount in satoshis.' }),
    payer: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'Bitcoin address that seems to have paid: that of the change, which nobody proves. Only with `include=payer`; null if ' +
          'the node did not tell it.',
      }),
    ),
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

/** What a request may ask for in addition. */
export const includePayer = Type.Optional(
  Type.Literal('payer', { description: 'Adds who seems to have paid each output.' }),
);

export const renderPoxTransaction = (row: PoxOutputRow, include?: 'payer'): PoxTransaction => ({
  burn_block_height: row.burn_height,
  burn_block_hash: toHex(row.burn_hash),
  tx_id: toHex(row.tx_id),
  recipient: row.address,
  utxo_idx: row.utxo_index,
  amount: row.amount.toString(),
  ...(include === 'payer' && { payer: row.payer === '' ? null : row.payer }),
});
