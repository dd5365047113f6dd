import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { Locked } from './position-schema.ts';
import type { BondPositionRow, StxStakeRow } from './principals-queries.ts';

const Rewards = Type.Object(
  {
    btc: Type.Object(
      {
        accrued: Type.String({ description: 'Satoshis that were earned.' }),
        claimed: Type.String({ description: 'Satoshis that were claimed.' }),
        claimable: Type.String({ description: 'Satoshis that were earned and not claimed yet.' }),
      },
      { title: 'StakingRewardAmounts' },
    ),
  },
  { title: 'StakingRewards' },
);

export const PrincipalStakingSummary = Type.Object(
  {
    stx: Type.Object({ locked: Type.String({ description: 'Locked micro-STX.' }), rewards: Rewards }),
    bonds: Type.Object({ count: Type.Integer({ description: 'Number of bonds.' }), locked: Locked, rewards: Rewards }),
  },
  { title: 'PrincipalStakingSummary' },
);
export type PrincipalStakingSummary = Static<typeof PrincipalStakingSummary>;

export const PrincipalBondPosition = Type.Object(
  {
    bond_index: Type.Integer({ description: 'Index of the bond.' }),
    status: Type.Union([
      Type.Literal('enrolled'),
      Type.Literal('running'),
      Type.Literal('early_exit'),
      Type.Literal('unlocked'),
    ]),
    active: Type.Boolean({ description: 'Whether the position earns rewards now.' }),
    enrollment: Type.Object({
      tx_id: Type.String({ description: 'Id of the transaction of the enrollment.' }),
      btc_lockup: Type.Object({ amount: Type.String({ description: 'Satoshis at the time of enrollment.' }) }),
    }),
    locked: Locked,
    rewards: Rewards,
  },
  { title: 'PrincipalBondPosition' },
);
export type PrincipalBondPosition = Static<typeof PrincipalBondPosition>;

/** Zeros for a principal that never staked. */
export function renderStakingSummary(
  stake: StxStakeRow | undefined,
  positions: BondPositionRow[],
  burnHeight: number,
): PrincipalStakingSummary {
  const bonds = positions.map(position => lockedIn(position, burnHeight));
  return {
    stx: {
      locked: stake && stake.unlock_height > burnHeight ? stake.stx : '0',
      rewards: renderRewards(stake ? [stake] : []),
    },
    bonds: {
      count: positions.length,
      locked: { btc: sum(bonds.map(bond => bond.btc)), stx: sum(bonds.map(bond => bond.stx)) },
      rewards: renderRewards(positions),
    },
  };
}

export function renderBondPosition(row: BondPositionRow, burnHeight: number): PrincipalBondPosition {
  const status = statusOf(row, burnHeight);
  return {
    bond_index: row.bond,
    status,
    active: status === 'running',
    enrollment: { tx_id: toHex(row.tx_id), btc_lockup: { amount: row.registered_sats } },
    locked: lockedIn(row, burnHeight),
    rewards: renderRewards([row]),
  };
}

function statusOf(row: BondPositionRow, burnHeight: number): PrincipalBondPosition['status'] {
  if (burnHeight >= row.unlock_height) return 'unlocked';
  if (row.sats === '0') return 'early_exit';
  return row.start_height !== null && burnHeight < row.start_height ? 'enrolled' : 'running';
}

const lockedIn = (row: BondPositionRow, burnHeight: number) =>
  burnHeight >= row.unlock_height ? { btc: '0', stx: '0' } : { btc: row.sats, stx: row.stx };

function renderRewards(rows: { accrued: string; claimed: string }[]): Static<typeof Rewards> {
  const claimed = sum(rows.map(row => row.claimed));
  const reported = BigInt(sum(rows.map(row => row.accrued)));
  // Claimed rewards were earned, even if the known distributions add up to less.
  const accrued = reported < BigInt(claimed) ? BigInt(claimed) : reported;
  return { btc: { accrued: String(accrued), claimed, claimable: String(accrued - BigInt(claimed)) } };
}

const sum = (amounts: string[]): string => String(amounts.reduce((total, amount) => total + BigInt(amount), 0n));
