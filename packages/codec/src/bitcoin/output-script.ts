import type { PoxAddress } from '../address/bitcoin-address.ts';
import { CodecError } from '../error.ts';

const [DUP, HASH160, EQUAL, EQUALVERIFY, CHECKSIG] = [0x76, 0xa9, 0x87, 0x88, 0xac];
/** Pushes that many bytes. */
const [PUSH_20, PUSH_32] = [20, 32];
/** Versions of the witness program. */
const [WITNESS_0, WITNESS_1] = [0x00, 0x51];

/** The output script that pays a reward address: what its Bitcoin address stands for (BIP-141, BIP-341). */
export function outputScript({ version, hash }: PoxAddress): Uint8Array {
  const size = version < 5 ? 20 : 32;
  if (hash.length < size) throw new CodecError(`${size} hash bytes expected, ${hash.length} given`, hash.length);
  const program = hash.subarray(0, size);
  switch (version) {
    case 0:
      return Uint8Array.of(DUP, HASH160, PUSH_20, ...program, EQUALVERIFY, CHECKSIG);
    case 1:
    case 2:
    case 3:
      return Uint8Array.of(HASH160, PUSH_20, ...program, EQUAL);
    case 4:
      return Uint8Array.of(WITNESS_0, PUSH_20, ...program);
    case 5:
      return Uint8Array.of(WITNESS_0, PUSH_32, ...program);
    case 6:
      return Uint8Array.of(WITNESS_1, PUSH_32, ...program);
    default:
      throw new CodecError(`unknown reward address version ${version}`, 0);
  }
}
