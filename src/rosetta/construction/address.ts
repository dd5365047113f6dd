import { bitcoinToPoxAddress, type PoxAddress } from '../../codec/address/bitcoin-address.ts';
import { AddressVersion, decodeAddress } from '../../codec/address/c32.ts';
import { parsePrincipal } from '../../codec/address/principal.ts';
import { CodecError } from '../../codec/error.ts';
import { TransactionVersion } from '../../codec/transaction/transaction.ts';
import type { Network } from '../../network.ts';
import { addressNetwork, bootAddress } from '../../network.ts';

const VERSIONS = {
  mainnet: [AddressVersion.mainnetSingleSig, AddressVersion.mainnetMultiSig],
  testnet: [AddressVersion.testnetSingleSig, AddressVersion.testnetMultiSig],
} as const;

/** The version of transactions on a network. */
export const transactionVersion = (network: Network): number => TransactionVersion[addressNetwork(network)];

/** What a reader of the codec makes of its input; undefined where it finds a mistake. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CodecError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the text is the address of an account on this network. */
export function isAccount(text: string, network: Network): boolean {
  const version = attempt(() => decodeAddress(text))?.version;
  return VERSIONS[addressNetwork(network)].some(known => known === version);
}

/** Whether the text is an account or a contract on this network. */
export function isPrincipalOf(text: string, network: Network): boolean {
  const version = attempt(() => parsePrincipal(text))?.version;
  return VERSIONS[addressNetwork(network)].some(known => known === version);
}

/** The reward address of a Bitcoin address. */
export function readPoxAddress(text: string): PoxAddress | undefined {
  const read = attempt(() => bitcoinToPoxAddress(text));
  return read && { version: read.version, hash: read.hash };
}

/** The number in the name of a stacking contract: 1 for the first one, `pox`; undefined for any other contract. */
export function stackingVersion(contract: string, mainnet: boolean): number | undefined {
  const boot = `${bootAddress(mainnet)}.`;
  const match = contract.startsWith(boot) ? /^pox(?:-([2-4]))?$/.exec(contract.slice(boot.length)) : null;
  return match ? Number(match[1] ?? 1) : undefined;
}
