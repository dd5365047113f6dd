import { secp256k1 } from '@noble/curves/secp256k1.js';
import { CodecError } from '../error.ts';
import { convertPublicKey, signerHash } from '../keys.ts';
import { advanceSighash, initialSighash, isSequential, postsignSighash, presignSighash, type Role } from './sighash.ts';
import {
  HashMode,
  isSingleSig,
  type KeyEncoding,
  type MultiSigCondition,
  type SpendingCondition,
} from './spending-condition.ts';
import type { Transaction } from './transaction.ts';

/** Whether the signatures of a transaction are those of its signers, and if not, why. */
export type Verification = { valid: true } | { valid: false; role: Role; reason: string };

/** Since epoch 4.0 a signature with a high S is rejected; before, it was not. */
export type VerificationRules = { requireLowS?: boolean };

/** Checks every signature of a transaction against its signer hashes. */
export function verifyTransaction(transaction: Transaction, rules: VerificationRules = {}): Verification {
  const { origin, sponsor } = transaction.auth;
  const initial = initialSighash(transaction);
  const problem = findProblem(initial, 'origin', origin, rules);
  if (problem !== undefined) return { valid: false, role: 'origin', reason: problem };
  if (sponsor === undefined) return { valid: true };
  const sponsorProblem = findProblem(advanceSighash(initial, 'origin', origin), 'sponsor', sponsor, rules);
  if (sponsorProblem !== undefined) return { valid: false, role: 'sponsor', reason: sponsorProblem };
  return { valid: true };
}

/** The public keys of one side of a transaction in order, recovered from signatures or taken as given. */
export function recoverSigners(transaction: Transaction, role: Role): Uint8Array[] {
  const { origin, sponsor } = transaction.auth;
  const initial = initialSighash(transaction);
  if (role === 'origin') return recoverKeys(initial, role, origin);
  if (sponsor === undefined) throw new CodecError('the transaction has no sponsor', 0);
  return recoverKeys(advanceSighash(initial, 'origin', origin), role, sponsor);
}

/** Whether S is in the lower half of the curve's order. */
export function isLowS(signature: Uint8Array): boolean {
  return !secp256k1.Signature.fromBytes(signature, 'recovered').hasHighS();
}

/** The signature by the same key of the same hash whose S is in the lower half. */
export function toLowS(signature: Uint8Array): Uint8Array {
  const read = secp256k1.Signature.fromBytes(signature, 'recovered');
  if (!read.hasHighS()) return signature;
  const low = new secp256k1.Signature(read.r, secp256k1.Point.Fn.neg(read.s), (read.recovery ?? 0) ^ 1);
  return low.toBytes('recovered');
}

function findProblem(
  sighash: Uint8Array,
  role: Role,
  condition: SpendingCondition,
  rules: VerificationRules,
): string | undefined {
  const shape = isSingleSig(condition) ? singleSigProblem(condition) : multiSigProblem(condition);
  if (shape !== undefined) return shape;
  try {
    if (rules.requireLowS === true && !signaturesOf(condition).every(isLowS)) return 'a signature has a high S';
    const required = isSingleSig(condition) ? 1 : condition.signaturesRequired;
    const hash = signerHash(condition.hashMode, recoverKeys(sighash, role, condition), required);
    return hash.every((byte, i) => byte === condition.signer[i]) ? undefined : 'the keys are not those of the signer';
  } catch {
    // The curve library throws on any signature or key that is not one.
    return 'not a signature or not a key';
  }
}

function singleSigProblem({ hashMode, keyEncoding }: { hashMode: number; keyEncoding: KeyEncoding }) {
  return hashMode === HashMode.p2wpkhP2sh && keyEncoding !== 'compressed' ? 'segwit keys are compressed' : undefined;
}

function multiSigProblem(condition: MultiSigCondition): string | undefined {
  const { hashMode, fields, signaturesRequired } = condition;
  const signatures = signaturesOf(condition).length;
  const enough = isSequential(condition) ? signatures === signaturesRequired : signatures >= signaturesRequired;
  if (!enough) return `${signatures} signatures, ${signaturesRequired} required`;
  const segwit = hashMode === HashMode.p2wshP2sh || hashMode === HashMode.p2wshP2shNonSequential;
  return segwit && fields.some(field => field.keyEncoding !== 'compressed') ? 'segwit keys are compressed' : undefined;
}

function signaturesOf(condition: SpendingCondition): Uint8Array[] {
  if (isSingleSig(condition)) return [condition.signature];
  return condition.fields.filter(field => field.type === 'signature').map(field => field.bytes);
}

function recoverKeys(sighash: Uint8Array, role: Role, condition: SpendingCondition): Uint8Array[] {
  const { fee, nonce } = condition;
  if (isSingleSig(condition)) {
    return [recoverKey(presignSighash(sighash, role, fee, nonce), condition.signature, condition.keyEncoding)];
  }
  const sequential = isSequential(condition);
  let current = sighash;
  return condition.fields.map(({ type, keyEncoding, bytes }) => {
    if (type === 'public_key') return convertPublicKey(bytes, keyEncoding);
    const presign = presignSighash(current, role, fee, nonce);
    if (sequential) current = postsignSighash(presign, keyEncoding, bytes);
    return recoverKey(presign, bytes, keyEncoding);
  });
}

/** The public key that made a recoverable signature of a hash. */
export function recoverKey(hash: Uint8Array, signature: Uint8Array, encoding: KeyEncoding): Uint8Array {
  const key = secp256k1.recoverPublicKey(signature, hash, { prehash: false });
  return encoding === 'compressed' ? key : convertPublicKey(key, 'uncompressed');
}
