import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { CodecError } from '@cairn-stacks/codec/error';
import { addressNetwork, type Network } from '@cairn-stacks/codec/network';
import { isPrincipalOf } from './construction/address.ts';
import { RosettaError } from './errors.ts';

/** The binary form of an address of the network; throws the error of an invalid account. */
export function principalOf(address: string, { network, compat }: { network: Network; compat: boolean }): Uint8Array {
  const bytes = readPrincipal(address);
  // The incumbent takes an address of any network.
  if (!compat && !isPrincipalOf(address, network)) {
    throw new RosettaError(601, `${address} is no address of ${addressNetwork(network)}`);
  }
  return bytes;
}

function readPrincipal(address: string): Uint8Array {
  try {
    return principalToBytes(address);
  } catch (error) {
    if (error instanceof CodecError) throw new RosettaError(601);
    throw error;
  }
}
