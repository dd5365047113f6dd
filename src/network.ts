/** Which chain this is: the chain id that transactions sign, and whose address versions are shown. */
export type Network = {
  readonly name: 'mainnet' | 'testnet' | 'devnet' | 'custom';
  readonly chainId: number;
  readonly addresses: 'mainnet' | 'testnet';
};

/** What `parseNetwork` reads. */
export const NETWORK_FORMS =
  'mainnet, testnet, devnet, a chain id (decimal or 0x), or mainnet:CHAIN_ID for mainnet addresses';

const NETWORKS: Record<string, Network> = {
  mainnet: { name: 'mainnet', chainId: 1, addresses: 'mainnet' },
  testnet: { name: 'testnet', chainId: 0x80000000, addresses: 'testnet' },
  devnet: { name: 'devnet', chainId: 0x80000000, addresses: 'testnet' },
};

/** The network of a chain id as a node reports it; ids we do not know get testnet addresses unless told. */
export function networkOf(chainId: number, addresses: Network['addresses'] = 'testnet'): Network {
  const known = [NETWORKS.mainnet!, NETWORKS.testnet!].find(n => n.chainId === chainId);
  return known ?? { name: 'custom', chainId, addresses };
}

/** Reads a network as an operator writes it; undefined when it is none of `NETWORK_FORMS`. */
export function parseNetwork(value: string): Network | undefined {
  const named = NETWORKS[value.toLowerCase()];
  if (named) return named;
  const [, addresses, id] = /^(?:(mainnet|testnet):)?(0x[0-9a-f]{1,8}|\d{1,10})$/i.exec(value) ?? [];
  const chainId = Number(id);
  if (id === undefined || chainId > 0xffffffff) return undefined;
  return networkOf(chainId, addresses?.toLowerCase() === 'mainnet' ? 'mainnet' : 'testnet');
}

/** As people read it: `mainnet (chain id 0x00000001)`. */
export const describeNetwork = ({ name, chainId }: Pick<Network, 'name' | 'chainId'>) =>
  `${name} (chain id 0x${chainId.toString(16).padStart(8, '0')})`;
