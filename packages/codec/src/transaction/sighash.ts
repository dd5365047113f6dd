import { sha512_256 } from '#hash';
import { Writer } from '../writer.ts';
import {
  HashMode,
  isSingleSig,
  type KeyEncoding,
  keyEncodingByte,
  type SpendingCondition,
} from './spending-condition.ts';
import { encodeTransaction, type Transaction } from './transaction.ts';

/** The role of a signer: origin signatures carry `04` even in a sponsored transaction. */
export type Role = 'origin' | 'sponsor';

/** The placeholder of the sponsor while the origin signs (SIP-005). */
const SPONSOR_SENTINEL: SpendingCondition = {
  hashMode: HashMode.p2pkh,
  signer: new Uint8Array(20),
  nonce: 0n,
  fee: 0n,
  keyEncoding: 'compressed',
  signature: new Uint8Array(65),
};

/** The hash of a transaction from which all signing starts: no signatures, fees or nonces, no sponsor. */
export function initialSighash(transaction: Transaction): Uint8Array {
  const origin = clear(transaction.auth.origin);
  return sha512_256(
    encodeTransaction({
      ...transaction,
      auth:
        transaction.auth.type === 'standard'
          ? { type: 'standard', origin }
          : { type: 'sponsored', origin, sponsor: SPONSOR_SENTINEL },
    }),
  );
}

/** The condition as it was before anyone signed or set a fee. */
function clear(condition: SpendingCondition): SpendingCondition {
  if (isSingleSig(condition)) return { ...condition, nonce: 0n, fee: 0n, signature: new Uint8Array(65) };
  return { ...condition, nonce: 0n, fee: 0n, fields: [] };
}

/** The hash that a signer signs: the previous hash with role, fee and nonce. */
export function presignSighash(sighash: Uint8Array, role: Role, fee: bigint, nonce: bigint): Uint8Array {
  const writer = new Writer(49)
    .fixed(sighash, 32)
    .u8(role === 'origin' ? 4 : 5)
    .u64(fee)
    .u64(nonce);
  return sha512_256(writer.finish());
}

/** The hash that the next signer starts from. */
export function postsignSighash(presign: Uint8Array, encoding: KeyEncoding, signature: Uint8Array): Uint8Array {
  const writer = new Writer(98).fixed(presign, 32).u8(keyEncodingByte(encoding)).fixed(signature, 65);
  return sha512_256(writer.finish());
}

/** Whether each signature is over the hash that the one before it left (SIP-027 made this optional). */
export function isSequential(condition: SpendingCondition): boolean {
  return condition.hashMode !== HashMode.p2shNonSequential && condition.hashMode !== HashMode.p2wshP2shNonSequential;
}

/** The hash after all signatures of a condition: where its next signer, or the sponsor, starts. */
export function advanceSighash(sighash: Uint8Array, role: Role, condition: SpendingCondition): Uint8Array {
  if (!isSequential(condition)) return sighash;
  const { fee, nonce } = condition;
  if (isSingleSig(condition)) {
    return postsignSighash(presignSighash(sighash, role, fee, nonce), condition.keyEncoding, condition.signature);
  }
  let current = sighash;
  for (const field of condition.fields) {
    if (field.type === 'public_key') continue;
    current = postsignSighash(presignSighash(current, role, fee, nonce), field.keyEncoding, field.bytes);
  }
  return current;
}
