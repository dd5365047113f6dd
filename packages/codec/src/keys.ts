import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hash160, sha256 } from '#hash';
import { formatPrincipal } from './address/principal.ts';
import { CodecError } from './error.ts';
import { fromHex } from './hex.ts';
import { HashMode, type KeyEncoding, signerAddressVersion } from './transaction/spending-condition.ts';

/** A private key and the form in which its public key is hashed. */
export type PrivateKey = { secret: Uint8Array; keyEncoding: KeyEncoding };

/** Reads a private key of 32 bytes, or of 33 with a final `01` for a compressed public key. */
export function parsePrivateKey(text: string): PrivateKey {
  const bytes = fromHex(text);
  const compressed = bytes.length === 33 && bytes[32] === 1;
  if (bytes.length !== 32 && !compressed) throw new CodecError('a private key has 32 bytes, or 33 with a last 01', 0);
  const secret = bytes.subarray(0, 32);
  if (!secp256k1.utils.isValidSecretKey(secret)) throw new CodecError('not a private key of secp256k1', 0);
  return { secret, keyEncoding: compressed ? 'compressed' : 'uncompressed' };
}

/** The public key of a private key: 33 bytes, or 65 if uncompressed. */
export function publicKeyOf({ secret, keyEncoding }: PrivateKey): Uint8Array {
  return secp256k1.getPublicKey(secret, keyEncoding === 'compressed');
}

/** Converts a public key to the given form; throws if it is not a point of the curve. */
export function convertPublicKey(key: Uint8Array, encoding: KeyEncoding): Uint8Array {
  try {
    return secp256k1.Point.fromBytes(key).toBytes(encoding === 'compressed');
  } catch (cause) {
    throw Object.assign(new CodecError('not a public key of secp256k1', 0), { cause });
  }
}

/** The signer hash of public keys under a hash mode (SIP-005); `required` matters to multi-signatures only. */
export function signerHash(hashMode: number, keys: readonly Uint8Array[], required = 1): Uint8Array {
  switch (hashMode) {
    case HashMode.p2pkh:
      return hash160(keys[0]!);
    case HashMode.p2wpkhP2sh:
      return hash160(concat([0x00, 0x14], hash160(keys[0]!)));
    case HashMode.p2sh:
    case HashMode.p2shNonSequential:
      return hash160(multiSigScript(keys, required));
    case HashMode.p2wshP2sh:
    case HashMode.p2wshP2shNonSequential:
      return hash160(concat([0x00, 0x20], sha256(multiSigScript(keys, required))));
    default:
      throw new CodecError(`unknown hash mode ${hashMode}`, 0);
  }
}

/** The address of a single key on the network of the transaction version. */
export function addressOf(key: PrivateKey | Uint8Array, version: number): string {
  const publicKey = key instanceof Uint8Array ? key : publicKeyOf(key);
  return formatPrincipal({
    version: signerAddressVersion(version, HashMode.p2pkh),
    hash: signerHash(HashMode.p2pkh, [publicKey]),
  });
}

const OP_CHECKMULTISIG = 0xae;

/** OP_m, the pushed keys, OP_n, OP_CHECKMULTISIG. */
function multiSigScript(keys: readonly Uint8Array[], required: number): Uint8Array {
  const script: number[] = [...number(required)];
  for (const key of keys) script.push(key.length, ...key);
  return Uint8Array.from([...script, ...number(keys.length), OP_CHECKMULTISIG]);
}

/** Small numbers have an opcode of their own; larger ones are pushed, little-endian and never negative. */
function number(value: number): number[] {
  if (value <= 16) return [value === 0 ? 0 : 0x50 + value];
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest >>>= 8) bytes.push(rest & 0xff);
  if (bytes.at(-1)! & 0x80) bytes.push(0);
  return [bytes.length, ...bytes];
}

function concat(prefix: number[], bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...prefix, ...bytes]);
}
