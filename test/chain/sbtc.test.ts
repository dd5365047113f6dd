import { buffer, int, list, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { Network } from '@cairn-stacks/codec/network';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { registryNumber } from '../../src/chain/sbtc/registry.ts';
import { readRegistryPrint } from '../../src/chain/sbtc/registry-print.ts';
import { bitcoinOutputOf } from '../../src/read/sbtc/bitcoin-recipient.ts';

const hash32 = (fill: number) => buffer(new Uint8Array(32).fill(fill));
const user = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const read = (fields: Record<string, ClarityValue>) => readRegistryPrint(encodeClarity(tuple(fields)));

/** What the registry prints, by topic. */
const prints: Record<string, Record<string, ClarityValue>> = {
  'completed-deposit': {
    ...{ 'bitcoin-txid': hash32(1), 'output-index': uint(2), amount: uint(3) },
    ...{ 'burn-hash': hash32(4), 'burn-height': uint(5), 'sweep-txid': hash32(6) },
  },
  'withdrawal-create': {
    ...{ 'request-id': uint(1), amount: uint(2), 'max-fee': uint(3), sender: principal(user), 'block-height': uint(4) },
    recipient: tuple({ version: buffer(new Uint8Array(0)), hashbytes: hash32(1) }),
  },
  'withdrawal-accept': {
    ...{ 'request-id': uint(1), 'bitcoin-txid': hash32(1), 'sweep-txid': hash32(1), 'burn-hash': hash32(2) },
    ...{ 'output-index': uint(0), fee: uint(3), 'burn-height': uint(4), 'signer-bitmap': uint(0) },
  },
  'withdrawal-reject': { 'request-id': uint(1), 'signer-bitmap': uint(0) },
  'key-rotation': {
    'new-keys': list([buffer(new Uint8Array(33).fill(2))]),
    ...{ 'new-address': principal(user), 'new-aggregate-pubkey': buffer(new Uint8Array(33).fill(2)) },
    'new-signature-threshold': uint(1),
  },
  'update-protocol-contract': { 'contract-type': buffer(Uint8Array.of(2)), 'new-contract': principal(`${user}.x`) },
};
const unread = new Set(['signer-bitmap', 'bitcoin-txid of withdrawal-accept']);

test('every print of the registry is read', () => {
  const kinds = Object.entries(prints).map(([topic, fields]) => read({ topic: stringAscii(topic), ...fields })?.kind);
  expect(kinds).toEqual(['deposit', 'request', 'acceptance', 'rejection', 'rotation', 'contract']);
});

test('a print that lacks a field, or has another value in it, is none', () => {
  for (const [topic, fields] of Object.entries(prints)) {
    for (const name of Object.keys(fields)) {
      if (unread.has(name) || unread.has(`${name} of ${topic}`)) continue;
      const { [name]: _, ...rest } = fields;
      const all = { topic: stringAscii(topic), ...rest };
      expect([topic, name, read(all)]).toEqual([topic, name, undefined]);
      for (const wrong of [int(-5), stringAscii('x'), tuple({})]) {
        expect([topic, name, read({ ...all, [name]: wrong })]).toEqual([topic, name, undefined]);
      }
    }
  }
  const requestId = (id: bigint) => read({ topic: stringAscii('withdrawal-reject'), 'request-id': uint(id) });
  expect([requestId(2n ** 31n - 1n)?.kind, requestId(2n ** 31n), requestId(2n ** 128n - 1n)]).toEqual([
    'rejection',
    undefined,
    undefined,
  ]);
});

test('no bytes make the reader fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), bytes => readRegistryPrint(bytes) === undefined),
    { seed: 41 },
  );
  expect(readRegistryPrint(encodeClarity(some(uint(1))))).toBeUndefined();
});

test('only contracts of the known deployers are registries', () => {
  expect(registryNumber('SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-registry')).toBe(1);
  expect(registryNumber('SN3VMHXEN64ZZF71JQ5VESXDWTR301XTTXGF4J8F1.sbtc-registry')).toBe(2);
  for (const contract of [
    `${user}.sbtc-registry`,
    'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token',
    'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.not-the.sbtc-registry',
    'toString',
  ]) {
    expect([contract, registryNumber(contract)]).toEqual([contract, 0]);
  }
});

const networks: Record<string, Network> = {
  mainnet: { name: 'mainnet', chainId: 1, mainnet: true },
  testnet: { name: 'testnet', chainId: 0x80000000, mainnet: false },
  signet: { name: 'signet', chainId: 0x80000001, mainnet: false },
  regtest: { name: 'devnet', chainId: 0x80000000, mainnet: false },
};
const short = Uint8Array.from({ length: 20 }, (_, i) => i);
const long = Buffer.from('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex');
const [key, script] = ['mfWyW5fc9NUj75YAnFgoRLrjxgLDn2MMth', '2MsFFCK16VhsCcvPXruztdzzcTZEQCbNKjJ'];
const testnetAddresses = [
  ...[key, key, script, script, script, 'tb1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysnl25zw8'],
  'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqlfz5su',
  'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47zagq',
];
const mainnetScript = '31h38a54tFMrR8kzBnP2241MFD2EUHtGha';

/** By network, for the versions -1 (an empty buffer) to 6. */
const addresses: Record<string, string[]> = {
  mainnet: [
    ...['112D2adLM3UKy4Z4giRbReR6gjWuvHUqB', '112D2adLM3UKy4Z4giRbReR6gjWuvHUqB'],
    ...[mainnetScript, mainnetScript, mainnetScript, 'bc1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn4v0345'],
    'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqgp5m2n',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  testnet: testnetAddresses,
  signet: testnetAddresses,
  regtest: [
    ...[key, key, script, script, script, 'bcrt1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysnard0ew'],
    'bcrt1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqjsgj9x',
    'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
  ],
};

test('a recipient of each version has its address on each network', () => {
  const types = ['p2pkh', 'p2pkh', 'p2sh', 'p2sh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'];
  for (const [name, network] of Object.entries(networks)) {
    const outputs = types.map((_, i) => bitcoinOutputOf({ version: i - 1, hash: i < 6 ? short : long }, network));
    expect([name, outputs]).toEqual([name, types.map((type, i) => ({ type, address: addresses[name]![i] }))]);
  }
});

test('a recipient of another version, or with a hash of another length, has no address', () => {
  for (const [version, hash] of [
    [7, long],
    [255, short],
    [4, long],
    [6, short],
    [0, new Uint8Array(0)],
  ] as const) {
    expect(bitcoinOutputOf({ version, hash }, networks.mainnet!)).toEqual({ type: 'unknown', address: null });
  }
});
