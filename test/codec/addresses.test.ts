import {
  bitcoinToPoxAddress,
  bitcoinToStacksAddress,
  poxToBitcoinAddress,
  stacksToBitcoinAddress,
} from '@cairn-stacks/codec/address/bitcoin-address';
import { decodeAddress, encodeAddress, isAddress } from '@cairn-stacks/codec/address/c32';
import {
  formatAssetId,
  formatPrincipal,
  packPrincipal,
  parseAssetId,
  parsePrincipal,
  principalFromBytes,
  principalToBytes,
} from '@cairn-stacks/codec/address/principal';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import {
  stacksToBitcoinAddress as nativeToBitcoin,
  bitcoinToStacksAddress as nativeToStacks,
} from '@hirosystems/stacks-encoding-native-js';
import { poxAddressToBtcAddress } from '@stacks/stacking';
import { c32address, c32addressDecode } from 'c32check';
import { describe, expect, test } from 'vitest';
import * as generate from './generate.ts';
import { Random } from './random.ts';

const random = new Random(99);
const principals = Array.from({ length: 5000 }, () => generate.principal(random));

describe('addresses', () => {
  test('are those of c32check, for every version and for zeros at either end', () => {
    for (const { version, hash } of principals) {
      const text = encodeAddress(version, hash);
      expect(text).toBe(c32address(version, bareHex(hash)));
      expect(c32addressDecode(text)).toEqual([version, bareHex(hash)]);
      const decoded = decodeAddress(text);
      expect([decoded.version, bareHex(decoded.hash)]).toEqual([version, bareHex(hash)]);
    }
  });

  test('are read in lower case and with the look-alikes of c32', () => {
    const text = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
    expect(decodeAddress(text.toLowerCase())).toEqual(decodeAddress(text));
    expect(decodeAddress(text.replace('1', 'L'))).toEqual(decodeAddress(text));
    expect(decodeAddress('SPOOOOOOOOOOOOOOOOOOOO2Q6VF78')).toEqual(decodeAddress('SP000000000000000000002Q6VF78'));
  });

  test('with one character changed are refused', () => {
    for (const { version, hash } of principals.slice(0, 300)) {
      const text = encodeAddress(version, hash);
      const at = 1 + random.below(text.length - 1);
      const other = random.pick([...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'].filter(digit => digit !== text[at]));
      expect(isAddress(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
    }
  });
});

describe('principals', () => {
  test('survive text and the compact form', () => {
    for (const principal of principals) {
      const text = formatPrincipal(principal);
      expect(formatPrincipal(parsePrincipal(text))).toBe(text);
      const bytes = principalToBytes(text);
      expect(bytes).toEqual(packPrincipal(principal));
      expect(principalFromBytes(bytes)).toBe(text);
    }
  });

  test('have the compact form version, hash, dot and name', () => {
    expect(bareHex(principalToBytes('SP000000000000000000002Q6VF78'))).toBe(`16${'00'.repeat(20)}`);
    expect(bareHex(principalToBytes('SP000000000000000000002Q6VF78.pox'))).toBe(`16${'00'.repeat(20)}2e706f78`);
  });

  test('own assets', () => {
    const text = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7.token::coin!';
    expect(formatAssetId(parseAssetId(text))).toBe(text);
    expect(parseAssetId(text)).toMatchObject({ contract: { version: 22, name: 'token' }, asset: 'coin!' });
  });
});

describe('Bitcoin addresses', () => {
  test('of Stacks addresses are those of the native codec, both ways', () => {
    for (const { hash } of principals.slice(0, 500)) {
      for (const version of [20, 21, 22, 26]) {
        const stacks = encodeAddress(version, hash);
        const bitcoin = stacksToBitcoinAddress(stacks);
        expect(bitcoin).toBe(nativeToBitcoin(stacks));
        expect(nativeToStacks(bitcoin)).toBe(stacks);
        expect(bitcoinToStacksAddress(bitcoin)).toBe(stacks);
      }
    }
    // The native codec invents a Bitcoin version for other Stacks versions; there is no such mapping.
    expect(() => stacksToBitcoinAddress('SZ000000000000000000002ZE1VMN')).toThrow(CodecError);
  });

  test('of reward tuples are those of the official client, for every version and network', () => {
    for (let i = 0; i < 300; i++) {
      const hash = random.bytes(32);
      if (i % 5 === 0) hash.fill(0, 0, 1 + random.below(4));
      const short = hash.subarray(0, 20);
      for (const [network, name] of [
        ['mainnet', 'mainnet'],
        ['testnet', 'testnet'],
        ['regtest', 'devnet'],
      ] as const) {
        const expected = [0, 1, 2, 3, 4, 5, 6].map(version =>
          poxAddressToBtcAddress(version, version < 5 ? short : hash, name),
        );
        for (const [version, address] of expected.entries()) {
          // A 20-byte hash may stand in a buffer of 32.
          expect(poxToBitcoinAddress({ version, hash }, network)).toBe(address);
          const back = bitcoinToPoxAddress(address);
          expect(bareHex(back.hash)).toBe(bareHex(version < 5 ? short : hash));
          expect(back.version).toBe(version === 2 || version === 3 ? 1 : version);
          expect(back.network).toBe(network === 'regtest' && version < 4 ? 'testnet' : network);
        }
      }
    }
  });

  test('known ones', () => {
    const hash = Uint8Array.from(Buffer.from('751e76e8199196d454941c45d1b3a323f1433bd6', 'hex'));
    // BIP-173
    expect(poxToBitcoinAddress({ version: 4, hash }, 'mainnet')).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    expect(poxToBitcoinAddress({ version: 4, hash }, 'testnet')).toBe('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
    expect(poxToBitcoinAddress({ version: 0, hash }, 'mainnet')).toBe('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH');
    const script = fromHex('1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262');
    const scriptAddress = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
    expect(poxToBitcoinAddress({ version: 5, hash: script }, 'testnet')).toBe(scriptAddress);
    expect(bitcoinToPoxAddress(scriptAddress.toUpperCase())).toEqual({ version: 5, hash: script, network: 'testnet' });
    // BIP-350
    const taproot = fromHex('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
    const taprootAddress = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
    expect(poxToBitcoinAddress({ version: 6, hash: taproot }, 'mainnet')).toBe(taprootAddress);
    expect(bitcoinToPoxAddress(taprootAddress)).toEqual({ version: 6, hash: taproot, network: 'mainnet' });
  });

  test.each([
    // Of BIP-350: the checksum of the other version, another witness version, a wrong length, wrong padding, no data.
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'bc1pw5dgrnzv',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
    'bc1gmk9yu',
    '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMJ',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    '',
    '1'.repeat(100),
  ])('%j is refused', text => expect(() => bitcoinToPoxAddress(text)).toThrow(CodecError));

  test.each([
    [7, 32],
    [5, 20],
    [0, 19],
  ])('a reward tuple of version %i with %i bytes is refused', (version, length) => {
    expect(() => poxToBitcoinAddress({ version, hash: new Uint8Array(length) }, 'mainnet')).toThrow(CodecError);
  });
});

test('addresses that end alike are not taken for one another, however often they come', () => {
  const written = Array.from({ length: 40 }, (_, i) => {
    const hash = new Uint8Array(20).fill(7);
    hash[0] = i >> 1;
    return { version: i % 2 === 0 ? 22 : 26, hash };
  });
  for (let round = 0; round < 2; round++) {
    for (const { version, hash } of written) {
      expect(decodeAddress(encodeAddress(version, hash))).toEqual({ version, hash });
      expect(encodeAddress(version, Uint8Array.of(1, 2, ...hash), 2)).toBe(encodeAddress(version, hash));
    }
  }
});
