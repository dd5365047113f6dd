import { CodecError } from '@cairn-stacks/codec/error';
import { decodeAccepted, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { feeOf, originOf, sponsorOf, targetOf } from '../../chain/pox/signer.ts';
import { payloadIds } from '../../chain/transaction.ts';
import type { Interner } from '../rows/interner.ts';
import type { ResolvedTransaction } from '../rows/resolved-block.ts';
import type { Content } from './entries.ts';

/** A decoded transaction with its names, before the names have keys. */
export type NamedTransaction = {
  transaction: Transaction;
  raw: Uint8Array;
  txId: Uint8Array;
  sender: string;
  sponsor: string | undefined;
  target: string | undefined;
  functionName: string | undefined;
};

const greatest = 2n ** 63n;

/** Decodes untrusted bytes; returns a text with the reason where they are invalid. */
export function readPending(raw: Uint8Array, txId: Uint8Array, chainId: number): NamedTransaction | string {
  try {
    const transaction = decodeAccepted(raw);
    if (transaction.chainId !== chainId) return `chain id 0x${transaction.chainId.toString(16)}`;
    if (transaction.payload.type === 'unknown') return describeUnknown(transaction);
    const named = nameTransaction(transaction, raw, txId);
    const { origin, sponsor } = transaction.auth;
    const figures = [origin.nonce, origin.fee, sponsor?.nonce ?? 0n, sponsor?.fee ?? 0n, amountOf(transaction)];
    return figures.some(figure => figure >= greatest) ? 'a number beyond 2^63' : named;
  } catch (error) {
    if (error instanceof CodecError || error instanceof RangeError) return error.message;
    throw error;
  }
}

const describeUnknown = ({ unknown = [] }: Transaction) =>
  unknown.map(({ what, code }) => `unknown ${what} ${code}`).join(', ');

export function nameTransaction(transaction: Transaction, raw: Uint8Array, txId: Uint8Array): NamedTransaction {
  const { payload } = transaction;
  return {
    transaction,
    raw,
    txId,
    sender: originOf(transaction),
    sponsor: sponsorOf(transaction),
    target: targetOf(transaction),
    functionName: payload.type === 'contract_call' ? payload.functionName : undefined,
  };
}

/** Replaces the names by their keys. */
export function contentOf({ transaction, raw, txId, ...named }: NamedTransaction, names: Interner): Content {
  return {
    txId,
    raw,
    fee: feeOf(transaction),
    nonce: transaction.auth.origin.nonce,
    sponsorNonce: transaction.auth.sponsor?.nonce ?? 0n,
    amount: amountOf(transaction),
    sender: names.principal(named.sender),
    sponsor: named.sponsor === undefined ? 0 : names.principal(named.sponsor),
    target: named.target === undefined ? 0 : names.principal(named.target),
    function: named.functionName === undefined ? 0 : names.function(named.functionName),
    type: payloadIds[transaction.payload.type],
  };
}

/** The content of a transaction that a block holds: its names have their keys already. */
export function resolvedContent(item: ResolvedTransaction, transaction: Transaction): Content {
  return {
    txId: item.receipt.txId,
    raw: item.receipt.raw,
    fee: item.fee,
    nonce: item.nonce,
    sponsorNonce: transaction.auth.sponsor?.nonce ?? 0n,
    amount: amountOf(transaction),
    sender: item.sender,
    sponsor: item.sponsor,
    target: item.target,
    function: item.function,
    type: item.payloadId,
  };
}

const amountOf = ({ payload }: Transaction) => (payload.type === 'token_transfer' ? payload.amount : 0n);
