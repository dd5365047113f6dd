import { principal, uint } from '@cairn-stacks/codec/clarity/build';
import { bootAddress } from '@cairn-stacks/codec/network';
import { type CallContext, principalArg, uintArg } from '../contract-model.ts';
import { cycleOf, isPreparing } from '../pox/cycle.ts';
import { stackerInfo } from '../pox/stacking.ts';
import { bondEndCycle, bondUnlockHeight, cycleStart, maxStakeCycles } from './bond-period.ts';
import { demand } from './errors.ts';
import {
  announced,
  delegate,
  demandRewardPhase,
  demandSigner,
  locked,
  type Membership,
  membershipOf,
  setStake,
  stakeOf,
  undelegate,
} from './positions.ts';
import type { StakingRun } from './run.ts';

const nextCycle = ({ burnHeight }: CallContext) => BigInt(cycleOf(burnHeight)) + 1n;

/** Demands that a position in a bond allows another one: it ends before, and its bitcoin may leave. */
export function demandRollover(
  { burnHeight }: CallContext,
  membership: Membership | undefined,
  firstCycle: bigint,
  overlap: 'ALREADY_STAKED' | 'ALREADY_REGISTERED',
): void {
  if (!membership) return;
  demand(bondEndCycle(membership.bond) <= firstCycle, overlap);
  demand(BigInt(burnHeight) >= bondUnlockHeight(membership.bond), 'ROLLOVER_TOO_EARLY');
}

/** STX that pox-4 has locked cannot be staked: both contracts are active on the devnet. */
export function demandFree(context: CallContext, staker: string): void {
  const contract = `${bootAddress(context.mainnet)}.pox-4`;
  demand(stackerInfo({ ...context, contract }, staker) === undefined, 'ALREADY_STAKED');
}

/** Staking of STX alone. */
export const stakeFunctions: Record<string, StakingRun> = {
  stake(context, draft, args) {
    const { sender: staker, state, burnHeight, contract } = context;
    const [signer, amount, cycles, startHeight] = [
      principalArg(args, 0),
      uintArg(args, 1),
      uintArg(args, 2),
      uintArg(args, 3),
    ];
    demandRewardPhase(context);
    demandSigner(draft, signer);
    const firstCycle = nextCycle(context);
    demand(startHeight / cycleStart(1n) === firstCycle - 1n, 'INVALID_START_BURN_HEIGHT');
    demand(cycles >= 1n && cycles <= BigInt(maxStakeCycles), 'INVALID_NUM_CYCLES');
    demand(stakeOf(draft, staker, burnHeight) === undefined, 'ALREADY_STAKED');
    demandRollover(context, membershipOf(draft, staker, burnHeight), firstCycle, 'ALREADY_STAKED');
    demandFree(context, staker);
    demand(amount > 0n && (state.stx.get(staker) ?? 0n) >= amount, 'INSUFFICIENT_STX');
    const unlockCycle = firstCycle + cycles;
    setStake(draft, staker, { amount, firstCycle, cycles, signer });
    delegate(draft, { staker, signer, amount, alone: true }, firstCycle, unlockCycle);
    const fields = {
      'amount-ustx': uint(amount),
      'first-reward-cycle': uint(firstCycle),
      'num-cycles': uint(cycles),
      signer: principal(signer),
      staker: principal(staker),
      'unlock-burn-height': uint(cycleStart(unlockCycle)),
      'unlock-cycle': uint(unlockCycle),
    };
    return {
      result: fields,
      events: [announced(contract, 'stake', fields), locked(context, staker, amount, cycleStart(unlockCycle))],
    };
  },
  'stake-update'(context, draft, args) {
    const { sender: staker, state, burnHeight, contract } = context;
    const [signer, oldSigner] = [principalArg(args, 0), principalArg(args, 1)];
    const [extension, increase] = [uintArg(args, 2), uintArg(args, 3)];
    const stake = stakeOf(draft, staker, burnHeight);
    demand(stake !== undefined, 'NOT_STAKING');
    demandRewardPhase(context);
    demand(stake.signer === oldSigner, 'INVALID_OLD_SIGNER_MANAGER');
    demandSigner(draft, signer);
    const [firstCycle, before] = [nextCycle(context), stake.firstCycle + stake.cycles];
    const unlockCycle = before + extension;
    const cycles = unlockCycle - firstCycle;
    demand(cycles >= 1n && cycles <= BigInt(maxStakeCycles), 'INVALID_NUM_CYCLES');
    demand(state.spendable(staker) >= increase, 'INSUFFICIENT_STX');
    const amount = stake.amount + increase;
    undelegate(draft, staker, true, firstCycle, before);
    delegate(draft, { staker, signer, amount, alone: true }, firstCycle, unlockCycle);
    setStake(draft, staker, { amount, firstCycle, cycles, signer });
    const fields = {
      'amount-increase': uint(increase),
      'amount-ustx': uint(amount),
      'cycles-to-extend': uint(extension),
      'num-cycles': uint(cycles),
      'old-signer': principal(oldSigner),
      // The contract has the cycle here, under the name of a height.
      'prev-unlock-height': uint(before),
      signer: principal(signer),
      staker: principal(staker),
      'unlock-burn-height': uint(cycleStart(unlockCycle)),
      'unlock-cycle': uint(unlockCycle),
    };
    return {
      result: fields,
      events: [announced(contract, 'stake-update', fields), locked(context, staker, amount, cycleStart(unlockCycle))],
    };
  },
  unstake(context, draft, args) {
    const { sender: staker, burnHeight, contract } = context;
    const stake = stakeOf(draft, staker, burnHeight);
    demand(stake !== undefined, 'NOT_STAKING');
    demand(stake.signer === principalArg(args, 0), 'INVALID_OLD_SIGNER_MANAGER');
    demand(!isPreparing(burnHeight), 'UNSTAKE_IN_PREPARE_PHASE');
    const { amount, firstCycle, signer } = stake;
    const unlockCycle = nextCycle(context);
    undelegate(draft, staker, true, unlockCycle, firstCycle + stake.cycles);
    const cycles = unlockCycle > firstCycle ? unlockCycle - firstCycle : 0n;
    setStake(draft, staker, cycles === 0n ? undefined : { amount, firstCycle, cycles, signer });
    const fields = {
      'amount-ustx': uint(amount),
      'first-reward-cycle': uint(firstCycle),
      signer: principal(signer),
      staker: principal(staker),
      'unlock-burn-height': uint(cycleStart(unlockCycle)),
      'unlock-cycle': uint(unlockCycle),
    };
    return {
      result: fields,
      events: [announced(contract, 'unstake', fields), locked(context, staker, amount, cycleStart(unlockCycle))],
    };
  },
};
