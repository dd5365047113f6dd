import { bool, none, ok, principal, tuple, uint } from '../../../codec/clarity/build.ts';
import type { ClarityValue } from '../../../codec/clarity/value.ts';
import {
  bytesArg,
  type CallContext,
  entryKey,
  fieldsIn,
  type ModelFunction,
  type Outcome,
  principalArg,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import {
  extendResponse,
  increaseResponse,
  lockResponse,
  poxAddressType,
  poxError,
  poxResponse,
  signerArgs,
} from './abi.ts';
import { cycleLength, cycleOf, slotThreshold } from './cycle.ts';
import {
  cycleFields,
  delegationOf,
  delegationWrite,
  isRefusal,
  lock,
  lockEvent,
  lockRefusal,
  notice,
  signerFields,
  stackingOf,
  stackingWrite,
  useConsent,
  weigh,
} from './stacking.ts';

const partialKey = (contract: string, pool: string, poxAddress: ClarityValue, cycle: number) =>
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
  if (wanted.type === 'some' && JSON.stringify(plain(wanted.value)) !== JSON.stringify(plain(poxAddress))) {
    return poxError('delegationAddress');
  }
  return until.type === 'some' && uintArg([until.value], 0) < BigInt(unlock)
    ? poxError('delegationExpires')
    : undefined;
}

const plain = (address: ClarityValue) =>
  ['version', 'hashbytes'].map(name => [...bytesArg([fieldsIn(address)?.get(name) ?? none], 0)]);

/** Delegation to a pool, and the functions of a pool. */
export const poolFunctions: Record<string, ModelFunction> = {
  'delegate-stx': {
    access: 'public',
    args: [
      ['amount-ustx', 'uint128'],
      ['delegate-to', 'principal'],
      ['until-burn-ht', { optional: 'uint128' }],
      ['pox-addr', { optional: poxAddressType }],
    ],
    returns: poxResponse('bool'),
    run(context, args) {
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
  },
  'revoke-delegate-stx': {
    access: 'public',
    args: [],
    returns: poxResponse('bool'),
    run(context) {
      const { sender, burnHeight } = context;
      const delegation = fieldsIn(delegationOf(context, sender));
      if (!delegation) return poxError('alreadyRevoked');
      const data = {
        'delegate-to': delegation.get('delegated-to')!,
        'start-cycle-id': uint(cycleOf(burnHeight) + 1),
        'end-cycle-id': none,
      };
      return {
        result: ok(bool(true)),
        events: [notice(context, 'revoke-delegate-stx', sender, data)],
        writes: [delegationWrite(context, sender, undefined)],
      };
    },
  },
  'delegate-stack-stx': {
    access: 'public',
    args: [
      ['stacker', 'principal'],
      ['amount-ustx', 'uint128'],
      ['pox-addr', poxAddressType],
      ['start-burn-ht', 'uint128'],
      ['lock-period', 'uint128'],
    ],
    returns: lockResponse,
    run(context, args) {
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
        result: ok(result),
        events: [notice(context, 'delegate-stack-stx', stacker, print), event],
        writes: [
          stackingWrite(context, stacker, { poxAddress, pool: sender, firstCycle: start }, end),
          ...addToPool(context, poxAddress, amount, start, end),
        ],
      };
    },
  },
  'delegate-stack-increase': {
    access: 'public',
    args: [
      ['stacker', 'principal'],
      ['pox-addr', poxAddressType],
      ['increase-by', 'uint128'],
    ],
    returns: increaseResponse,
    run(context, args) {
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
  },
  'delegate-stack-extend': {
    access: 'public',
    args: [
      ['stacker', 'principal'],
      ['pox-addr', poxAddressType],
      ['extend-count', 'uint128'],
    ],
    returns: extendResponse,
    run(context, args) {
      const { state, sender, burnHeight } = context;
      const [stacker, poxAddress, count] = [principalArg(args, 0), args[1]!, Number(uintArg(args, 2))];
      const [locked, unlock] = [state.locked.get(stacker), state.unlocks.get(stacker)];
      if (locked === undefined || unlock === undefined) return poxError('extendNotLocked');
      const stacking = stackingOf(context, stacker);
      if (stacking?.pool !== sender) return poxError('notDelegated');
      const [now, before] = [cycleOf(burnHeight), cycleOf(unlock)];
      const end = before + count;
      if (count < 1 || count > 12 || end - now > 13) return poxError('invalidLockPeriod');
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
      const firstCycle = Math.max(stacking.firstCycle, now);
      return {
        result: ok(tuple({ stacker: principal(stacker), 'unlock-burn-height': uint(unlockHeight) })),
        events: [
          notice(context, 'delegate-stack-extend', stacker, data),
          lockEvent(context, stacker, locked, unlockHeight),
        ],
        writes: [
          stackingWrite(context, stacker, { poxAddress, pool: sender, firstCycle }, end),
          ...addToPool(context, poxAddress, locked, before, end),
        ],
      };
    },
  },
  'stack-aggregation-commit': {
    access: 'public',
    args: [['pox-addr', poxAddressType], ['reward-cycle', 'uint128'], ...signerArgs],
    returns: poxResponse('bool'),
    run: (context, args) => commit(context, args, 'stack-aggregation-commit', bool(true)),
  },
  'stack-aggregation-commit-indexed': {
    access: 'public',
    args: [['pox-addr', poxAddressType], ['reward-cycle', 'uint128'], ...signerArgs],
    returns: poxResponse('uint128'),
    run: (context, args) => commit(context, args, 'stack-aggregation-commit-indexed', uint(0)),
  },
};

/** Commits the STX that a pool has locked for a cycle to a reward slot. */
function commit(context: CallContext, args: readonly ClarityValue[], name: string, value: ClarityValue): Outcome {
  const { state, contract, sender, burnHeight } = context;
  const [poxAddress, cycle] = [args[0]!, Number(uintArg(args, 1))];
  const key = partialKey(contract, sender, poxAddress, cycle);
  const amount = stackedIn(readData(state, key));
  if (amount === 0n) return poxError('noSuchPrincipal');
  if (cycle <= cycleOf(burnHeight)) return poxError('rewardCycle');
  if (amount < slotThreshold) return poxError('thresholdNotMet');
  const terms = { topic: 'agg-commit', poxAddress, rewardCycle: cycle, period: 1, amount } as const;
  const consent = useConsent(context, args, 2, terms);
  if (isRefusal(consent)) return consent;
  const data = {
    'pox-addr': poxAddress,
    'reward-cycle': args[1]!,
    'amount-ustx': uint(amount),
    delegator: principal(sender),
    ...signerFields(args, 2),
    ...cycleFields(cycle, cycle + 1),
  };
  return {
    result: ok(value),
    events: [notice(context, name, sender, data)],
    writes: [consent, { key, value: undefined }, ...weigh(context, bytesArg(args, 3), amount, cycle, cycle + 1)],
  };
}
