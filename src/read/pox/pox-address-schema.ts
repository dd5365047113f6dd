import { type PoxAddress, poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { CodecError } from '@cairn-stacks/codec/error';
import { addressNetwork, type Network } from '@cairn-stacks/codec/network';

/** The text of a reward address; null when there is none or Bitcoin has no form for it. */
export function bitcoinAddress(address: PoxAddress | undefined, network: Network): string | null {
  if (!address) return null;
  try {
    return poxToBitcoinAddress(address, addressNetwork(network));
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}

/** A reward address as the tables hold it: the version byte, then the hash. */
export const unpackPoxAddress = (bytes: Uint8Array): PoxAddress | undefined =>
  bytes.length === 0 ? undefined : { version: bytes[0]!, hash: bytes.subarray(1) };
