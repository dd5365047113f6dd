import { bitcoinToPoxAddress, type PoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { AddressVersion, decodeAddress } from '@cairn-stacks/codec/address/c32';
import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { CodecError } from '@cairn-stacks/codec/error';
import type { Network } from '@cairn-stacks/codec/network';
import { addressNetwork, bootAddress } from '@cairn-stacks/codec/network';
import { TransactionVersion } from '@cairn-stacks/codec/transaction/transaction';
import { RosettaError } from '../errors.ts';
import type { Act } from './acts/act.ts';

const VERSIONS = {
  mainnet: [AddressVersion.mainnetSingleSig, AddressVersion.mainnetMultiSig],
  testnet: [AddressVersion.testnetSingleSig, AddressVersion.testnetMultiSig],
} as const;

/** The version of transactions on a network. */
export const transactionVersion = (network: Network): number => TransactionVersion[addressNetwork(network)];

/** The result of a codec function; undefined if it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CodecError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** True if the text is the address of an account on this network. */
export function isAccount(text: string, network: Network): boolean {
  const version = attempt(() => decodeAddress(text))?.version;
  return VERSIONS[addressNetwork(network)].some(known => known === version);
}

/** True if the text is an account or a contract on this network. */
export function isPrincipalOf(text: string, network: Network): boolean {
  const version = attempt(() => parsePrincipal(text))?.version;
  return VERSIONS[addressNetwork(network)].some(known => known === version);
}

/** The reward address of a Bitcoin address. */
export function readPoxAddress(text: string): PoxAddress | undefined {
  const read = attempt(() => bitcoinToPoxAddress(text));
  return read && { version: read.version, hash: read.hash };
}

/** The last version with `stack-stx` and `delegate-stx`. */
export const MAX_STACKING_VERSION = 4;

/** The version of a stacking contract: 1 for the first one, `pox`; undefined for any other contract. */
export function stackingVersion(contract: string, mainnet: boolean): number | undefined {
  const boot = `${bootAddress(mainnet)}.`;
  const match = contract.startsWith(boot) ? /^pox(?:-([2-5]))?$/.exec(contract.slice(boot.length)) : null;
  return match ? Number(match[1] ?? 1) : undefined;
}

/** Throws if a version of the stacking contract does not have the function of an act. */
export function assertVersion({ type, versions }: Act, contract: string, version: number): void {
  if (!versions || (version >= versions.first && version <= versions.last)) return;
  const known = versions.first === versions.last ? `pox-${versions.first}` : `pox-${versions.last} and before`;
  throw new RosettaError(645, `${contract} has no function for ${type}: that belongs to ${known}`);
}
