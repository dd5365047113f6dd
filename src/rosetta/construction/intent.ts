import { type Static, type TObject, Type } from 'typebox';
import { Value } from 'typebox/value';
import { RosettaError } from '../errors.ts';
import { STX } from '../operations/currency.ts';
import { DelegationTerms, StackingTerms } from '../schemas/construction.ts';
import type { RosettaOperation } from '../schemas/rosetta.ts';
import type { Act } from './acts/act.ts';
import { actOf } from './acts/act-list.ts';
import { type ConditionTerms, conditionTerms } from './post-conditions.ts';

/** The intent of a set of operations. Data that a later step needs may be missing; that step reports it. */
export type Intent = { sender: string | undefined; amount: bigint | undefined; fee: bigint | undefined } & (
  | { type: 'token_transfer'; recipient: string | undefined; memo?: string | undefined }
  | { type: 'stack_stx'; terms: StackingTerms }
  | { type: 'delegate_stx'; terms: DelegationTerms }
  | { type: 'act'; act: Act; terms: ActTerms }
);

/** The metadata of an operation as its act reads it, and its post-conditions. */
export type ActTerms = ConditionTerms & Record<string, unknown>;

/** The number of operations of a transfer: a fee and two sides. */
const MAX_OPERATIONS = 3;
/** Maximum number of digits of an amount with its sign. */
const LONGEST_VALUE = 40;
const MAX_AMOUNT = 2n ** 64n - 1n;

type Given = { metadata?: { memo?: unknown; options?: { memo?: unknown } | undefined } | undefined };

/** Reads the operations of a transaction to construct, and the memo in the metadata of the whole transaction. */
export function readIntent(operations: readonly RosettaOperation[], { metadata }: Given, compat: boolean): Intent {
  const intent = readOperations(operations, compat);
  if (compat) {
    return intent.type === 'token_transfer' ? { ...intent, memo: metadata?.memo as string | undefined } : intent;
  }
  const memo =
    oneMemo(operations.map(operation => operation.metadata?.memo)) ??
    oneMemo([metadata?.memo, metadata?.options?.memo]);
  if (intent.type === 'token_transfer') return { ...intent, memo };
  if (memo !== undefined) throw new RosettaError(621, 'only a transfer has a memo: leave it out');
  return intent;
}

/** The one memo among those given in one place. */
function oneMemo(memos: readonly unknown[]): string | undefined {
  const given = memos.filter(text => text != null && text !== '');
  if (given.some(text => typeof text !== 'string')) throw new RosettaError(621, 'a memo must be a text');
  const [first, ...others] = new Set(given as string[]);
  if (others.length > 0) throw new RosettaError(621, 'two different memos are given: give one');
  return first;
}

function readOperations(operations: readonly RosettaOperation[], compat: boolean): Intent {
  if (operations.length === 0 || operations.length > MAX_OPERATIONS) throw new RosettaError(621);
  for (const operation of operations) {
    const needsNone = !compat && operation.amount === undefined && actOf(operation.type) !== undefined;
    if (!needsNone) checkCurrency(operation);
  }
  const fees = operations.filter(({ type }) => type === 'fee');
  const acts = operations.filter(({ type }) => type !== 'fee');
  if (fees.length > 1) throw new RosettaError(621, 'more than one fee');
  const fee = fees[0] && amountOf(fees[0]);
  const intent = readActs(acts, fee, compat);
  const payer = fees[0]?.account?.address;
  if (payer !== undefined && payer !== intent.sender) throw new RosettaError(621, 'the fee is paid by the sender');
  return intent;
}

function readActs(acts: readonly RosettaOperation[], fee: bigint | undefined, compat: boolean): Intent {
  const [act] = acts;
  if (act?.type === 'token_transfer') return { ...readTransfer(acts), fee };
  if (!act || acts.length > 1) throw new RosettaError(621);
  const { account, type, metadata = {} } = act;
  const common = { sender: account?.address, fee };
  switch (type) {
    case 'stack_stx':
      return { type, ...common, amount: lockedAmount(act), terms: readTerms(StackingTerms, metadata) };
    case 'delegate_stx':
      return { type, ...common, amount: lockedAmount(act), terms: readTerms(DelegationTerms, metadata) };
    default: {
      const described = compat ? undefined : actOf(type);
      if (!described) throw new RosettaError(621);
      const terms = readActTerms(described, metadata);
      return { type: 'act', ...common, amount: amountOfAct(act, described), act: described, terms };
    }
  }
}

/** Validates the metadata of an operation; other fields belong to the caller. */
export function readActTerms(act: Act, metadata: Record<string, unknown>): ActTerms {
  return readTerms(Type.Object({ ...act.terms.properties, ...conditionTerms }), metadata);
}

function amountOfAct(operation: RosettaOperation, { type, amount }: Act): bigint {
  if (operation.amount === undefined && amount !== 'required') return 0n;
  if (amount === 'none') throw new RosettaError(621, `an operation ${type} has no amount`);
  if (amount === 'optional' && amountOf(operation) === 0n) return 0n;
  return lockedAmount(operation);
}

function readTransfer(acts: readonly RosettaOperation[]) {
  if (acts.some(({ type }) => type !== 'token_transfer')) throw new RosettaError(621);
  const spent = acts.filter(act => amountOf(act) < 0n);
  const received = acts.filter(act => amountOf(act) >= 0n);
  if (spent.length !== 1 || received.length > 1) {
    throw new RosettaError(621, 'a transfer has one negative and one positive amount');
  }
  const amount = received[0] && amountOf(received[0]);
  if (amount !== undefined && amount !== -amountOf(spent[0]!)) {
    throw new RosettaError(621, 'the two amounts of a transfer must add up to 0');
  }
  const [sender, recipient] = [spent[0]!.account?.address, received[0]?.account?.address];
  return { type: 'token_transfer' as const, sender, recipient, amount };
}

/** Locked STX leave the spendable balance: the amount is negative. */
function lockedAmount(act: RosettaOperation): bigint {
  const value = amountOf(act);
  if (value >= 0n) throw new RosettaError(621, 'the amount must be negative');
  return -value;
}

function checkCurrency({ amount }: RosettaOperation): void {
  if (amount?.currency.symbol !== STX.symbol) throw new RosettaError(623);
  if (amount.currency.decimals !== STX.decimals) throw new RosettaError(624);
}

function amountOf({ amount }: RosettaOperation): bigint {
  return readAmount(amount?.value ?? '', 621);
}

/** Reads a whole number of micro-STX with its sign. */
export function readAmount(text: string, code: 621 | 622): bigint {
  if (text.length > LONGEST_VALUE || !/^[+-]?[0-9]+$/.test(text)) {
    throw new RosettaError(code, 'an amount is a whole number of micro-STX');
  }
  const value = BigInt(text);
  if (value > MAX_AMOUNT || value < -MAX_AMOUNT) throw new RosettaError(code, 'more than any account can hold');
  return value;
}

/** The stacking terms in the metadata; other fields belong to the caller. */
function readTerms<T extends TObject>(schema: T, metadata: Record<string, unknown>): Static<T> {
  const terms = Object.fromEntries(Object.entries(metadata).filter(([key]) => key in schema.properties));
  if (Value.Check(schema, terms)) return terms as Static<T>;
  const [first] = Value.Errors(schema, terms);
  throw new RosettaError(621, `metadata${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`);
}
