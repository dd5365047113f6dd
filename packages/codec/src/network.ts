/** The network of a database: the chain id that transactions sign, and the address versions in use. */
export type Network = {
  /** `mainnet`, `testnet`, `signet`, `devnet` or, for any other chain id, `custom`. */
  readonly name: string;
  readonly chainId: number;
  /** True for mainnet address versions (SP, SM), false for those of testnet (ST, SN). */
  readonly mainnet: boolean;
};

/** The texts that `parseNetwork` accepts, for messages. */
export const NETWORK_FORMS =
  'mainnet, testnet, signet, devnet, a chain id (decimal or 0x), or mainnet:CHAIN_ID for mainnet addresses';

const NETWORKS: Record<string, Network> = {
  mainnet: { name: 'mainnet', chainId: 1, mainnet: true },
  testnet: { name: 'testnet', chainId: 0x80000000, mainnet: false },
  signet: { name: 'signet', chainId: 0x80000001, mainnet: false },
  devnet: { name: 'devnet', chainId: 0x80000000, mainnet: false },
};

/** The network with a chain id that a node reported; `mainnet` selects the address versions of an unknown chain id. */
export function networkOf(chainId: number, mainnet = false): Network {
  const known = [NETWORKS.mainnet!, NETWORKS.testnet!, NETWORKS.signet!].find(n => n.chainId === chainId);
  // A chain of one's own may have any id, also that of the signet.
  if (known?.name === 'signet' && mainnet) return { name: 'custom', chainId, mainnet };
  return known ?? { name: 'custom', chainId, mainnet };
}

/** Parses a network as written in a setting; undefined if it has none of the `NETWORK_FORMS`. */
export function parseNetwork(value: string): Network | undefined {
  const named = NETWORKS[value.toLowerCase()];
  if (named) return named;
  const [, addresses, id] = /^(?:(mainnet|testnet):)?(0x[0-9a-f]{1,8}|\d{1,10})$/i.exec(value) ?? [];
  const chainId = Number(id);
  if (id === undefined || chainId > 0xffffffff) return undefined;
  return networkOf(chainId, addresses?.toLowerCase() === 'mainnet');
}

/** For log lines and messages: `mainnet (chain id 0x00000001)`. */
export const describeNetwork = ({ name, chainId }: Pick<Network, 'name' | 'chainId'>) =>
  `${name} (chain id 0x${chainId.toString(16).padStart(8, '0')})`;

/** The network whose address versions are in use. */
export const addressNetwork = ({ mainnet }: Pick<Network, 'mainnet'>): 'mainnet' | 'testnet' =>
  mainnet ? 'mainnet' : 'testnet';

/** The address that deploys the contracts of genesis and of each epoch. */
export function bootAddress(mainnet: boolean): string {
  return mainnet ? 'SP000000000000000000002Q6VF78' : 'ST000000000000000000002AMW42H';
}
