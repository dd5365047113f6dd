import { fromHex } from '@cairn-stacks/codec/hex';
import { addressOf } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import { RosettaError } from '../errors.ts';
import type { RosettaPublicKey } from '../schemas/construction.ts';
import { attempt, transactionVersion } from './address.ts';
import { readPublicKey } from './payloads.ts';

/** The address of a public key. */
export function deriveAddress(key: RosettaPublicKey, network: Network, compat: boolean): string {
  return addressOf(compat ? looseKey(key) : readPublicKey(key), transactionVersion(network));
}

/** The incumbent accepts both curves of the specification, and any bytes of the right length. */
function looseKey({ hex_bytes, curve_type }: RosettaPublicKey): Uint8Array {
  if (curve_type !== 'secp256k1' && curve_type !== 'edwards25519') throw new RosettaError(619);
  const bytes = attempt(() => fromHex(hex_bytes));
  if (bytes?.length !== 33 && bytes?.length !== 65) throw new RosettaError(620);
  return bytes;
}
