import { buffer, ok, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { bareHex } from '@cairn-stacks/codec/hex';
import { bytesArg, type Run, uintArg } from '../contract-model.ts';
import { isRefusal, useConsent } from './consent.ts';
import { cycleLength, cycleOf, slotThreshold } from './cycle.ts';
import { poxError } from './errors.ts';
import { addSlots, growSlot } from './reward-slots.ts';
import {
  cycleFields,
  delegationOf,
  lock,
  lockEvent,
  lockRefusal,
  notice,
  signerFields,
  signerWrite,
  stackingOf,
  stackingWrite,
  weigh,
} from './stacking.ts';

/** Stacking alone. */
export const soloFunctions: Record<string, Run> = {
  'stack-stx'(context, args) {
    const { sender, burnHeight } = context;
    const [amount, poxAddress, startHeight, period] = [uintArg(args, 0), args[1]!, uintArg(args, 2), uintArg(args, 3)];
    const refused = lockRefusal(context, sender, { amount, poxAddress, startHeight, period });
    if (refused) return refused;
    if (delegationOf(context, sender)) return poxError('alreadyDelegated');
    if (amount < slotThreshold) return poxError('thresholdNotMet');
    const terms = {
      topic: 'stack-stx',
      poxAddress,
      rewardCycle: cycleOf(burnHeight),
      period: Number(period),
    } as const;
    const consent = useConsent(context, args, 4, { ...terms, amount });
    if (isRefusal(consent)) return consent;
    const { start, end, result, data, event } = lock(context, sender, amount, Number(period));
    const key = bytesArg(args, 5);
    const slots = addSlots(context, { poxAddress, signer: key, stacker: sender, amount }, start, end);
    return {
      result: ok(tuple({ ...result, 'signer-key': buffer(key) })),
      events: [
        notice(context, 'stack-stx', sender, { ...data, 'pox-addr': poxAddress, ...signerFields(args, 4) }),
        event,
      ],
      writes: [
        consent,
        stackingWrite(context, sender, { poxAddress, firstCycle: start, slots: slots.indexes }, end),
        ...slots.writes,
        signerWrite(context, sender, key),
        ...weigh(context, key, amount, start, end),
      ],
    };
  },
  'stack-increase'(context, args) {
    const { state, sender, burnHeight } = context;
    const more = uintArg(args, 0);
    const [locked, unlock] = [state.locked.get(sender), state.unlocks.get(sender)];
    const stacking = stackingOf(context, sender);
    if (more === 0n) return poxError('invalidAmount');
    if (!stacking || locked === undefined || unlock === undefined) return poxError('increaseNotLocked');
    if (stacking.pool !== undefined) return poxError('isDelegated');
    if (state.spendable(sender) < more) return poxError('insufficientFunds');
    if (delegationOf(context, sender)) return poxError('alreadyDelegated');
    const key = bytesArg(args, 2);
    if (stacking.signerKey !== bareHex(key)) return poxError('invalidIncrease');
    const [next, end] = [cycleOf(burnHeight) + 1, cycleOf(unlock)];
    const consent = useConsent(context, args, 1, {
      topic: 'stack-increase',
      poxAddress: stacking.poxAddress,
      rewardCycle: cycleOf(burnHeight),
      period: end - stacking.firstCycle,
      amount: more,
    });
    if (isRefusal(consent)) return consent;
    const total = locked + more;
    const data = {
      'increase-by': uint(more),
      'total-locked': uint(total),
      'pox-addr': stacking.poxAddress,
      ...signerFields(args, 1),
      ...cycleFields(next, end),
    };
    return {
      result: ok(tuple({ stacker: principal(sender), 'total-locked': uint(total) })),
      events: [notice(context, 'stack-increase', sender, data), lockEvent(context, sender, total, unlock)],
      writes: [
        consent,
        ...stacking.slots.flatMap((index, i) => {
          const cycle = stacking.firstCycle + i;
          return cycle < next ? [] : growSlot(context, BigInt(cycle), index, more);
        }),
        ...weigh(context, key, more, next, end),
      ],
    };
  },
  'stack-extend'(context, args) {
    const { state, sender, burnHeight } = context;
    const [count, poxAddress] = [Number(uintArg(args, 0)), args[1]!];
    const [locked, unlock] = [state.locked.get(sender), state.unlocks.get(sender)];
    const stacking = stackingOf(context, sender);
    if (!stacking || locked === undefined || unlock === undefined) return poxError('extendNotLocked');
    if (stacking.pool !== undefined) return poxError('isDelegated');
    const [now, before] = [cycleOf(burnHeight), cycleOf(unlock)];
    const end = before + count;
    const firstCycle = Math.max(stacking.firstCycle, now);
    if (count < 1 || count > 12 || end - firstCycle > 12) return poxError('invalidLockPeriod');
    if (delegationOf(context, sender)) return poxError('alreadyDelegated');
    const terms = { topic: 'stack-extend', poxAddress, rewardCycle: now, period: count, amount: 0n } as const;
    const consent = useConsent(context, args, 2, terms);
    if (isRefusal(consent)) return consent;
    const unlockHeight = end * cycleLength;
    const data = {
      'extend-count': args[0]!,
      'unlock-burn-height': uint(unlockHeight),
      'pox-addr': poxAddress,
      ...signerFields(args, 2),
      ...cycleFields(now + 1, end),
    };
    const key = bytesArg(args, 3);
    const added = addSlots(context, { poxAddress, signer: key, stacker: sender, amount: locked }, before, end);
    const slots = [...stacking.slots.slice(firstCycle - stacking.firstCycle), ...added.indexes];
    return {
      result: ok(tuple({ stacker: principal(sender), 'unlock-burn-height': uint(unlockHeight) })),
      events: [notice(context, 'stack-extend', sender, data), lockEvent(context, sender, locked, unlockHeight)],
      writes: [
        consent,
        stackingWrite(context, sender, { poxAddress, firstCycle, slots }, end),
        ...added.writes,
        signerWrite(context, sender, key),
        ...weigh(context, key, locked, before, end),
      ],
    };
  },
};
