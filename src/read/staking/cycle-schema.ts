import { type Static, Type } from 'typebox';
import { stakingTopics } from '../../chain/pox/staking-topic.ts';
import { printedFields, uintOf } from '../../chain/print-fields.ts';
import type { BondsLocked, StxStaked } from './cycles-queries.ts';
import type { CyclePrintRow } from './events-queries.ts';
import { SchedulePoint } from './schedule-point-schema.ts';

const Amount = Type.String({ description: 'Amount in the smallest unit: micro-STX or satoshis.' });

export const StakingCycle = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the cycle.' }),
    status: Type.Union([
      Type.Literal('upcoming'),
      Type.Literal('reward_phase'),
      Type.Literal('prepare_phase'),
      Type.Literal('finished'),
    ]),
    schedule: Type.Object({ start: SchedulePoint, prepare_phase_start: SchedulePoint, end: SchedulePoint }),
    locked: Type.Object({
      stx: Type.Object({ stx_only: Amount, bonds: Amount, total: Amount }),
      btc: Type.Object({ total: Amount, native: Amount, sbtc: Amount }),
    }),
    participants: Type.Object({
      stakers: Type.Object({ stx_only: Type.Integer(), bonds: Type.Integer() }),
      signers: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if the cycle has no signer set yet.' }),
    }),
    bonds: Type.Object({ total: Type.Integer(), indexes: Type.Array(Type.Integer()) }),
    rewards: Type.Object({
      btc: Type.Object({
        total: Amount,
        waterfall: Type.Object({ bonds: Amount, stx_only: Amount, reserve_deposit: Amount }),
        claimed: Amount,
      }),
    }),
  },
  { title: 'StakingCycle' },
);
export type StakingCycle = Static<typeof StakingCycle>;

/** What the calculations and claims of a cycle say together. */
type CycleRewards = {
  rewards: StakingCycle['rewards'];
  /** STX that took part in the newest calculation; undefined before the first. */
  staked: string | undefined;
  calculations: CyclePrintRow[];
};

export function sumCyclePrints(prints: readonly CyclePrintRow[]): CycleRewards {
  const calculations = prints.filter(({ topic }) => topic === stakingTopics['calculate-rewards']);
  const claims = prints.filter(({ topic }) => topic === stakingTopics['claim-rewards']);
  const sum = (rows: readonly CyclePrintRow[], key: string) =>
    String(rows.reduce((total, { value }) => total + (uintOf(printedFields(value)?.get(key)) ?? 0n), 0n));
  const newest = calculations.at(-1);
  return {
    calculations,
    staked: newest && String(uintOf(printedFields(newest.value)?.get('cycle-staked-ustx')) ?? 0n),
    rewards: {
      btc: {
        total: sum(calculations, 'gross-accrued-rewards'),
        waterfall: {
          bonds: sum(calculations, 'total-bond-rewards'),
          stx_only: sum(calculations, 'total-stx-staker-rewards'),
          reserve_deposit: sum(calculations, 'reserve-deposit'),
        },
        claimed: sum(claims, 'total-rewards'),
      },
    },
  };
}

export const StakingOverview = Type.Object(
  {
    locked: Type.Object({
      stx: Type.Object({ stx_only_total: Amount, bond_total: Amount, total: Amount }),
      btc: Type.Object({ total: Amount }),
    }),
  },
  { title: 'StakingOverview' },
);

export const renderStakingOverview = (alone: StxStaked, bonds: BondsLocked): Static<typeof StakingOverview> => ({
  locked: {
    stx: { stx_only_total: alone.stx, bond_total: bonds.stx, total: sumOf(alone.stx, bonds.stx) },
    btc: { total: sumOf(bonds.native, bonds.sbtc) },
  },
});

export const StakingRewardTotals = Type.Object(
  { btc: Type.Object({ reward_amount: Amount, burn_amount: Amount, total_amount: Amount }) },
  { title: 'StakingRewardTotals' },
);

export const sumOf = (...amounts: string[]): string =>
  String(amounts.reduce((total, amount) => total + BigInt(amount), 0n));
