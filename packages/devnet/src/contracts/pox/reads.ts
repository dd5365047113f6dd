import { bool, buffer, none, ok, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { signerConsentHash } from '@cairn-stacks/codec/transaction/signer-consent';
import {
  bytesArg,
  type CallContext,
  type Outcome,
  principalArg,
  type Run,
  readData,
  uintArg,
  VmFailure,
} from '../contract-model.ts';
import { consentRefusal, signerArguments } from './consent.ts';
import { cycleLength, cycleOf, prepareLength, slotThreshold } from './cycle.ts';
import { poxError } from './errors.ts';
import { partialKey } from './pool.ts';
import { countSlots, slotAt, totalStacked } from './reward-slots.ts';
import { delegationOf, hasHashLength, isAddressVersion, isLockPeriod, isPoxAddress, stackerInfo } from './stacking.ts';

const optional = (value: ClarityValue | undefined): Outcome => ({ result: value ? some(value) : none });
const textOf = (value: ClarityValue | undefined) => (value?.type === 'string-ascii' ? value.text : '');

/** A uint; a larger number is a runtime failure, as in a node. */
export function boundedUint(value: bigint): ClarityValue {
  if (value >= 1n << 128n) throw new VmFailure('ArithmeticOverflow');
  return uint(value);
}

/** Why STX cannot be stacked, apart from their amount; undefined if they can. */
function unstackable(args: readonly ClarityValue[]): Outcome | undefined {
  if (uintArg(args, 1) === 0n) return poxError('invalidAmount');
  if (!isPoxAddress(args[0]!)) return poxError('invalidPoxAddress');
  return isLockPeriod(uintArg(args, 3)) ? undefined : poxError('invalidLockPeriod');
}

/** The tuple of `get-pox-info`, which pox-4 and pox-5 share. */
export const poxInfo = ({ state, burnHeight }: CallContext): ClarityValue =>
  tuple({
    'first-burnchain-block-height': uint(0),
    'min-amount-ustx': uint(slotThreshold),
    'prepare-cycle-length': uint(prepareLength),
    'reward-cycle-id': uint(cycleOf(burnHeight)),
    'reward-cycle-length': uint(cycleLength),
    'total-liquid-supply-ustx': uint(state.supply),
  });

/** The read-only functions of pox-4. */
export const poxReads: Record<string, Run> = {
  'burn-height-to-reward-cycle': (_, args) => ({ result: uint(uintArg(args, 0) / BigInt(cycleLength)) }),
  'reward-cycle-to-burn-height': (_, args) => ({ result: boundedUint(uintArg(args, 0) * BigInt(cycleLength)) }),
  'current-pox-reward-cycle': ({ burnHeight }) => ({ result: uint(cycleOf(burnHeight)) }),
  'can-stack-stx'(_, args) {
    if (uintArg(args, 1) < slotThreshold) return poxError('thresholdNotMet');
    return unstackable(args) ?? { result: ok(bool(true)) };
  },
  'minimal-can-stack-stx': (_, args) => unstackable(args) ?? { result: ok(bool(true)) },
  'check-pox-addr-version': (_, args) => ({ result: bool(isAddressVersion(bytesArg(args, 0))) }),
  'check-pox-addr-hashbytes': (_, args) => ({ result: bool(hasHashLength(bytesArg(args, 0), bytesArg(args, 1))) }),
  'check-pox-lock-period': (_, args) => ({ result: bool(isLockPeriod(uintArg(args, 0))) }),
  'get-check-delegation': (context, args) => optional(delegationOf(context, principalArg(args, 0))),
  'get-delegation-info': (context, args) => optional(delegationOf(context, principalArg(args, 0))),
  'get-stacker-info': (context, args) => optional(stackerInfo(context, principalArg(args, 0))),
  'get-partial-stacked-by-cycle': ({ state, contract }, args) =>
    optional(readData(state, partialKey(contract, principalArg(args, 2), args[0]!, uintArg(args, 1)))),
  'get-num-reward-set-pox-addresses': (context, args) => ({ result: uint(countSlots(context, uintArg(args, 0))) }),
  'get-reward-set-size': (context, args) => ({ result: uint(countSlots(context, uintArg(args, 0))) }),
  'get-reward-set-pox-address': (context, args) => optional(slotAt(context, uintArg(args, 0), uintArg(args, 1))),
  'get-total-ustx-stacked': (context, args) => ({ result: uint(totalStacked(context, uintArg(args, 0))) }),
  'get-stacking-minimum': () => ({ result: uint(slotThreshold) }),
  'get-pox-info': context => ({ result: ok(poxInfo(context)) }),
  'get-signer-key-message-hash'({ chainId }, args) {
    const [poxAddress, rewardCycle, topic, period] = [args[0]!, uintArg(args, 1), textOf(args[2]), uintArg(args, 3)];
    const [maxAmount, authId] = [uintArg(args, 4), uintArg(args, 5)];
    const consent = { poxAddress, rewardCycle, topic, period, maxAmount, authId };
    return { result: buffer(signerConsentHash(consent, chainId)) };
  },
  'verify-signer-key-sig'(context, args) {
    const [poxAddress, rewardCycle, topic, period] = [args[0]!, uintArg(args, 1), textOf(args[2]), uintArg(args, 3)];
    const signer = signerArguments([args[4]!, args[5]!, args[7]!, args[8]!], 0);
    const terms = { poxAddress, rewardCycle, topic, period, amount: uintArg(args, 6) };
    return consentRefusal(context, terms, signer) ?? { result: ok(bool(true)) };
  },
};
