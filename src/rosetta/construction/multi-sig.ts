import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { convertPublicKey } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import { multiSig, singleSig } from '@cairn-stacks/codec/transaction/build';
import {
  type AuthField,
  HashMode,
  isSingleSig,
  type MultiSigCondition,
  type SpendingCondition,
  signerPrincipal,
} from '@cairn-stacks/codec/transaction/spending-condition';
import { RosettaError } from '../errors.ts';
import { transactionVersion } from './address.ts';

/** The largest number of keys that fits into the script of an address. */
const MAX_KEYS = 15;

type Spending = { nonce: bigint; fee: bigint };

/** The unsigned condition of an account by its keys; throws if they are not those of the account. */
export function originOf(
  sender: string,
  keys: readonly Uint8Array[],
  spending: Spending,
  network: Network,
): SpendingCondition {
  const [key] = keys;
  if (!key) throw new RosettaError(636);
  const version = transactionVersion(network);
  const isSenders = (condition: SpendingCondition) => formatPrincipal(signerPrincipal(version, condition)) === sender;
  if (keys.length === 1) {
    const origin = singleSig(key, spending);
    if (isSenders(origin)) return origin;
    throw new RosettaError(620, 'the key is not that of the sender');
  }
  if (keys.length > MAX_KEYS) throw new RosettaError(636, `an account has at most ${MAX_KEYS} keys`);
  // Signatures of these modes do not depend on each other (SIP-027), so all signers can sign at once.
  for (const hashMode of [HashMode.p2shNonSequential, HashMode.p2wshP2shNonSequential] as const) {
    if (hashMode === HashMode.p2wshP2shNonSequential && keys.some(each => each.length !== 33)) continue;
    for (let required = 1; required <= keys.length; required++) {
      const origin = multiSig(keys, required, spending, hashMode);
      if (isSenders(origin)) return { ...origin, fields: keys.map(fieldOf) };
    }
  }
  throw new RosettaError(636, 'the keys are not those of the sender: give all of them, in the order of its address');
}

/** A key that has not signed. */
const fieldOf = (key: Uint8Array): AuthField => ({
  type: 'public_key',
  keyEncoding: key.length === 65 ? 'uncompressed' : 'compressed',
  bytes: convertPublicKey(key, 'compressed'),
});

/** A condition of the size that it has when it is signed. */
export function asLargeAsSigned(condition: SpendingCondition): SpendingCondition {
  if (isSingleSig(condition)) return condition;
  const fields = condition.fields.map((field, i): AuthField => {
    return i < condition.signaturesRequired ? { ...field, type: 'signature', bytes: new Uint8Array(65) } : field;
  });
  return { ...condition, fields };
}

/** The keys of an unsigned condition of several keys, each in the form in which it was given. */
export const keysOf = ({ fields }: MultiSigCondition): Uint8Array[] =>
  fields.map(({ bytes, keyEncoding }) => convertPublicKey(bytes, keyEncoding));
