import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { isSingleSig } from '@cairn-stacks/codec/transaction/spending-condition';
import { decodeTransaction, encodeTransaction, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { recoverKey, toLowS, verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import { RosettaError } from '../errors.ts';
import type { RosettaSignature } from '../schemas/construction.ts';
import { attempt } from './address.ts';
import { CURVE, hashToSign, readPublicKey, SIGNATURE_TYPE } from './payloads.ts';

/** Adds the signature of the sender to a transaction; it must match the transaction and the key. */
export function combine(unsigned: string, signatures: readonly RosettaSignature[]): string {
  const [given] = signatures;
  if (!given) throw new RosettaError(633);
  if (signatures.length > 1) throw new RosettaError(637);
  const transaction = attempt(() => decodeTransaction(fromHex(unsigned)));
  if (!transaction) throw new RosettaError(628);
  const { origin } = transaction.auth;
  if (!isSingleSig(origin) || transaction.auth.type === 'sponsored') {
    throw new RosettaError(628, 'only transactions of one key can be combined');
  }
  if (given.public_key.curve_type !== CURVE) throw new RosettaError(619);
  if (given.signature_type !== SIGNATURE_TYPE) throw new RosettaError(638);
  const signature = readSignature(given.hex_bytes);
  const publicKey = readPublicKey(given.public_key);
  const hash = hashToSign(transaction);
  const named = attempt(() => fromHex(given.signing_payload.hex_bytes));
  if (!named || bareHex(named) !== bareHex(hash)) {
    throw new RosettaError(635, 'signing_payload is not the hash of this transaction');
  }
  const keyEncoding = publicKey.length === 65 ? 'uncompressed' : 'compressed';
  const signer = tryCurve(() => recoverKey(hash, signature, keyEncoding));
  if (!signer || bareHex(signer) !== bareHex(publicKey)) throw new RosettaError(635);
  const signed: Transaction = {
    ...transaction,
    auth: { type: 'standard', origin: { ...origin, keyEncoding, signature } },
  };
  const verdict = verifyTransaction(signed);
  if (!verdict.valid) throw new RosettaError(635, verdict.reason);
  return toHex(encodeTransaction(signed));
}

/** Converts r ‖ s ‖ v to v ‖ r ‖ s, the form in transactions. */
function readSignature(text: string): Uint8Array {
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
