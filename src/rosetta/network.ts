import { addressNetwork, type Network } from '../network.ts';
import { RosettaError } from './errors.ts';

export const BLOCKCHAIN = 'stacks';

/** The one network that is served, as the specification names it: custom chains go by their addresses. */
export const networkIdentifier = (network: Network) => ({ blockchain: BLOCKCHAIN, network: addressNetwork(network) });

/** Refuses a request that is meant for another chain. */
export function checkNetwork(asked: { blockchain: string; network: string }, network: Network): void {
  if (asked.blockchain !== BLOCKCHAIN) throw new RosettaError(611);
  if (asked.network !== addressNetwork(network)) throw new RosettaError(610);
}
