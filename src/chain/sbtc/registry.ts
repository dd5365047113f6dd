import { addressNetwork, type Network } from '@cairn-stacks/codec/network';

/**
 * Deployers of sBTC, the one in use first. A test network has seen several, each with requests of its own. The number is
 * stored: never renumber.
 */
const deployers = {
  mainnet: [{ registry: 1, address: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4' }],
  testnet: [
    { registry: 2, address: 'SN3VMHXEN64ZZF71JQ5VESXDWTR301XTTXGF4J8F1' },
    { registry: 3, address: 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT' },
    { registry: 4, address: 'SN69P7RZRKK8ERQCCABHT2JWKB2S4DHH9H74231T' },
    { registry: 5, address: 'SN3R84XZYA63QS28932XQF3G1J8R9PC3W76P9CSQS' },
    { registry: 6, address: 'SNGWPN3XDAQE673MXYXF81016M50NHF5X5PWWM70' },
  ],
} as const;

const suffix = '.sbtc-registry';
const numbers = new Map(
  [...deployers.mainnet, ...deployers.testnet].map(({ registry, address }) => [`${address}${suffix}`, registry]),
);
const addresses = new Map<number, string>(
  [...deployers.mainnet, ...deployers.testnet].map(({ registry, address }) => [registry, address]),
);

/** The number of a registry of sBTC; 0 for every other contract, whatever its name is. */
export const registryNumber = (contract: string): number =>
  contract.endsWith(suffix) ? (numbers.get(contract) ?? 0) : 0;

/** The numbers of all registries, of whatever network. */
export const knownRegistries: readonly number[] = [...addresses.keys()];

/** The registries that a chain may have, the one in use first. */
export const registriesOf = (network: Pick<Network, 'mainnet'>): readonly number[] =>
  deployers[addressNetwork(network)].map(({ registry }) => registry);

/** A contract of the deployer of a registry. */
export const sbtcContract = (registry: number, name: string): string => `${addresses.get(registry)!}.${name}`;

/** The sBTC that its owner may spend. */
export const spendableAsset = (registry: number): string => `${sbtcContract(registry, 'sbtc-token')}::sbtc-token`;
