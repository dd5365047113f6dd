import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { lockupOutputs } from '../../chain/pox/staking-print.ts';
import type { Shape } from '../../compat/shape.ts';
import type { BurnTimes } from '../burn/burn-times-queries.ts';
import { bondSchedule, type ScheduleClock, scheduleOf } from './bond-schedule-schema.ts';
import type { AllowanceRow, BondRow, RegistrationRow } from './bonds-queries.ts';
import { Locked, renderStakingPlace, StakingPlace } from './position-schema.ts';
import type { BondRewardsRow } from './rewards-queries.ts';

const Milestone = Type.Object(
  {
    bitcoin_height: Type.Integer({ description: 'Height of the Bitcoin block.' }),
    pox_cycle: Type.Integer({ description: 'Number of the reward cycle.' }),
  },
  { title: 'BondMilestone' },
);

/** Sats, since 9.3. */
const BondRewards = Type.Object(
  {
    btc: Type.Object({
      distributed: Type.String({ description: 'Satoshis that were distributed.' }),
      accrued: Type.String({ description: 'Satoshis that stakers earned.' }),
      claimed: Type.String({ description: 'Satoshis that stakers claimed.' }),
    }),
  },
  { title: 'BondRewards' },
);

/** What came with 9.3: the times of the schedule and what became of the rewards. */
export type BondTimes = { clock: ScheduleClock; times: BurnTimes; rewards: ReadonlyMap<number, BondRewardsRow> };

const bondFields = {
  index: Type.Integer({ description: 'Index of the bond.' }),
  pox_version: Type.Literal('pox5'),
  status: Type.Union([Type.Literal('upcoming'), Type.Literal('active'), Type.Literal('unlocked')]),
  parameters: Type.Object(
    {
      target_rate_bps: Type.Integer({ description: 'Target rate in basis points.' }),
      stx_value_ratio: Type.Integer({
        description: 'Value of STX that counts for bitcoin, as the contract states it.',
      }),
      minimum_stx_ratio: Type.Integer({ description: 'Minimum ratio of micro-STX, as the contract states it.' }),
      btc_capacity: Type.String({ description: 'Sum of what all stakers on the allowlist may lock, in satoshis.' }),
    },
    { title: 'BondParameters' },
  ),
  registrations: Type.Object(
    {
      allowed_count: Type.Integer({ description: 'Number of stakers on the allowlist.' }),
      registered_count: Type.Integer({ description: 'Number of enrolled stakers.' }),
    },
    { title: 'BondRegistrations' },
  ),
  schedule: Type.Union([
    bondSchedule,
    Type.Object({ activation: Milestone, unlock: Milestone }, { title: 'BondSchedule' }),
  ]),
  balances: Type.Object(
    {
      locked: Locked,
      rewards: Type.Optional(BondRewards),
      paid_out: Type.Object({ btc: Type.String({ description: 'Rewards that were distributed, in satoshis.' }) }),
    },
    { title: 'BondBalances' },
  ),
};

export const BondSummary = Type.Object(bondFields, { title: 'BondSummary' });
export type BondSummary = Static<typeof BondSummary>;
export const Bond = Type.Object({ ...bondFields, transaction: StakingPlace }, { title: 'Bond' });
export type Bond = Static<typeof Bond>;

/** The state of a bond at a burn height; nothing is locked in it once it is unlocked. */
export function renderBondSummary(row: BondRow, burnHeight: number, newer?: BondTimes): BondSummary {
  const unlocked = burnHeight >= row.unlock_height;
  return {
    index: row.bond,
    pox_version: 'pox5',
    status: burnHeight < row.start_height ? 'upcoming' : unlocked ? 'unlocked' : 'active',
    parameters: {
      target_rate_bps: Number(row.target_rate),
      stx_value_ratio: Number(row.stx_value_ratio),
      minimum_stx_ratio: Number(row.minimum_stx_ratio),
      btc_capacity: row.capacity,
    },
    registrations: { allowed_count: row.allowed, registered_count: row.registered },
    schedule: newer
      ? scheduleOf(boundsOf(row), newer.times, newer.clock)
      : {
          activation: { bitcoin_height: row.start_height, pox_cycle: row.first_cycle },
          unlock: { bitcoin_height: row.unlock_height, pox_cycle: row.unlock_cycle },
        },
    balances: {
      locked: unlocked ? { btc: '0', stx: '0' } : { btc: row.sats, stx: row.stx },
      ...(newer && { rewards: { btc: rewardsOf(row, newer) } }),
      paid_out: { btc: row.paid_out },
    },
  };
}

