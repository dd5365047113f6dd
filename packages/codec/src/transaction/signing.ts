import { secp256k1 } from '@noble/curves/secp256k1.js';
import { CodecError } from '../error.ts';
import { convertPublicKey, type PrivateKey } from '../keys.ts';
import { advanceSighash, initialSighash, presignSighash, type Role } from './sighash.ts';
import { type AuthField, isSingleSig, type SpendingCondition } from './spending-condition.ts';
import type { Auth, Transaction } from './transaction.ts';

/** A participant of a multi-signature: signs with a key, or is only named by a public key. */
export type Participant = PrivateKey | { publicKey: Uint8Array };

/** Signs as the origin: sets the signature of a single key, or appends one to a multi-signature. */
export function signOrigin(transaction: Transaction, key: PrivateKey): Transaction {
  return withCondition(transaction, 'origin', sign(transaction, 'origin', transaction.auth.origin, key));
}

/** Signs as the sponsor, after the origin. */
export function signSponsor(transaction: Transaction, key: PrivateKey): Transaction {
  return withCondition(transaction, 'sponsor', sign(transaction, 'sponsor', sponsorOf(transaction), key));
}

/** Names a key of a multi-signature that does not sign. */
export function appendPublicKey(transaction: Transaction, role: Role, publicKey: Uint8Array): Transaction {
  const condition = role === 'origin' ? transaction.auth.origin : sponsorOf(transaction);
  const keyEncoding = publicKey.length === 65 ? 'uncompressed' : 'compressed';
  const bytes = convertPublicKey(publicKey, 'compressed');
  return withCondition(transaction, role, append(condition, { type: 'public_key', keyEncoding, bytes }));
}

/** Lets all take part in a multi-signature, in the order of the keys of its address. */
export function signMultiSig(transaction: Transaction, role: Role, participants: readonly Participant[]): Transaction {
  let signed = transaction;
  for (const participant of participants) {
    if ('publicKey' in participant) signed = appendPublicKey(signed, role, participant.publicKey);
    else signed = role === 'origin' ? signOrigin(signed, participant) : signSponsor(signed, participant);
  }
  return signed;
}

/** Replaces the sponsor, whose condition is set only after the origin has signed. */
export function withSponsor(transaction: Transaction, sponsor: SpendingCondition): Transaction {
  return { ...transaction, auth: { type: 'sponsored', origin: transaction.auth.origin, sponsor } };
}

function sign(transaction: Transaction, role: Role, condition: SpendingCondition, key: PrivateKey): SpendingCondition {
  let sighash = initialSighash(transaction);
  if (role === 'sponsor') sighash = advanceSighash(sighash, 'origin', transaction.auth.origin);
  const { fee, nonce } = condition;
  if (isSingleSig(condition)) {
    const signature = signHash(presignSighash(sighash, role, fee, nonce), key.secret);
    return { ...condition, keyEncoding: key.keyEncoding, signature };
  }
  sighash = advanceSighash(sighash, role, condition);
  const bytes = signHash(presignSighash(sighash, role, fee, nonce), key.secret);
  return append(condition, { type: 'signature', keyEncoding: key.keyEncoding, bytes });
}

/** A deterministic (RFC 6979), low-S, recoverable signature of a hash: recovery id ‖ r ‖ s. */
export function signHash(hash: Uint8Array, secret: Uint8Array): Uint8Array {
  return secp256k1.sign(hash, secret, { prehash: false, lowS: true, format: 'recovered' });
}

function append(condition: SpendingCondition, field: AuthField): SpendingCondition {
  if (isSingleSig(condition)) throw new CodecError('only a multi-signature has fields', 0);
  return { ...condition, fields: [...condition.fields, field] };
}

function sponsorOf({ auth }: Transaction): SpendingCondition {
  if (auth.type === 'standard') throw new CodecError('the transaction has no sponsor', 0);
  return auth.sponsor;
}

function withCondition(transaction: Transaction, role: Role, condition: SpendingCondition): Transaction {
  const auth: Auth =
    role === 'origin'
      ? { ...transaction.auth, origin: condition }
      : { type: 'sponsored', origin: transaction.auth.origin, sponsor: condition };
  return { ...transaction, auth };
}
