import { type BitcoinNetwork, poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { taprootOutputKey } from '@cairn-stacks/codec/address/taproot';
import { CodecError } from '@cairn-stacks/codec/error';
import type { Network } from '@cairn-stacks/codec/network';
import type { BitcoinRecipient } from '../../chain/sbtc/registry-print.ts';

/** What a recipient of each version is paid by. */
const types = ['p2pkh', 'p2sh', 'p2sh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'] as const;
export const outputTypes = [...new Set(types), 'unknown'] as const;

/** Bytes of a hash by version. */
const sizes = [20, 20, 20, 20, 20, 32, 32] as const;

/** The Bitcoin network that a chain is anchored to; a devnet has a regtest of its own. */
export const bitcoinNetworkOf = ({ name, mainnet }: Network): BitcoinNetwork => {
  if (mainnet) return 'mainnet';
  return name === 'devnet' ? 'regtest' : 'testnet';
};

/** The type and the address of a recipient. */
export function bitcoinOutputOf(recipient: BitcoinRecipient, network: Network) {
  const number = outputVersionOf(recipient);
  if (number === undefined) return { type: 'unknown' as const, address: null };
  return {
    type: types[number]!,
    address: poxToBitcoinAddress({ version: number, hash: recipient.hash }, bitcoinNetworkOf(network)),
  };
}

/** The version that says how a recipient is paid: the contract lets an empty one through, which means 0. Undefined if the hash does not fit. */
export function outputVersionOf({ version, hash }: BitcoinRecipient): number | undefined {
  const number = version === -1 ? 0 : version;
  return hash.length === sizes[number] ? number : undefined;
}

/** The versions that pay the same output as this one. */
export function equalVersions(version: number): readonly number[] {
  if (version === 0) return [-1, 0];
  return version <= 3 ? [1, 2, 3] : [version];
}

/** Where the signers of an aggregate key keep the bitcoin; null if the key is none. */
export function walletAddress(aggregateKey: Uint8Array, network: Network): string | null {
  try {
    const hash = taprootOutputKey(aggregateKey);
    return poxToBitcoinAddress({ version: 6, hash }, bitcoinNetworkOf(network));
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}
