import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { isSequential } from '@cairn-stacks/codec/transaction/sighash';
import {
  type AuthField,
  isSingleSig,
  type MultiSigCondition,
  type SpendingCondition,
} from '@cairn-stacks/codec/transaction/spending-condition';
import { decodeTransaction, encodeTransaction, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { recoverKey, toLowS, verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import { RosettaError } from '../errors.ts';
import type { RosettaSignature } from '../schemas/construction.ts';
import { attempt } from './address.ts';
import { keysOf } from './multi-sig.ts';
import { CURVE, hashToSign, readPublicKey, SIGNATURE_TYPE } from './payloads.ts';

/** Adds the signatures of the sender to a transaction; each must match the transaction and its key. */
export function combine(unsigned: string, signatures: readonly RosettaSignature[], compat: boolean): string {
  if (signatures.length === 0) throw new RosettaError(633);
  if (compat && signatures.length > 1) throw new RosettaError(637);
  const transaction = attempt(() => decodeTransaction(fromHex(unsigned)));
  if (!transaction) throw new RosettaError(628);
  if (transaction.auth.type === 'sponsored') throw new RosettaError(628, 'a sponsored transaction cannot be combined');
  const origin = signedOrigin(transaction, signatures, compat);
  const signed: Transaction = { ...transaction, auth: { type: 'standard', origin } };
  const verdict = verifyTransaction(signed);
  if (!verdict.valid) throw new RosettaError(635, verdict.reason);
  return toHex(encodeTransaction(signed));
}

function signedOrigin(
  transaction: Transaction,
  signatures: readonly RosettaSignature[],
  compat: boolean,
): SpendingCondition {
  const { origin } = transaction.auth;
  if (!isSingleSig(origin)) {
    if (compat) throw new RosettaError(628, 'only transactions of one key can be combined');
    return signedByKeys(transaction, origin, signatures);
  }
  if (signatures.length > 1) throw new RosettaError(637);
  const { publicKey, signature } = readSignature(transaction, signatures[0]!);
  const keyEncoding = publicKey.length === 65 ? 'uncompressed' : 'compressed';
  return { ...origin, keyEncoding, signature };
}

/** Puts each signature in the place of its key, which `/construction/payloads` wrote there. */
function signedByKeys(
  transaction: Transaction,
  origin: MultiSigCondition,
  signatures: readonly RosettaSignature[],
): MultiSigCondition {
  const { signaturesRequired: required } = origin;
  if (isSequential(origin) || origin.fields.some(({ type }) => type === 'signature')) {
    throw new RosettaError(628, 'several keys can sign only what `/construction/payloads` returned');
  }
  if (signatures.length !== required) {
    throw new RosettaError(637, `the account needs ${required} signatures, not ${signatures.length}`);
  }
  const keys = attempt(() => keysOf(origin).map(bareHex));
  if (!keys) throw new RosettaError(628, 'a key of the transaction is none');
  const fields = [...origin.fields];
  for (const given of signatures) {
    const { publicKey, signature } = readSignature(transaction, given);
    const place = keys.indexOf(bareHex(publicKey));
    if (place < 0) throw new RosettaError(635, `${given.public_key.hex_bytes} is no key of the sender`);
    if (fields[place]!.type === 'signature') throw new RosettaError(637, 'a key signs once');
    fields[place] = { ...fields[place]!, type: 'signature', bytes: signature } satisfies AuthField;
  }
  return { ...origin, fields };
}

/** A signature in the form of transactions, and its key; throws unless that key made it for this transaction. */
function readSignature(transaction: Transaction, given: RosettaSignature) {
  if (given.public_key.curve_type !== CURVE) throw new RosettaError(619);
  if (given.signature_type !== SIGNATURE_TYPE) throw new RosettaError(638);
  const signature = toRecoverable(given.hex_bytes);
  const publicKey = readPublicKey(given.public_key);
  const hash = hashToSign(transaction);
  const named = attempt(() => fromHex(given.signing_payload.hex_bytes));
  if (!named || bareHex(named) !== bareHex(hash)) {
    throw new RosettaError(635, 'signing_payload is not the hash of this transaction');
  }
  const keyEncoding = publicKey.length === 65 ? 'uncompressed' : 'compressed';
  const signer = tryCurve(() => recoverKey(hash, signature, keyEncoding));
  if (!signer || bareHex(signer) !== bareHex(publicKey)) throw new RosettaError(635);
  return { publicKey, signature };
}

/** Converts r ‖ s ‖ v to v ‖ r ‖ s, the form in transactions. */
function toRecoverable(text: string): Uint8Array {
  const bytes = attempt(() => fromHex(text));
  if (bytes?.length !== 65) throw new RosettaError(634);
  // Networks reject a signature with a high S.
  const signature = tryCurve(() => toLowS(Uint8Array.of(bytes[64]!, ...bytes.subarray(0, 64))));
  if (!signature) throw new RosettaError(634);
  return signature;
}

/** The curve library throws on any invalid signature. */
function tryCurve<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