const boundsOf = (row: BondRow) => ({
  start: row.start_height,
  unlock: row.unlock_height,
  firstCycle: row.first_cycle,
  unlockCycle: row.unlock_cycle,
});

function rewardsOf(row: BondRow, { rewards }: BondTimes) {
  const { accrued, claimed } = rewards.get(row.bond) ?? { accrued: '0', claimed: '0' };
  return { distributed: row.paid_out, accrued, claimed };
}

export const renderBond = (row: BondRow, burnHeight: number, shape: Shape, newer?: BondTimes): Bond => ({
  ...renderBondSummary(row, burnHeight, newer),
  transaction: renderStakingPlace(row, shape),
});

export const BondAllowlistEntry = Type.Object(
  {
    staker: Type.String({ description: 'Principal of the staker.' }),
    max_sats: Type.String({ description: 'Maximum that the staker may lock, in satoshis.' }),
  },
  { title: 'BondAllowlistEntry' },
);
export type BondAllowlistEntry = Static<typeof BondAllowlistEntry>;

export const renderBondAllowlistEntry = (row: AllowanceRow): BondAllowlistEntry => ({
  staker: principalFromBytes(row.staker),
  max_sats: row.max_sats,
});

const registrationFields = {
  staker: Type.String({ description: 'Principal of the staker.' }),
  signer: Type.String({ description: 'Principal of the signer manager.' }),
  type: Type.Union([Type.Literal('l1'), Type.Literal('l2')], {
    description: 'Where the bitcoin are locked: on Bitcoin (`l1`) or as sBTC (`l2`).',
  }),
  balances: Locked,
};

export const BondRegistrationSummary = Type.Object(registrationFields, { title: 'BondRegistrationSummary' });
export type BondRegistrationSummary = Static<typeof BondRegistrationSummary>;

export const BondRegistration = Type.Union(
  [
    Type.Object({
      ...registrationFields,
      l1_lockup: Type.Object({
        transactions: Type.Array(
          Type.Object({
            tx_id: Type.String({ description: 'Id of the transaction.' }),
            output_index: Type.Integer({ description: 'Index of the output in the Bitcoin transaction.' }),
          }),
        ),
      }),
    }),
    Type.Object({
      ...registrationFields,
      l2_lockup: Type.Object({ tx_id: Type.String({ description: 'Id of the transaction.' }) }),
    }),
  ],
  { title: 'BondRegistration' },
);
export type BondRegistration = Static<typeof BondRegistration>;

export const renderBondRegistrationSummary = (row: RegistrationRow): BondRegistrationSummary => ({
  staker: principalFromBytes(row.staker),
  signer: row.signer ? principalFromBytes(row.signer) : '',
  type: row.l1 ? 'l1' : 'l2',
  balances: { btc: row.sats, stx: row.stx },
});

/** With the Bitcoin outputs that prove the lock-up, or the transaction that moved sBTC. */
export function renderBondRegistration(row: RegistrationRow): BondRegistration {
  const summary = renderBondRegistrationSummary(row);
  if (!row.l1) return { ...summary, l2_lockup: { tx_id: toHex(row.tx_id) } };
  const transactions = lockupOutputs(row.value).map(({ txId, index }) => ({ tx_id: toHex(txId), output_index: index }));
  return { ...summary, l1_lockup: { transactions } };
}
