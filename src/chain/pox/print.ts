import type { PoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bytesOf, type Fields, fieldsOf, principalOf, printedFields, textOf, uintOf } from '../print-fields.ts';

/** How the calls of pox-2 to pox-4 are written in the tables. Never renumber. */
export const poxCalls = {
  'handle-unlock': 1,
  'stack-stx': 2,
  'stack-increase': 3,
  'stack-extend': 4,
  'delegate-stx': 5,
  'delegate-stack-stx': 6,
  'delegate-stack-increase': 7,
  'delegate-stack-extend': 8,
  'stack-aggregation-commit': 9,
  'stack-aggregation-commit-indexed': 10,
  'stack-aggregation-increase': 11,
  'revoke-delegate-stx': 12,
} as const;
export type PoxCall = keyof typeof poxCalls;

/** A call of pox-2, pox-3 or pox-4, with the state of the stacker after it. */
export type PoxPrint = {
  name: PoxCall;
  /** The stacker; the pool if a pool commits. */
  stacker: string;
  locked: bigint;
  /** The unlocked balance. */
  balance: bigint;
  /** Burn height of the unlock; of a delegation, the one it ends at. */
  unlockHeight: bigint;
  address?: PoxAddress;
  /** The pool of a pooled or delegating call. */
  pool?: string;
  signerKey?: Uint8Array;
  /** Cycles that the call decides on: from the first up to, not with, the end. */
  firstCycle?: bigint;
  endCycle?: bigint;
  /** Of a delegation or a commit: the STX it is about. */
  amount?: bigint;
  data: Fields;
};

/** Reads a print of a boot contract; undefined when it is not about a call that is known. */
export function readPoxPrint(value: Uint8Array): PoxPrint | undefined {
  const fields = printedFields(value);
  const name = textOf(fields?.get('name'));
  const stacker = principalOf(fields?.get('stacker'));
  if (!fields || !isPoxCall(name) || stacker === undefined) return undefined;
  const data = fieldsOf(fields.get('data'));
  const uint = (key: string) => uintOf(data.get(key));
  const print: PoxPrint = { name, stacker, ...stateAfter(name, fields, uint), data };
  const address = poxAddressOf(data.get('pox-addr'));
  if (address) print.address = address;
  const pool = principalOf(data.get('delegate-to')) ?? principalOf(data.get('delegator'));
  if (pool !== undefined) print.pool = pool;
  const signerKey = bytesOf(data.get('signer-key'));
  if (signerKey) print.signerKey = signerKey;
  const amount = uint('amount-ustx');
  if (amount !== undefined) print.amount = amount;
  return Object.assign(print, cyclesOf(name, uint));
}

const isPoxCall = (name: string | undefined): name is PoxCall => name !== undefined && Object.hasOwn(poxCalls, name);

type State = Pick<PoxPrint, 'locked' | 'balance' | 'unlockHeight'>;
type Uint = (key: string) => bigint | undefined;

/** A print shows the account before the call; the data of the call shows the change (SIP-015). */
function stateAfter(name: PoxCall, fields: Fields, uint: Uint): State {
  const locked = uintOf(fields.get('locked')) ?? 0n;
  const balance = uintOf(fields.get('balance')) ?? 0n;
  const unlockHeight = uintOf(fields.get('burnchain-unlock-height')) ?? 0n;
  const state = { locked, balance, unlockHeight };
  switch (name) {
    case 'stack-stx':
    case 'delegate-stack-stx': {
      const amount = uint('lock-amount') ?? 0n;
      return { locked: amount, balance: balance - amount, unlockHeight: uint('unlock-burn-height') ?? unlockHeight };
    }
    case 'stack-increase':
    case 'delegate-stack-increase': {
      const more = uint('increase-by') ?? 0n;
      return { ...state, locked: locked + more, balance: balance - more };
    }
    case 'stack-extend':
    case 'delegate-stack-extend':
    case 'delegate-stx':
      return { ...state, unlockHeight: uint('unlock-burn-height') ?? unlockHeight };
    case 'handle-unlock':
      return { ...state, locked: 0n, balance: balance + locked };
    default:
      return state;
  }
}

type Cycles = { firstCycle?: bigint; endCycle?: bigint };

function cyclesOf(name: PoxCall, uint: Uint): Cycles {
  const committed = uint('reward-cycle');
  if (committed !== undefined) return { firstCycle: committed, endCycle: committed + 1n };
  const start = uint('start-cycle-id');
  const end = uint('end-cycle-id');
  if (start === undefined || end === undefined) return {};
  // An extension leaves the cycles that were decided before it alone.
  const added = name === 'stack-extend' || name === 'delegate-stack-extend' ? uint('extend-count') : undefined;
  if (added !== undefined && end - added > start) return { firstCycle: end - added, endCycle: end };
  return { firstCycle: start, endCycle: end };
}

/** A reward address `{version, hashbytes}`, optional or not; undefined when there is none. */
export function poxAddressOf(value: ClarityValue | undefined): PoxAddress | undefined {
  const fields = fieldsOf(value);
  const version = bytesOf(fields.get('version'));
  const hash = bytesOf(fields.get('hashbytes'));
  return version?.length === 1 && hash ? { version: version[0]!, hash } : undefined;
}

/** A reward address as the tables hold it: the version byte, then the hash. Empty when there is none. */
export const packPoxAddress = (address: PoxAddress | undefined): Uint8Array =>
  address ? Uint8Array.of(address.version, ...address.hash) : new Uint8Array(0);
