import { bool, list, none, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { type CallContext, principalArg, uintArg } from '../contract-model.ts';
import type { Draft } from '../draft.ts';
import { cycleLength } from '../pox/cycle.ts';
import { sbtcAsset } from '../sbtc/sbtc-address.ts';
import { bondOf } from './bond-functions.ts';
import {
  bondGap,
  calculationHeight,
  distributionsPerYear,
  firstStakingCycle,
  isBondActiveAt,
  precision,
  reserveRatio,
} from './bond-period.ts';
import { demand } from './errors.ts';
import { announced, earnedBy, type Pool, poolKey, signerKey, stakerKey } from './positions.ts';
import type { StakingRun } from './run.ts';

/** Bonds that may be active at one time. */
const concurrentBonds = 6n;

/** sBTC that the contract holds beside what is staked. */
export const rewardsHeld = ({ state, contract, mainnet }: CallContext, draft: Draft): bigint =>
  state.held(contract, sbtcAsset(mainnet)) - draft.uintVariable('total-sbtc-staked');

/** sBTC that arrived after the last calculation. */
export const newRewards = (context: CallContext, draft: Draft): bigint =>
  rewardsHeld(context, draft) - draft.uintVariable('last-accounted-rewards-only');

/** What a signer may claim from a pool. */
export function signerEarned(draft: Draft, pool: Pool, signer: string): bigint {
  const key = signerKey(pool, signer);
  return earnedBy(
    draft.number('signer-shares-staked-for-cycle', key),
    draft.number('rewards-per-token-for-cycle', poolKey(pool)),
    draft.number('signer-rewards-per-token-settled-for-cycle', key),
    draft.number('signer-unclaimed-rewards-for-cycle', key),
  );
}

/** What a staker may claim from what its signer has claimed. */
export function stakerEarned(draft: Draft, pool: Pool, signer: string, staker: string): bigint {
  const key = stakerKey(pool, signer, staker);
  return earnedBy(
    draft.number('staker-shares-staked-for-cycle', key),
    draft.number('signer-rewards-per-token-for-cycle', signerKey(pool, signer)),
    draft.number('staker-rewards-per-token-settled-for-cycle', key),
    draft.number('staker-unclaimed-rewards-for-cycle', key),
  );
}

const listed = (value: ClarityValue | undefined) =>
  value?.type === 'list' ? value.items.map(item => uintArg([item], 0)) : [];

/** Bonds that are set up and active at a height. */
export function activeBonds(draft: Draft, height: bigint): bigint[] {
  const first = BigInt(firstStakingCycle);
  const cycle = height < 0n ? 0n : height / BigInt(cycleLength);
  const latest = cycle <= first ? 0n : (cycle - first) / BigInt(bondGap);
  const found: bigint[] = [];
  for (let bond = latest >= concurrentBonds ? latest - concurrentBonds + 1n : 0n; bond <= latest; bond++) {
    if (bondOf(draft, bond) && isBondActiveAt(bond, height)) found.push(bond);
  }
  return found;
}

/** Rewards: sBTC that reaches the contract, for bonds first, then for the reserve and for stakers of STX alone. */
export const rewardFunctions: Record<string, StakingRun> = {
  'calculate-rewards'(context, draft, args) {
    const { burnHeight, contract } = context;
    const bonds = listed(args[0]);
    const height = calculationHeight(burnHeight);
    const cycle = height / BigInt(cycleLength);
    demand(height > draft.uintVariable('last-reward-compute-height'), 'DISTRIBUTION_ALREADY_COMPUTED');
    demand(
      activeBonds(draft, height).every(bond => bonds.includes(bond)),
      'ACTIVE_BOND_NOT_INCLUDED',
    );
    const gross = newRewards(context, draft);
    const events = [];
    let [available, last] = [gross, undefined as { ratio: bigint; bond: bigint } | undefined];
    for (const bond of bonds) {
      const terms = bondOf(draft, bond);
      demand(terms !== undefined, 'BOND_NOT_FOUND');
      const ratio = uintArg([terms.get('stx-value-ratio')!], 0);
      demand(!last || ratio < last.ratio || (ratio === last.ratio && bond > last.bond), 'INVALID_BOND_PERIOD_ORDERING');
      demand(isBondActiveAt(bond, height), 'BOND_NOT_ACTIVE');
      last = { ratio, bond };
      const key = poolKey({ cycle, bond });
      const staked = draft.number('total-shares-staked-for-cycle', key);
      const target = (staked * uintArg([terms.get('target-rate')!], 0)) / 10_000n / distributionsPerYear;
      const isCovered = target <= available;
      const rewards = isCovered ? target : available;
      available -= rewards;
      const accrued = staked === 0n ? 0n : (rewards * precision) / staked;
      draft.add('rewards-per-token-for-cycle', key, accrued);
      events.push(
        announced(contract, 'bond-distribution', {
          'accrued-rewards-per-sat': uint(accrued),
          'bond-index': uint(bond),
          'bond-rewards': uint(rewards),
          'bond-staked-sats': uint(staked),
          'cumulative-rewards-per-sat': uint(draft.number('rewards-per-token-for-cycle', key)),
          'target-yield': uint(target),
        }),
      );
    }
    const key = poolKey({ cycle, bond: undefined });
    const staked = draft.number('total-shares-staked-for-cycle', key);
    const cut = (available * reserveRatio) / 10_000n;
    // Without stakers of STX alone, the reserve receives their part too.
    const [deposit, forStakers] = staked === 0n ? [available, 0n] : [cut, available - cut];
    const accrued = staked === 0n ? 0n : (forStakers * precision) / staked;
    draft.add('rewards-per-token-for-cycle', key, accrued);
    draft.setVariable('last-reward-compute-height', uint(height));
    draft.setVariable('last-accounted-rewards-only', uint(rewardsHeld(context, draft)));
    draft.setVariable('reserve-balance', uint(draft.uintVariable('reserve-balance') + deposit));
    const fields = {
      'accrued-rewards-per-ustx': uint(accrued),
      'bond-periods': args[0]!,
      'calculation-height': uint(height),
      'cumulative-rewards-per-ustx': uint(draft.number('rewards-per-token-for-cycle', key)),
      'cycle-staked-ustx': uint(staked),
      'gross-accrued-rewards': uint(gross),
      'reserve-balance': uint(draft.uintVariable('reserve-balance')),
      'reserve-deposit': uint(deposit),
      'stx-cycle': uint(cycle),
      'total-bond-rewards': uint(gross - available),
      'total-stx-staker-rewards': uint(forStakers),
    };
    return { result: fields, events: [...events, announced(contract, 'calculate-rewards', fields)] };
  },
  'claim-rewards'(context, draft, args) {
    const { caller: signer, contract, mainnet } = context;
    const [bonds, cycle] = [listed(args[0]), uintArg(args, 1)];
    const paused = draft.variable('rewards-paused');
    demand(!(paused?.type === 'bool' && paused.value), 'REWARDS_PAUSED');
    const settle = (pool: Pool) => {
      const key = signerKey(pool, signer);
      const earned = signerEarned(draft, pool, signer);
      const rate = draft.number('rewards-per-token-for-cycle', poolKey(pool));
      const shares = draft.number('signer-shares-staked-for-cycle', key);
      draft.setNumber('signer-unclaimed-rewards-for-cycle', key, 0n);
      draft.setNumber('signer-rewards-per-token-settled-for-cycle', key, rate);
      if (shares > 0n) draft.setNumber('signer-rewards-per-token-for-cycle', key, rate);
      return { earned: uint(earned), 'rewards-per-token': uint(rate) };
    };
    const alone = settle({ cycle, bond: undefined });
    const perBond = bonds.map(bond => ({ 'bond-index': uint(bond), ...settle({ cycle, bond }) }));
    const bondTotals = perBond.reduce((sum, { earned }) => sum + uintArg([earned], 0), 0n);
    const total = uintArg([alone.earned], 0) + bondTotals;
    demand(total > 0n, 'NO_CLAIMABLE_REWARDS');
    draft.setVariable('last-accounted-rewards-only', uint(draft.uintVariable('last-accounted-rewards-only') - total));
    const fields = {
      'bond-rewards': list(perBond.map(tuple)),
      'bond-totals': uint(bondTotals),
      'stx-rewards': tuple(alone),
      'total-rewards': uint(total),
    };
    return {
      result: fields,
      events: [
        { kind: 'ft_transfer', asset: sbtcAsset(mainnet), sender: contract, recipient: signer, amount: total },
        announced(contract, 'claim-rewards', {
          ...fields,
          'reward-cycle': uint(cycle),
          'signer-manager': principal(signer),
        }),
      ],
    };
  },
  'claim-staker-rewards-for-signer'({ caller: signer, contract }, draft, args) {
    const [staker, cycle, index] = [principalArg(args, 0), uintArg(args, 1), args[2]!];
    const pool: Pool = { cycle, bond: index.type === 'some' ? uintArg([index.value], 0) : undefined };
    const key = stakerKey(pool, signer, staker);
    const earned = stakerEarned(draft, pool, signer, staker);
    const rate = draft.number('signer-rewards-per-token-for-cycle', signerKey(pool, signer));
    draft.setNumber('staker-unclaimed-rewards-for-cycle', key, 0n);
    draft.setNumber('staker-rewards-per-token-settled-for-cycle', key, rate);
    const fields = {
      'bond-index': pool.bond === undefined ? none : some(uint(pool.bond)),
      'reward-cycle': uint(cycle),
      'rewards-claimed': uint(earned),
      'signer-manager': principal(signer),
      staker: principal(staker),
    };
    return {
      result: { earned: uint(earned), 'rewards-per-token': uint(rate) },
      events: [announced(contract, 'claim-staker-rewards-for-signer', fields)],
    };
  },
  'pause-rewards'({ contract, caller }, draft) {
    demand(caller === principalArg([draft.variable('pause-admin')!], 0), 'UNAUTHORIZED');
    draft.setVariable('rewards-paused', bool(true));
    return { result: bool(true), events: [announced(contract, 'pause-rewards', {})] };
  },
  'set-bond-admin': (context, draft, args) => changeAdmin(context, draft, args, 'bond-admin'),
  'set-pause-admin': (context, draft, args) => changeAdmin(context, draft, args, 'pause-admin'),
};

function changeAdmin({ contract, caller }: CallContext, draft: Draft, args: readonly ClarityValue[], role: string) {
  const before = draft.variable(role)!;
  demand(caller === principalArg([before], 0), 'UNAUTHORIZED');
  draft.setVariable(role, args[0]!);
  const fields = { 'new-admin': args[0]!, 'old-admin': before };
  return { result: fields, events: [announced(contract, `set-${role}`, fields)] };
}
