import type { ChainEvent } from '../../../chain/event.ts';
import { type ConsentTopic, signerConsentHash } from '../../../chain/pox/signer-consent.ts';
import { bool, buffer, none, ok, principal, some, stringAscii, tuple, uint } from '../../../codec/clarity/build.ts';
import { encodeClarity } from '../../../codec/clarity/encode.ts';
import type { ClarityValue } from '../../../codec/clarity/value.ts';
import { bareHex } from '../../../codec/hex.ts';
import { recoverKey } from '../../../codec/transaction/verification.ts';
import {
  bytesArg,
  entryKey,
  fieldsIn,
  type Outcome,
  principalArg,
  recall,
  uintArg,
  type Visit,
  type Write,
} from '../contract-model.ts';
import { poxError } from './abi.ts';
import { cycleLength, cycleOf, signerPrefix } from './cycle.ts';

/** How an account stacks: where to, for how long, and through whom. */
export type Stacking = { poxAddress: ClarityValue; pool?: string; firstCycle: number; signerKey?: string };

const stackingKey = (contract: string, stacker: string) =>
  entryKey(contract, 'stacking-state', tuple({ stacker: principal(stacker) }));
const delegationKey = (contract: string, who: string) =>
  entryKey(contract, 'delegation-state', tuple({ stacker: principal(who) }));
const signerKeyOf = (contract: string, stacker: string) => `${contract} signer of ${stacker}`;

/** What the contract knows of a stacker; undefined once nothing of it is locked. */
export function stackingOf({ state, contract }: Visit, stacker: string): Stacking | undefined {
  const fields = state.locked.has(stacker) ? fieldsIn(recall(state, stackingKey(contract, stacker))) : undefined;
  if (!fields) return undefined;
  const pool = fields.get('delegated-to')!;
  const signer = recall(state, signerKeyOf(contract, stacker));
  return {
    poxAddress: fields.get('pox-addr')!,
    firstCycle: Number(uintArg([fields.get('first-reward-cycle')!], 0)),
    ...(pool.type === 'some' && { pool: principalArg([pool.value], 0) }),
    ...(signer && { signerKey: bareHex(bytesArg([signer], 0)) }),
  };
}

/** Remembers how an account stacks, up to a cycle; the tuple is what `get-stacker-info` answers. */
export function stackingWrite({ contract }: Visit, stacker: string, stacking: Stacking, endCycle: number): Write {
  const { pool, poxAddress, firstCycle } = stacking;
  return {
    key: stackingKey(contract, stacker),
    value: tuple({
      'delegated-to': pool === undefined ? none : some(principal(pool)),
      'first-reward-cycle': uint(firstCycle),
      'lock-period': uint(endCycle - firstCycle),
      'pox-addr': poxAddress,
      'reward-set-indexes': { type: 'list', items: [] },
    }),
  };
}

export const stackerInfo = ({ state, contract }: Visit, stacker: string): ClarityValue | undefined =>
  state.locked.has(stacker) ? recall(state, stackingKey(contract, stacker)) : undefined;

export const delegationOf = ({ state, contract }: Visit, who: string): ClarityValue | undefined =>
  recall(state, delegationKey(contract, who));

export const delegationWrite = ({ contract }: Visit, who: string, value: ClarityValue | undefined): Write => ({
  key: delegationKey(contract, who),
  value,
});

