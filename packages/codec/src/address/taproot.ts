import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToNumberBE, concatBytes } from '@noble/curves/utils.js';
import { CodecError } from '../error.ts';

/** The output key of an internal key of 33 bytes, without a script tree (BIP-341): the program of a witness of version 1. */
export function taprootOutputKey(internalKey: Uint8Array): Uint8Array {
  const x = internalKey.subarray(1);
  if (internalKey.length !== 33) throw new CodecError('a compressed key has 33 bytes', internalKey.length);
  try {
    const point = secp256k1.Point.fromBytes(concatBytes(Uint8Array.of(2), x));
    const tweak = secp256k1.Point.Fn.create(bytesToNumberBE(schnorr.utils.taggedHash('TapTweak', x)));
    return point.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true).subarray(1);
  } catch (cause) {
    throw Object.assign(new CodecError('not a public key of secp256k1', 0), { cause });
  }
}
