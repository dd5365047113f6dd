import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { type Static, Type } from 'typebox';
import { CursorList } from '../pages/cursor-list-schema.ts';
import type { CycleRewards } from './staker-history-view.ts';

const CycleReward = Type.Object(
  {
    cycle: Type.Integer({ description: 'Number of the reward cycle.' }),
    type: Type.Enum(['stx', 'bond'], { description: 'Whether STX alone were staked, or bitcoin in a bond.' }),
    bond_index: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Index of the bond; null where STX alone were staked.',
    }),
    signer_manager: Type.String({ description: 'Principal of the signer manager in this cycle.' }),
    shares: Type.String({
      description: 'What takes part in the rewards: micro-STX where STX alone were staked, satoshis in a bond.',
    }),
    accrued: Type.String({ description: 'Satoshis that the shares have earned.' }),
    claimed: Type.String({ description: 'Satoshis that were claimed, before any fee of the signer manager.' }),
    claimable: Type.String({ description: 'Satoshis that can be claimed now.' }),
    awaiting_signer: Type.String({
      description: 'Satoshis that can be claimed after the signer manager has claimed its own rewards.',
    }),
    final: Type.Boolean({ description: 'Whether the last calculation of the cycle was made: nothing more accrues.' }),
  },
  { title: 'StakingCycleReward' },
);
export const CycleRewardList = CursorList(CycleReward, 'StakingCycleRewardList');

export const renderCycleReward = (row: CycleRewards): Static<typeof CycleReward> => ({
  cycle: row.cycle,
  type: row.bond < 0 ? 'stx' : 'bond',
  bond_index: row.bond < 0 ? null : row.bond,
  signer_manager: principalFromBytes(row.signerName),
  shares: String(row.shares),
  accrued: String(row.accrued),
  claimed: String(row.claimed),
  claimable: String(row.claimable),
  awaiting_signer: String(row.awaitingSigner),
  final: row.isFinal,
});
