import { bech32, bech32m, createBase58check } from '@scure/base';
import { sha256 } from '#hash';
import { CodecError } from '../error.ts';
import { AddressVersion, decodeAddress, encodeAddress } from './c32.ts';

/** A Bitcoin network. */
export type BitcoinNetwork = 'mainnet' | 'testnet' | 'regtest';

/** A reward address as PoX contracts store it: `{version: (buff 1), hashbytes: (buff 32)}` (SIP-007, SIP-015). */
export type PoxAddress = { version: number; hash: Uint8Array };

const BASE58 = { mainnet: { key: 0, script: 5 }, testnet: { key: 111, script: 196 } } as const;
const SEGWIT = { mainnet: 'bc', testnet: 'tb', regtest: 'bcrt' } as const;
const base58check = createBase58check(sha256);
/** Characters of the longest base58 text of 25 bytes. */
const MAX_BASE58 = 35;

/** The Bitcoin address of a reward address; a 20-byte hash may be the start of a longer buffer. */
export function poxToBitcoinAddress({ version, hash }: PoxAddress, network: BitcoinNetwork): string {
  const size = version < 5 ? 20 : 32;
  if (hash.length < size) throw new CodecError(`${size} hash bytes expected, ${hash.length} given`, hash.length);
  const program = hash.subarray(0, size);
  const versions = BASE58[network === 'mainnet' ? 'mainnet' : 'testnet'];
  switch (version) {
    case 0:
      return encodeBase58(versions.key, program);
    case 1:
    case 2:
    case 3:
      return encodeBase58(versions.script, program);
    case 4:
    case 5:
      return bech32.encode(SEGWIT[network], [0, ...bech32.toWords(program)]);
    case 6:
      return bech32m.encode(SEGWIT[network], [1, ...bech32m.toWords(program)]);
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
  const { version, payload } = decodeBase58(text);
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

/** Reads a segwit address: bech32 for version 0 (BIP-173), bech32m above (BIP-350). */
function decodeSegwit(text: string): { version: number; program: Uint8Array } {
  for (const coder of [bech32, bech32m]) {
    const [version, ...words] = coder.decodeUnsafe(text)?.words ?? [];
    if (version === undefined || (version === 0) !== (coder === bech32)) continue;
    const program = coder.fromWordsUnsafe(words);
    if (program) return { version, program };
  }
  throw new CodecError('not a segwit address, or a wrong checksum', 0);
}

/** The base58 text of a version byte and a hash, with the four-byte checksum of Bitcoin. */
const encodeBase58 = (version: number, hash: Uint8Array) => base58check.encode(Uint8Array.of(version, ...hash));

/** Reads a version byte and a hash of 20 bytes. */
function decodeBase58(text: string): { version: number; payload: Uint8Array } {
  // The arithmetic is quadratic in the length.
  if (text.length > MAX_BASE58) throw new CodecError('base58 text too long', text.length);
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch (error) {
    throw new CodecError(`not a base58 address: ${(error as Error).message}`, 0);
  }
  if (bytes.length !== 21) throw new CodecError(`a base58 address holds 25 bytes, not ${bytes.length + 4}`, 0);
  return { version: bytes[0]!, payload: bytes.subarray(1) };
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
  return encodeBase58(pair[1], hash);
}

/** The Stacks address with the same hash as a base58 Bitcoin address. */
export function bitcoinToStacksAddress(text: string): string {
  const { version, payload } = decodeBase58(text);
  const pair = PAIRS.find(([, bitcoin]) => bitcoin === version);
  if (pair === undefined) throw new CodecError(`no Stacks address for Bitcoin address version ${version}`, 0);
  return encodeAddress(pair[0], payload);
}