/** The print that the node adds to a call: the account before it, and what the call says. */
export function notice(
  { state, contract }: Visit,
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

/** Cycles that a call decides on, as its print tells them. */
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

/** A first lock: its event, its answer and what its print says. */
export function lock(visit: Visit, stacker: string, amount: bigint, period: number) {
  const start = cycleOf(visit.burnHeight) + 1;
  const end = start + period;
  const unlockHeight = end * cycleLength;
  const result = tuple({
    'lock-amount': uint(amount),
    stacker: principal(stacker),
    'unlock-burn-height': uint(unlockHeight),
  });
  const data = {
    'lock-amount': uint(amount),
    'lock-period': uint(period),
    'start-burn-height': uint(visit.burnHeight),
    'unlock-burn-height': uint(unlockHeight),
    ...cycleFields(start, end),
  };
  return { start, end, result, data, event: lockEvent(visit, stacker, amount, unlockHeight) };
}

export const lockEvent = ({ contract }: Visit, stacker: string, amount: bigint, unlockHeight: number): ChainEvent => ({
  kind: 'stx_lock',
  principal: stacker,
  amount,
  unlockHeight,
  contract,
});

/** Why an account cannot lock an amount for so many cycles. */
export function lockRefusal(visit: Visit, stacker: string, args: LockArguments): Outcome | undefined {
  const { state, burnHeight } = visit;
  const { amount, period, startHeight, poxAddress } = args;
  if (cycleOf(Number(startHeight)) !== cycleOf(burnHeight)) return poxError('invalidStartHeight');
  if (state.locked.has(stacker)) return poxError('alreadyStacked');
  if (state.spendable(stacker) < amount) return poxError('insufficientFunds');
  if (amount === 0n) return poxError('invalidAmount');
  if (period < 1n || period > 12n) return poxError('invalidLockPeriod');
  return isPoxAddress(poxAddress) ? undefined : poxError('invalidPoxAddress');
}

export type LockArguments = { amount: bigint; period: bigint; startHeight: bigint; poxAddress: ClarityValue };

/** Versions 0 to 4 have hashes of 20 bytes, 5 and 6 of 32. */
function isPoxAddress(value: ClarityValue): boolean {
  const fields = fieldsIn(value);
  const [version, hash] = ['version', 'hashbytes'].map(name => bytesArg([fields?.get(name) ?? none], 0));
  if (version?.length !== 1 || version[0]! > 6) return false;
  return hash?.length === (version[0]! <= 4 ? 20 : 32);
}

/** More weight of a signer in some cycles. */
export function weigh({ state, contract }: Visit, key: Uint8Array, amount: bigint, from: number, to: number): Write[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const place = `${signerPrefix(contract, from + i)}${bareHex(key)}`;
    const had = recall(state, place);
    return { key: place, value: uint((had?.type === 'uint' ? had.value : 0n) + amount) };
  });
}

/** Remembers who signs for a stacker: an increase must keep to it. */
export const signerWrite = ({ contract }: Visit, stacker: string, key: Uint8Array): Write => ({
  key: signerKeyOf(contract, stacker),
  value: buffer(key),
});

type Asked = { topic: ConsentTopic; poxAddress: ClarityValue; rewardCycle: number; period: number; amount: bigint };

/** Holds a call to its signer's consent; what it gives back is written when the call succeeds. */
export function useConsent(visit: Visit, args: readonly ClarityValue[], from: number, asked: Asked): Outcome | Write {
  const [signature, key] = [args[from], bytesArg(args, from + 1)];
  const [maxAmount, authId] = [uintArg(args, from + 2), uintArg(args, from + 3)];
  const { amount, ...consent } = asked;
  if (amount > maxAmount) return poxError('authAmount');
  if (signature?.type !== 'some') return poxError('notAllowed');
  const hash = signerConsentHash({ ...consent, maxAmount, authId }, visit.chainId);
  if (visit.verify) {
    const signer = recoverSigner(hash, bytesArg([signature], 0));
    if (signer === undefined) return poxError('signatureRecover');
    if (bareHex(signer) !== bareHex(key)) return poxError('signatureKey');
  }
  const used = `${visit.contract} used ${bareHex(key)} ${bareHex(hash)}`;
  return visit.state.data.has(used) ? poxError('authUsed') : { key: used, value: bool(true) };
}

export const isRefusal = (answer: Outcome | Write): answer is Outcome => 'result' in answer;

/** Contracts take r ‖ s ‖ v; undefined for what is no signature. */
function recoverSigner(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== 65 || signature[64]! > 3) return undefined;
  try {
    return recoverKey(hash, Uint8Array.of(signature[64]!, ...signature.subarray(0, 64)), 'compressed');
  } catch {
    return undefined;
  }
}
