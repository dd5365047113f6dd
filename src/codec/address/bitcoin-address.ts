import { CodecError } from '../error.ts';
import { decodeBase58Check, encodeBase58Check } from './base58.ts';
import { decodeSegwit, encodeSegwit } from './bech32.ts';
import { AddressVersion, decodeAddress, encodeAddress } from './c32.ts';

/** A Bitcoin network. */
export type BitcoinNetwork = 'mainnet' | 'testnet' | 'regtest';

/** A reward address as PoX contracts store it: `{version: (buff 1), hashbytes: (buff 32)}` (SIP-007, SIP-015). */
export type PoxAddress = { version: number; hash: Uint8Array };

const BASE58 = { mainnet: { key: 0, script: 5 }, testnet: { key: 111, script: 196 } } as const;
const SEGWIT = { mainnet: 'bc', testnet: 'tb', regtest: 'bcrt' } as const;

/** The Bitcoin address of a reward address; a 20-byte hash may be the start of a longer buffer. */
export function poxToBitcoinAddress({ version, hash }: PoxAddress, network: BitcoinNetwork): string {
  const size = version < 5 ? 20 : 32;
  if (hash.length < size) throw new CodecError(`${size} hash bytes expected, ${hash.length} given`, hash.length);
  const program = hash.subarray(0, size);
  const base58 = BASE58[network === 'mainnet' ? 'mainnet' : 'testnet'];
  switch (version) {
    case 0:
      return encodeBase58Check(base58.key, program);
    case 1:
    case 2:
    case 3:
      return encodeBase58Check(base58.script, program);
    case 4:
    case 5:
      return encodeSegwit({ prefix: SEGWIT[network], version: 0, program });
    case 6:
      return encodeSegwit({ prefix: SEGWIT[network], version: 1, program });
    default:
      throw new CodecError(`unknown reward address version ${version}`, 0);
  }
}

/** Parses a Bitcoin address; scripts get version 1, because the address does not show what they wrap. */
export function bitcoinToPoxAddress(text: string): PoxAddress & { network: BitcoinNetwork } {
  const prefix = text.slice(0, text.lastIndexOf('1')).toLowerCase();
  for (const network of ['mainnet', 'testnet', 'regtest'] as const) {
    if (prefix === SEGWIT[network]) return { ...segwitToPox(text), network };
  }
  const { version, payload } = decodeBase58Check(text, 20);
  for (const network of ['mainnet', 'testnet'] as const) {
    if (version === BASE58[network].key) return { version: 0, hash: payload, network };
    if (version === BASE58[network].script) return { version: 1, hash: payload, network };
  }
  throw new CodecError(`unknown Bitcoin address version ${version}`, 0);
}

function segwitToPox(text: string): PoxAddress {
  const { version, program } = decodeSegwit(text);
  if (version === 0 && program.length === 20) return { version: 4, hash: program };
  if (version === 0 && program.length === 32) return { version: 5, hash: program };
  if (version === 1 && program.length === 32) return { version: 6, hash: program };
  throw new CodecError(`witness version ${version} with ${program.length} bytes`, 0);
}

/** Address versions of the two chains that name the same hash (SIP-005). */
const PAIRS = [
  [AddressVersion.mainnetSingleSig, BASE58.mainnet.key],
  [AddressVersion.mainnetMultiSig, BASE58.mainnet.script],
  [AddressVersion.testnetSingleSig, BASE58.testnet.key],
  [AddressVersion.testnetMultiSig, BASE58.testnet.script],
] as const;

/** The Bitcoin address with the same hash as a Stacks address. */
export function stacksToBitcoinAddress(text: string): string {
  const { version, hash } = decodeAddress(text);
  const pair = PAIRS.find(([stacks]) => stacks === version);
  if (pair === undefined) throw new CodecError(`no Bitcoin address for Stacks address version ${version}`, 1);
  return encodeBase58Check(pair[1], hash);
}

/** The Stacks address with the same hash as a base58 Bitcoin address. */
export function bitcoinToStacksAddress(text: string): string {
  const { version, payload } = decodeBase58Check(text, 20);
  const pair = PAIRS.find(([, bitcoin]) => bitcoin === version);
  if (pair === undefined) throw new CodecError(`no Stacks address for Bitcoin address version ${version}`, 0);
  return encodeAddress(pair[0], payload);
}
