import { bool, none, ok, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bareHex } from '@cairn-stacks/codec/hex';
import {
  bytesArg,
  type CallContext,
  entryKey,
  fieldsIn,
  type Outcome,
  principalArg,
  type Run,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { isRefusal, useConsent } from './consent.ts';
import { cycleLength, cycleOf, slotThreshold } from './cycle.ts';
import { poxError } from './errors.ts';
import { addSlots, countSlots, growSlot, slotAt } from './reward-slots.ts';
import {
  cycleFields,
  delegationOf,
  delegationWrite,
  lock,
  lockEvent,
  lockRefusal,
  notice,
  signerFields,
  stackingOf,
  stackingWrite,
  weigh,
} from './stacking.ts';

export const partialKey = (contract: string, pool: string, poxAddress: ClarityValue, cycle: number | bigint) =>
  entryKey(
    contract,
    'partial-stacked-by-cycle',
    tuple({ 'pox-addr': poxAddress, 'reward-cycle': uint(cycle), sender: principal(pool) }),
  );

const stackedIn = (value: ClarityValue | undefined): bigint =>
  uintArg([fieldsIn(value)?.get('stacked-amount') ?? none], 0);

/** The writes that add STX which a pool has locked for some cycles and not committed. */
function addToPool(
  { state, contract, sender }: CallContext,
  poxAddress: ClarityValue,
  amount: bigint,
  from: number,
  to: number,
) {
  return Array.from({ length: Math.max(0, to - from) }, (_, i): Write => {
    const key = partialKey(contract, sender, poxAddress, from + i);
    return { key, value: tuple({ 'stacked-amount': uint(stackedIn(readData(state, key)) + amount) }) };
  });
}

/** Why a pool cannot lock an amount of an account until a burn height; undefined if it can. */
function poolRefusal(context: CallContext, stacker: string, total: bigint, poxAddress: ClarityValue, unlock: number) {
  const delegation = fieldsIn(delegationOf(context, stacker));
  if (!delegation || principalArg([delegation.get('delegated-to')!], 0) !== context.sender) {
    return poxError('permissionDenied');
  }
  if (uintArg([delegation.get('amount-ustx')!], 0) < total) return poxError('delegationTooMuch');
  const [wanted, until] = [delegation.get('pox-addr')!, delegation.get('until-burn-ht')!];
  if (wanted.type === 'some' && !samePoxAddress(wanted.value, poxAddress)) {
    return poxError('delegationAddress');
  }
  return until.type === 'some' && uintArg([until.value], 0) < BigInt(unlock)
    ? poxError('delegationExpires')
    : undefined;
}

const plain = (address: ClarityValue) =>
  ['version', 'hashbytes'].map(name => [...bytesArg([fieldsIn(address)?.get(name) ?? none], 0)]);

const samePoxAddress = (a: ClarityValue, b: ClarityValue) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

/** Delegation to a pool, and the functions of a pool. */
export const poolFunctions: Record<string, Run> = {
  'delegate-stx'(context, args) {
    const { sender, burnHeight } = context;
    if (delegationOf(context, sender)) return poxError('alreadyDelegated');
    const data = {
      'amount-ustx': args[0]!,
      'delegate-to': args[1]!,
      'unlock-burn-height': args[2]!,
      'pox-addr': args[3]!,
      'start-cycle-id': uint(cycleOf(burnHeight) + 1),
      'end-cycle-id': none,
    };
    const value = tuple({
      'amount-ustx': args[0]!,
      'delegated-to': args[1]!,
      'pox-addr': args[3]!,
      'until-burn-ht': args[2]!,
    });
    return {
      result: ok(bool(true)),
      events: [notice(context, 'delegate-stx', sender, data)],
      writes: [delegationWrite(context, sender, value)],
    };
  },
  'revoke-delegate-stx'(context) {
    const { sender, burnHeight } = context;
    const revoked = delegationOf(context, sender);
    const delegation = fieldsIn(revoked);
    if (!revoked || !delegation) return poxError('alreadyRevoked');
    const data = {
      'delegate-to': delegation.get('delegated-to')!,
      'start-cycle-id': uint(cycleOf(burnHeight) + 1),
      'end-cycle-id': none,
    };
    return {
      result: ok(some(revoked)),
      events: [notice(context, 'revoke-delegate-stx', sender, data)],
      writes: [delegationWrite(context, sender, undefined)],
    };
  },
  'delegate-stack-stx'(context, args) {
    const { sender } = context;
    const [stacker, amount, poxAddress] = [principalArg(args, 0), uintArg(args, 1), args[2]!];
    const [startHeight, period] = [uintArg(args, 3), uintArg(args, 4)];
    const { start, end, result, data, event } = lock(context, stacker, amount, Number(period));
    const refused =
      poolRefusal(context, stacker, amount, poxAddress, end * cycleLength) ??
      lockRefusal(context, stacker, { amount, poxAddress, startHeight, period });
    if (refused) return refused;
    const print = { ...data, 'pox-addr': poxAddress, delegator: principal(sender), stacker: principal(stacker) };
    return {
      result: ok(tuple(result)),
      events: [notice(context, 'delegate-stack-stx', stacker, print), event],
      writes: [
        stackingWrite(context, stacker, { poxAddress, pool: sender, firstCycle: start, slots: [] }, end),
        ...addToPool(context, poxAddress, amount, start, end),
      ],
    };
  },
  'delegate-stack-increase'(context, args) {
    const { state, sender, burnHeight } = context;
    const [stacker, poxAddress, more] = [principalArg(args, 0), args[1]!, uintArg(args, 2)];
    const [locked, unlock] = [state.locked.get(stacker), state.unlocks.get(stacker)];
    if (more === 0n) return poxError('invalidAmount');
    if (locked === undefined || unlock === undefined) return poxError('increaseNotLocked');
    if (stackingOf(context, stacker)?.pool !== sender) return poxError('notDelegated');
    const total = locked + more;
    const refused = poolRefusal(context, stacker, total, poxAddress, unlock);
    if (refused) return refused;
    if (state.spendable(stacker) < more) return poxError('insufficientFunds');
    const [next, end] = [cycleOf(burnHeight) + 1, cycleOf(unlock)];
    const data = {
      'increase-by': uint(more),
      'total-locked': uint(total),
      'pox-addr': poxAddress,
      delegator: principal(sender),
      stacker: principal(stacker),
      ...cycleFields(next, end),
    };
    return {
      result: ok(tuple({ stacker: principal(stacker), 'total-locked': uint(total) })),
      events: [notice(context, 'delegate-stack-increase', stacker, data), lockEvent(context, stacker, total, unlock)],
      writes: addToPool(context, poxAddress, more, next, end),
    };
  },
  'delegate-stack-extend'(context, args) {
    const { state, sender, burnHeight } = context;
    const [stacker, poxAddress, count] = [principalArg(args, 0), args[1]!, Number(uintArg(args, 2))];
    const [locked, unlock] = [state.locked.get(stacker), state.unlocks.get(stacker)];
    if (locked === undefined || unlock === undefined) return poxError('extendNotLocked');
    const stacking = stackingOf(context, stacker);
    if (stacking?.pool !== sender) return poxError('notDelegated');
    const [now, before] = [cycleOf(burnHeight), cycleOf(unlock)];
    const end = before + count;
    const firstCycle = Math.max(stacking.firstCycle, now);
    if (count < 1 || count > 12 || end - firstCycle > 12) return poxError('invalidLockPeriod');
    const unlockHeight = end * cycleLength;
    const refused = poolRefusal(context, stacker, locked, poxAddress, unlockHeight);
    if (refused) return refused;
    const data = {
      'extend-count': args[2]!,
      'unlock-burn-height': uint(unlockHeight),
      'pox-addr': poxAddress,
      delegator: principal(sender),
      stacker: principal(stacker),
      ...cycleFields(now + 1, end),
    };
    return {
      result: ok(tuple({ stacker: principal(stacker), 'unlock-burn-height': uint(unlockHeight) })),
      events: [
        notice(context, 'delegate-stack-extend', stacker, data),
        lockEvent(context, stacker, locked, unlockHeight),
      ],
      writes: [
        stackingWrite(context, stacker, { poxAddress, pool: sender, firstCycle, slots: [] }, end),
        ...addToPool(context, poxAddress, locked, before, end),
      ],
    };
  },
  'stack-aggregation-commit': (context, args) => commit(context, args, 'stack-aggregation-commit'),
  'stack-aggregation-commit-indexed': (context, args) => commit(context, args, 'stack-aggregation-commit-indexed'),
  'stack-aggregation-increase'(context, args) {
    const [poxAddress, cycle, index] = [args[0]!, uintArg(args, 1), uintArg(args, 2)];
    const committed = committable(context, poxAddress, cycle);
    if ('result' in committed) return committed;
    const slot = fieldsIn(slotAt(context, cycle, index));
    if (!slot) return poxError('noRewardSlot');
    if (samePoxAddress(slot.get('pox-addr')!, poxAddress)) return increaseSlot(context, args, committed);
    return poxError('wrongRewardSlot');
  },
};

type Committed = { key: string; amount: bigint };

/** The STX that a pool has locked and not committed for a coming cycle; otherwise an error. */
function committable(context: CallContext, poxAddress: ClarityValue, cycle: bigint): Committed | Outcome {
  const key = partialKey(context.contract, context.sender, poxAddress, cycle);
  const amount = stackedIn(readData(context.state, key));
  if (amount === 0n) return poxError('noSuchPrincipal');
  return cycle <= BigInt(cycleOf(context.burnHeight)) ? poxError('rewardCycle') : { key, amount };
}

/** The data of the print of a commitment. */
const commitData = ({ sender }: CallContext, args: readonly ClarityValue[], amount: bigint, signerAt: number) => ({
  'pox-addr': args[0]!,
  'reward-cycle': args[1]!,
  'amount-ustx': uint(amount),
  delegator: principal(sender),
  ...signerFields(args, signerAt),
  ...cycleFields(Number(uintArg(args, 1)), Number(uintArg(args, 1)) + 1),
});

/** Commits the STX that a pool has locked for a cycle to a new reward slot; the indexed form returns its place. */
function commit(context: CallContext, args: readonly ClarityValue[], name: string): Outcome {
  const [poxAddress, cycle, key] = [args[0]!, uintArg(args, 1), bytesArg(args, 3)];
  const committed = committable(context, poxAddress, cycle);
  if ('result' in committed) return committed;
  const { amount } = committed;
  if (amount < slotThreshold) return poxError('thresholdNotMet');
  const consent = useConsent(context, args, 2, {
    topic: 'agg-commit',
    poxAddress,
    rewardCycle: cycle,
    period: 1,
    amount,
  });
  if (isRefusal(consent)) return consent;
  const index = countSlots(context, cycle);
  const [from, to] = [Number(cycle), Number(cycle) + 1];
  return {
    result: ok(name.endsWith('-indexed') ? uint(index) : bool(true)),
    events: [notice(context, name, context.sender, commitData(context, args, amount, 2))],
    writes: [
      consent,
      { key: committed.key, value: undefined },
      ...addSlots(context, { poxAddress, signer: key, amount }, from, to).writes,
      ...weigh(context, key, amount, from, to),
    ],
  };
}

/** Adds STX that a pool has locked later to a slot that it has. */
function increaseSlot(context: CallContext, args: readonly ClarityValue[], { key, amount }: Committed): Outcome {
  const [poxAddress, cycle, index, signer] = [args[0]!, uintArg(args, 1), uintArg(args, 2), bytesArg(args, 4)];
  const slot = fieldsIn(slotAt(context, cycle, index))!;
  if (bareHex(bytesArg([slot.get('signer')!], 0)) !== bareHex(signer)) return poxError('invalidIncrease');
  const terms = { topic: 'agg-increase', poxAddress, rewardCycle: cycle, period: 1, amount };
  const consent = useConsent(context, args, 3, terms);
  if (isRefusal(consent)) return consent;
  const data = { ...commitData(context, args, amount, 3), 'reward-cycle-index': uint(index) };
  return {
    result: ok(bool(true)),
    events: [notice(context, 'stack-aggregation-increase', context.sender, data)],
    writes: [
      consent,
      { key, value: undefined },
      ...growSlot(context, cycle, index, amount),
      ...weigh(context, signer, amount, Number(cycle), Number(cycle) + 1),
    ],
  };
}
