import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { postConditionJson } from '@cairn-stacks/codec/transaction/post-condition-json';
import { isSingleSig, type SpendingCondition } from '@cairn-stacks/codec/transaction/spending-condition';
import {
  decodeTransaction,
  senderAddress,
  senderPrincipal,
  sponsorAddress,
  type Transaction,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import { renderSigned } from '../../read/transactions/signed-transaction-schema.ts';
import { renderPayload } from '../../read/transactions/transaction-payload-schema.ts';
import { RosettaError } from '../errors.ts';
import { transactionOf } from '../operations/operations.ts';
import type { ParseResponse } from '../schemas/construction.ts';
import type { RosettaTransaction } from '../schemas/rosetta.ts';
import { attempt } from './address.ts';
import { readStackingCall } from './stacking-call.ts';

/** A decoded transaction with its id. */
export type ReadTransaction = { transaction: Transaction; id: Uint8Array; signed: boolean };

/** Payloads that the incumbent cannot parse. */
const NAKAMOTO = new Set(['tenure_change', 'nakamoto_coinbase']);

/** Decodes the hex of a transaction; the status of an error is that of the incumbent, which treats it as internal. */
export function readTransactionHex(text: string, compat: boolean): ReadTransaction {
  const bytes = attempt(() => fromHex(text));
  const transaction = bytes && attempt(() => decodeTransaction(bytes));
  if (!bytes || !transaction || (compat && NAKAMOTO.has(transaction.payload.type))) {
    throw new RosettaError(628, 'not a transaction', 500);
  }
  return { transaction, id: transactionId(bytes), signed: hasSignature(transaction.auth.origin) };
}

function hasSignature(condition: SpendingCondition): boolean {
  if (isSingleSig(condition)) return condition.signature.some(byte => byte !== 0);
  return condition.fields.some(({ type }) => type === 'signature');
}

/** The operations of a transaction, and its signers. */
export function parseTransaction(text: string, signed: boolean, { network, compat }: ParseContext): ParseResponse {
  const read = readTransactionHex(text, compat);
  const { transaction } = read;
  if (read.signed !== signed) throw new RosettaError(609);
  // The incumbent shows a call only from a block.
  if (compat && transaction.payload.type === 'contract_call') throw new RosettaError(612);
  if (signed) checkSignatures(transaction);
  const { operations, metadata } = operationsOf(read, { network, compat });
  const signers = signed ? signersOf(transaction, compat) : [];
  return {
    operations,
    ...(signers.length > 0 && { account_identifier_signers: signers.map(address => ({ address })) }),
    ...(metadata && { metadata }),
  };
}

export type ParseContext = { network: Network; compat: boolean };

/** The transaction is not in a block: its operations have no status, and it has no events. */
function operationsOf({ transaction, id }: ReadTransaction, context: ParseContext): RosettaTransaction {
  const { payload, version } = transaction;
  const signed = renderSigned(id, transaction);
  const source = { ...signed, ...renderPayload(payload, senderPrincipal(transaction), {}), tx_status: '' };
  const shown = transactionOf(source, context);
  const act = shown.operations.at(-1);
  if (!act || context.compat) return withStackingTerms(shown, payload, version);
  if (payload.type === 'contract_call') withStackingTerms(shown, payload, version);
  if (payload.type === 'smart_contract' || payload.type === 'versioned_smart_contract') {
    act.metadata = { contract_name: payload.name, ...act.metadata };
  }
  if (act.type !== 'token_transfer') act.metadata = { ...act.metadata, ...conditionsOf(transaction) };
  return shown;
}

/** Stacking is shown as it was requested, so that both can be compared. */
function withStackingTerms(shown: RosettaTransaction, payload: Payload, version: number): RosettaTransaction {
  const intent = payload.type === 'contract_call' ? readStackingCall(payload, version) : undefined;
  if (intent) Object.assign(shown.operations.at(-1)!, intent);
  return shown;
}

/** Post-conditions as they were requested; the usual mode without any condition is left out. */
function conditionsOf({ postConditionMode, postConditions }: Transaction) {
  return {
    ...(postConditionMode !== 'deny' && { post_condition_mode: postConditionMode }),
    ...(postConditions.length > 0 && { post_conditions: postConditions.map(postConditionJson) }),
  };
}

function checkSignatures(transaction: Transaction): void {
  const verdict = verifyTransaction(transaction);
  if (!verdict.valid) throw new RosettaError(635, `${verdict.role}: ${verdict.reason}`);
}

/** The signers. */
function signersOf(transaction: Transaction, compat: boolean): string[] {
  const { payload, auth } = transaction;
  if (!compat) {
    const sponsor = sponsorAddress(transaction);
    return [senderAddress(transaction), ...(sponsor === undefined ? [] : [sponsor])];
  }
  // The incumbent writes them with the address version of the recipient, and omits them without a recipient.
  if (payload.type !== 'token_transfer') return [];
  const { version } = payload.recipient;
  return [auth.origin, auth.sponsor].flatMap(condition =>
    condition ? [formatPrincipal({ version, hash: condition.signer })] : [],
  );
}
