import { bitcoinToPoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { AddressVersion } from '@cairn-stacks/codec/address/c32';
import { packPrincipal, parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { Type } from 'typebox';
import type { BitcoinRecipient } from '../../chain/sbtc/registry-print.ts';
import { badRequest } from '../../errors.ts';
import { principalShape } from '../principals/principal-pattern.ts';
import { bitcoinNetworkOf } from './bitcoin-recipient.ts';

/** The longest text of a Bitcoin address (BIP-173). */
const longestAddress = 90;

export const RecipientParam = Type.String({
  pattern: `^${principalShape}$`,
  description: 'Only deposits to this account or contract.',
});
export const SenderParam = Type.String({
  pattern: `^${principalShape}$`,
  description: 'Only withdrawals that this account or contract requested.',
});
export const BitcoinRecipientParam = Type.String({
  maxLength: longestAddress,
  description: 'The Bitcoin address that a withdrawal pays, of the Bitcoin network that the chain is anchored to.',
});

export const OutputParam = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}:[0-9]{1,10}$',
  description: 'An output of a Bitcoin transaction: id of the transaction, a colon, number of the output.',
});

export const RequestParam = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Number of the request.',
});

/** Satoshis; there are never more than those of 21 million bitcoin. */
export const MinAmountParam = Type.Integer({
  minimum: 0,
  maximum: 2_100_000_000_000_000,
  description: 'Only deposits of at least this amount in satoshis.',
});

/** An output that a request names. */
export function outputOf(text: string): { txId: Uint8Array; vout: number } {
  const [txId = '', vout = ''] = text.split(':');
  return { txId: fromHex(txId.startsWith('0x') ? txId : `0x${txId}`), vout: Number(vout) };
}

const otherNetwork: Record<string, readonly number[]> = {
  mainnet: [AddressVersion.testnetSingleSig, AddressVersion.testnetMultiSig],
  testnet: [AddressVersion.mainnetSingleSig, AddressVersion.mainnetMultiSig],
};

/** The compact form of an account or contract of this network; a 400 for any other. */
export function principalOn(network: Network, text: string, name: string): Uint8Array {
  const own = network.mainnet ? 'mainnet' : 'testnet';
  try {
    const principal = parsePrincipal(text);
    if (!otherNetwork[own]!.includes(principal.version)) return packPrincipal(principal);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw badRequest(`${name}: "${text}" is not an account or a contract: ${error.message}`);
  }
  const letters = network.mainnet ? 'SP or SM' : 'ST or SN';
  throw badRequest(`${name}: "${text}" belongs to another network; addresses of this one begin with ${letters}`);
}

/** The recipient that a Bitcoin address of this network stands for; a 400 for any other. */
export function bitcoinRecipientOn(network: Network, text: string): BitcoinRecipient {
  const own = bitcoinNetworkOf(network);
  try {
    const { network: found, ...recipient } = bitcoinToPoxAddress(text);
    // Addresses of regtest that are written in base58 look like those of the test networks.
    const isBase58 = recipient.version < 4;
    if (found === own || (isBase58 && found === 'testnet' && own === 'regtest')) return recipient;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw badRequest(`address: not a Bitcoin address: ${error.message}`);
  }
  throw badRequest(`address: "${text}" belongs to another Bitcoin network; this chain is anchored to ${own}`);
}
