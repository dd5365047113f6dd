import { buffer, list, none, ok, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { ChainEvent } from '../../chain/event.ts';
import {
  bytesArg,
  type CallContext,
  entryKey,
  fieldsIn,
  type Outcome,
  principalArg,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { cycleLength, cycleOf, signerPrefix } from './cycle.ts';
import { poxError } from './errors.ts';

/** The stacking state of an account: reward address, cycles and delegate. */
export type Stacking = {
  poxAddress: ClarityValue;
  pool?: string;
  firstCycle: number;
  signerKey?: string;
  /** The places of its slots, one for each cycle from the first; none if a pool has locked the STX. */
  slots: bigint[];
};

const stackingKey = (contract: string, stacker: string) =>
  entryKey(contract, 'stacking-state', tuple({ stacker: principal(stacker) }));
const delegationKey = (contract: string, who: string) =>
  entryKey(contract, 'delegation-state', tuple({ stacker: principal(who) }));
const signerKeyOf = (contract: string, stacker: string) => `${contract} signer of ${stacker}`;

/** The state of a stacker as `get-stacker-info` returns it; undefined if this contract has locked no STX. */
export function stackerInfo({ state, contract }: CallContext, stacker: string): ClarityValue | undefined {
  const info = readData(state, stackingKey(contract, stacker));
  const fields = fieldsIn(info);
  if (!fields) return undefined;
  const [first, period] = ['first-reward-cycle', 'lock-period'].map(name => uintArg([fields.get(name)!], 0));
  // Another contract may have locked the STX since.
  return state.unlocks.get(stacker) === Number(first! + period!) * cycleLength ? info : undefined;
}

/** The stored state of a stacker; undefined if this contract has locked no STX. */
export function stackingOf(context: CallContext, stacker: string): Stacking | undefined {
  const fields = fieldsIn(stackerInfo(context, stacker));
  if (!fields) return undefined;
  const pool = fields.get('delegated-to')!;
  const slots = fields.get('reward-set-indexes')!;
  const signer = readData(context.state, signerKeyOf(context.contract, stacker));
  return {
    poxAddress: fields.get('pox-addr')!,
    firstCycle: Number(uintArg([fields.get('first-reward-cycle')!], 0)),
    slots: slots.type === 'list' ? slots.items.map(item => uintArg([item], 0)) : [],
    ...(pool.type === 'some' && { pool: principalArg([pool.value], 0) }),
    ...(signer && { signerKey: bareHex(bytesArg([signer], 0)) }),
  };
}

/** The write that stores the stacking state up to a cycle; the tuple is the result of `get-stacker-info`. */
export function stackingWrite({ contract }: CallContext, stacker: string, stacking: Stacking, endCycle: number): Write {
  const { pool, poxAddress, firstCycle, slots } = stacking;
  return {
    key: stackingKey(contract, stacker),
    value: tuple({
      'delegated-to': pool === undefined ? none : some(principal(pool)),
      'first-reward-cycle': uint(firstCycle),
      'lock-period': uint(endCycle - firstCycle),
      'pox-addr': poxAddress,
      'reward-set-indexes': list(slots.map(index => uint(index))),
    }),
  };
}

/** The delegation of an account, unless it has expired. */
export function delegationOf({ state, contract, burnHeight }: CallContext, who: string): ClarityValue | undefined {
  const delegation = readData(state, delegationKey(contract, who));
  const until = fieldsIn(delegation)?.get('until-burn-ht');
  return until?.type === 'some' && uintArg([until.value], 0) < BigInt(burnHeight) ? undefined : delegation;
}

export const delegationWrite = ({ contract }: CallContext, who: string, value: ClarityValue | undefined): Write => ({
  key: delegationKey(contract, who),
  value,
});

/** The print that the node adds to a call: the account before it, and the data of the call. */
export function notice(
  { state, contract }: CallContext,
  name: string,
  stacker: string,
  data: Record<string, ClarityValue>,
): ChainEvent {
  const value = ok(
    tuple({
      name: stringAscii(name),
      stacker: principal(stacker),
      balance: uint(state.spendable(stacker)),
      locked: uint(state.locked.get(stacker) ?? 0n),
      'burnchain-unlock-height': uint(state.unlocks.get(stacker) ?? 0),
      data: tuple(data),
    }),
  );
  return { kind: 'print', contract, value: encodeClarity(value) };
}

/** The cycles of a call in its print. */
export const cycleFields = (start: number, end: number) => ({
  'start-cycle-id': uint(start),
  'end-cycle-id': some(uint(end)),
});

export const signerFields = (args: readonly ClarityValue[], from: number) => ({
  'signer-sig': args[from]!,
  'signer-key': args[from + 1]!,
  'max-amount': args[from + 2]!,
  'auth-id': args[from + 3]!,
});

/** A first lock: its event, its result and the data of its print. */
export function lock(context: CallContext, stacker: string, amount: bigint, period: number) {
  const start = cycleOf(context.burnHeight) + 1;
  const end = start + period;
  const unlockHeight = end * cycleLength;
  const result = {
    'lock-amount': uint(amount),
    stacker: principal(stacker),
    'unlock-burn-height': uint(unlockHeight),
  };
  const data = {
    'lock-amount': uint(amount),
    'lock-period': uint(period),
    'start-burn-height': uint(context.burnHeight),
    'unlock-burn-height': uint(unlockHeight),
    ...cycleFields(start, end),
  };
  return { start, end, result, data, event: lockEvent(context, stacker, amount, unlockHeight) };
}

export const lockEvent = (
  { contract }: CallContext,
  stacker: string,
  amount: bigint,
  unlockHeight: number,
): ChainEvent => ({
  kind: 'stx_lock',
  principal: stacker,
  amount,
  unlockHeight,
  contract,
});

/** Why an account cannot lock an amount for a number of cycles; undefined if it can. */
export function lockRefusal(context: CallContext, stacker: string, args: LockArguments): Outcome | undefined {
  const { state, burnHeight } = context;
  const { amount, period, startHeight, poxAddress } = args;
  if (cycleOf(Number(startHeight)) !== cycleOf(burnHeight)) return poxError('invalidStartHeight');
  if (state.locked.has(stacker)) return poxError('alreadyStacked');
  if (state.spendable(stacker) < amount) return poxError('insufficientFunds');
  if (amount === 0n) return poxError('invalidAmount');
  if (!isLockPeriod(period)) return poxError('invalidLockPeriod');
  return isPoxAddress(poxAddress) ? undefined : poxError('invalidPoxAddress');
}

export type LockArguments = { amount: bigint; period: bigint; startHeight: bigint; poxAddress: ClarityValue };

export function isPoxAddress(value: ClarityValue): boolean {
  const fields = fieldsIn(value);
  const [version, hash] = ['version', 'hashbytes'].map(name => bytesArg([fields?.get(name) ?? none], 0));
  return isAddressVersion(version!) && hasHashLength(version!, hash!);
}

export const isAddressVersion = (version: Uint8Array) => version.length === 1 && version[0]! <= 6;

/** Versions 0 to 4 have hashes of 20 bytes, 5 and 6 of 32. */
export const hasHashLength = (version: Uint8Array, hash: Uint8Array) =>
  isAddressVersion(version) && hash.length === (version[0]! <= 4 ? 20 : 32);

export const isLockPeriod = (period: bigint) => period >= 1n && period <= 12n;

/** The writes that add weight of a signer in some cycles. */
export function weigh(
  { state, contract }: CallContext,
  key: Uint8Array,
  amount: bigint,
  from: number,
  to: number,
): Write[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const place = `${signerPrefix(contract, from + i)}${bareHex(key)}`;
    const had = readData(state, place);
    return { key: place, value: uint((had?.type === 'uint' ? had.value : 0n) + amount) };
  });
}

/** The writes that store the signer of a stacker: an increase must use the same one. */
export const signerWrite = ({ contract }: CallContext, stacker: string, key: Uint8Array): Write => ({
  key: signerKeyOf(contract, stacker),
  value: buffer(key),
});
