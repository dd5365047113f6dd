import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import {
  decodeTransaction,
  payingCondition,
  senderAddress,
  sponsorAddress,
  type Transaction,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import type { TransactionRejection } from './schemas/node-transaction.ts';

/** What is known of a transaction that may leave; no accounts where our codec cannot read it. */
export type Checked = { txId: string; accounts: string[] };

/** Longest transaction that a block can hold (MAX_TRANSACTION_LEN of the node). */
const MAX_BYTES = 2 << 20;
/** Micro-STX for each byte below which no node takes a transaction (MINIMUM_TX_FEE_RATE_PER_BYTE). */
const MIN_FEE_PER_BYTE = 1n;

/**
 * Checks a transaction as a node would, as far as its bytes allow. A payload type or version that the codec does not know is
 * left to the node.
 */
export function checkTransaction(
  raw: Uint8Array,
  network: Network,
  feePerByte = MIN_FEE_PER_BYTE,
): Checked | TransactionRejection {
  const txId = bareHex(transactionId(raw));
  if (raw.length > MAX_BYTES) return reject(txId, 'Deserialization', { message: `more than ${MAX_BYTES} bytes` });
  let transaction: Transaction;
  try {
    transaction = decodeTransaction(raw);
  } catch (error) {
    if (!(error instanceof CodecError || error instanceof RangeError)) throw error;
    return isUnknownFormat(error)
      ? { txId, accounts: [] }
      : reject(txId, 'Deserialization', { message: error.message });
  }
  const rejection = judge(transaction, BigInt(raw.length) * feePerByte, txId, network);
  if (rejection) return rejection;
  const sponsor = sponsorAddress(transaction);
  return { txId, accounts: [senderAddress(transaction), ...(sponsor === undefined ? [] : [sponsor])] };
}

/** The codec uses `unknown` for every code without a meaning. */
const isUnknownFormat = (error: Error) => error.message.startsWith('unknown ');

function judge(transaction: Transaction, leastFee: bigint, txId: string, network: Network) {
  const mainnet = transaction.version < 0x80;
  if (mainnet !== network.mainnet) return reject(txId, 'BadTransactionVersion');
  if (transaction.chainId !== network.chainId) {
    const message = `chain id ${transaction.chainId}, not ${network.chainId}`;
    return reject(txId, 'BadTransactionVersion', { message });
  }
  const { type } = transaction.payload;
  if (/coinbase/.test(type)) return reject(txId, 'NoCoinbaseViaMempool');
  if (type === 'tenure_change') return reject(txId, 'NoTenureChangeViaMempool');
  const { fee } = payingCondition(transaction);
  if (fee < leastFee) return reject(txId, 'FeeTooLow', { expected: Number(leastFee), actual: Number(fee) });
  const verdict = verifyTransaction(transaction);
  if (verdict.valid) return undefined;
  return reject(txId, 'SignatureValidation', { message: `${verdict.role}: ${verdict.reason}` });
}

/** A rejection in the format of a node, so that clients see one format only. */
export function reject(txId: string, reason: string, data?: Record<string, unknown>): TransactionRejection {
  return { txid: txId, error: 'transaction rejected', reason, ...(data && { reason_data: data }) };
}
