import { addressNetwork, type Network } from '@cairn-stacks/codec/network';
import { RosettaError } from './errors.ts';

const BLOCKCHAIN = 'stacks';

/** The served network in the format of the specification; custom chains have the name of their address versions. */
export const networkIdentifier = (network: Network) => ({ blockchain: BLOCKCHAIN, network: addressNetwork(network) });

/** Rejects a request for another network. */
export function checkNetwork(requested: { blockchain: string; network: string }, network: Network): void {
  if (requested.blockchain !== BLOCKCHAIN) throw new RosettaError(611);
  if (requested.network !== addressNetwork(network)) throw new RosettaError(610);
}
