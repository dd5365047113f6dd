import { stacksToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { bnsContract, labelOf, parseBnsName } from '@cairn-stacks/codec/bns-name';
import { fromHex } from '@cairn-stacks/codec/hex';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChainEvent } from '../../src/chain/event.ts';
import { readBnsEvents } from '../../src/chain/names/event.ts';
import { expiryOf, leaseState } from '../../src/chain/names/lease.ts';
import { namePrice, namespacePrice } from '../../src/chain/names/price.ts';
import { parseZonefile, readZone, subdomainHash, zonefileText } from '../../src/chain/names/zonefile.ts';
import type { Receipt } from '../../src/chain/transaction.ts';

const receiptOf = (events: ChainEvent[]): Receipt => ({
  txId: new Uint8Array(32),
  index: 0,
  status: 'success',
  result: new Uint8Array(0),
  raw: new Uint8Array(1),
  cost: { runtime: 0n, readCount: 0, readLength: 0, writeCount: 0, writeLength: 0 },
  events,
  boot: false,
});

test('a transfer as mainnet recorded it names the name, the sender and the new owner', () => {
  const contract = bnsContract('v1', true);
  const print = fromHex(
    '0x0c000000010a6174746163686d656e740c00000003106174746163686d656e742d696e646578010000000000000000000000000002a8e904686173680200000014b472a266d0bd89c13706a4132ccfb16f7c3b9fcb086d657461646174610c00000004046e616d65020000000777656d75736963096e616d6573706163650200000003627463026f700d0000000d6e616d652d7472616e736665720974782d73656e6465720516c782abfb0265d7d4b29d1096d08865b1a56e4ecc',
  );
  const value = fromHex('0x0c00000002046e616d65020000000777656d75736963096e616d6573706163650200000003627463');
  const sender = 'SP33R5AZV09JXFN5JKM89DM48CPRTAVJESJ49TV7H';
  const recipient = 'SP11KEPTX6S20GRS7HGP6HEM036VGG9MRZZXQ3R39';
  const events = readBnsEvents(
    receiptOf([
      { kind: 'nft_transfer', asset: `${contract}::names`, sender, recipient, value },
      { kind: 'print', contract, value: print },
    ]),
  );
  const name = { name: 'wemusic', namespace: 'btc' };
  expect(events).toMatchObject([
    { kind: 'owned', version: 1, index: 0, name, from: sender, to: recipient },
    { kind: 'name', version: 1, index: 1, print: { name, sender, operation: 'name-transfer' } },
  ]);
});

test('other contracts that print the same words are not listened to', () => {
  const contract = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7.bns';
  const value = fromHex('0x0c00000002046e616d65020000000777656d75736963096e616d6573706163650200000003627463');
  expect(
    readBnsEvents(
      receiptOf([
        { kind: 'nft_mint', asset: `${contract}::names`, recipient: contract, value },
        { kind: 'print', contract, value },
      ]),
    ),
  ).toEqual([]);
});

test('names are lowercase ASCII of bounded length, with one dot', () => {
  expect(parseBnsName('muneeb.id')).toEqual({ name: 'muneeb', namespace: 'id' });
  expect(parseBnsName('a_b-1.btc')).toEqual({ name: 'a_b-1', namespace: 'btc' });
  const wrong = [
    '',
    '.',
    'a.',
    '.b',
    'a',
    'a.b.c',
    'A.btc',
    'xn--é.btc',
    'аpple.btc',
    'a b.btc',
    `${'x'.repeat(49)}.btc`,
  ];
  for (const text of [...wrong, `a.${'x'.repeat(21)}`, 'a.b\n', 'a\0.b']) expect(parseBnsName(text)).toBeUndefined();
  expect(labelOf(Buffer.from('аpple'))).toBeUndefined();
  expect(labelOf(Buffer.from('a.b'))).toBeUndefined();
  expect(labelOf(new Uint8Array(0))).toBeUndefined();
});

test('a namespace costs by its length', () => {
  const stx = (amount: number) => BigInt(amount) * 1_000_000n;
  expect([0, 1, 2, 3, 4, 7, 8, 20].map(namespacePrice)).toEqual([
    undefined,
    ...[640_000, 64_000, 64_000, 6_400, 6_400, 640, 640].map(stx),
  ]);
});

test('a name costs by its length, its letters and the larger discount', () => {
  const buckets = [6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0].map(BigInt);
  const price = { base: 4n, coefficient: 250n, nonalphaDiscount: 4n, noVowelDiscount: 5n, buckets };
  expect(namePrice('a', price)).toBe(250n * 4n ** 6n * 10n);
  expect(namePrice('b', price)).toBe(((250n * 4n ** 6n) / 5n) * 10n);
  expect(namePrice('a1', price)).toBe(((250n * 4n ** 5n) / 4n) * 10n);
  expect(namePrice('b-', price)).toBe(((250n * 4n ** 5n) / 5n) * 10n);
  expect(namePrice('a'.repeat(48), price)).toBe(2500n);
  expect(namePrice('', price)).toBeUndefined();
  expect(namePrice('a', { ...price, buckets: [] })).toBeUndefined();
  expect(namePrice('a', { ...price, buckets: [1n << 100n] })).toBeUndefined();
  expect(namePrice('a', { ...price, base: 1n, buckets: [1n << 100n] })).toBe(2500n);
  expect(namePrice('b1', { ...price, nonalphaDiscount: 0n, noVowelDiscount: 0n })).toBeUndefined();
});

test('a lease ends by the height it was given, by its start, or with the launch of the namespace', () => {
  const terms = { lifetime: 100, launchedAt: 50 };
  expect(expiryOf({ leaseStart: 10, renewal: 0 }, terms)).toBe(110);
  expect(expiryOf({ leaseStart: 0, renewal: 0 }, terms)).toBe(150);
  expect(expiryOf({ leaseStart: 0, renewal: 77 }, terms)).toBe(77);
  expect(expiryOf({ leaseStart: 10, renewal: 77 }, { ...terms, lifetime: 0 })).toBe('never');
  expect(expiryOf({ leaseStart: 10, renewal: 0 }, undefined)).toBeUndefined();
  expect([110, 111, 5110, 5111].map(height => leaseState(110, height))).toEqual([
    'active',
    'grace',
    'grace',
    'expired',
  ]);
  expect(leaseState('never', 1_000_000)).toBe('active');
});

const own = Buffer.from('$ORIGIN sub\n$TTL 3600\n');

test('TXT records of a zonefile are subdomains, its resolver a URI record', () => {
  const encoded = own.toString('base64');
  const half = Math.ceil(encoded.length / 2);
  const zone = readZone(
    Buffer.from(`$ORIGIN registrar.id
$TTL 3600
; a comment with "quotes"
_resolver IN URI 10 1 "https://registrar.example/v1"
one\tTXT "owner=${stacksToBitcoinAddress('SP33R5AZV09JXFN5JKM89DM48CPRTAVJESJ49TV7H')}" "seqn=2" "parts=2" "zf0=${encoded.slice(0, half)}" "zf1=${encoded.slice(half)}"
two 3600 IN TXT ( "owner=SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7"
  "seqn=0" "parts=1" "zf0=" )
three TXT "seqn=0" "parts=1"
`),
  );
  expect(zone.resolver).toBe('https://registrar.example/v1');
  expect(zone.subdomains.map(({ label, owner }) => [label, owner])).toEqual([
    ['one', 'SP33R5AZV09JXFN5JKM89DM48CPRTAVJESJ49TV7H'],
    ['two', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'],
  ]);
  const [one] = zone.subdomains;
  expect(Buffer.from(one!.zonefile)).toEqual(own);
  expect(one).toMatchObject({ sequence: 2, zonefileHash: subdomainHash(own) });
});

test('words keep together by quotes and lines by parentheses', () => {
  expect(parseZonefile('a 60 IN TXT "x ; y" "q\\"r" ; gone\n  IN A 1.2.3.4\nb (\n TXT\n z )')).toEqual([
    { name: 'a', type: 'TXT', data: ['x ; y', 'q"r'] },
    { name: 'a', type: 'A', data: ['1.2.3.4'] },
    { name: 'b', type: 'TXT', data: ['z'] },
  ]);
});

test('a broken record takes no other with it', () => {
  const zone = readZone(Buffer.from('bad TXT "owner=\n\0\x01)\nno\n) good\nfine TXT "owner=x"'));
  expect(zone).toMatchObject({ resolver: '', subdomains: [{ label: 'fine', owner: 'x' }] });
  expect(zonefileText(Buffer.from('a\0b\xff', 'latin1'))).toBe('ab\ufffd');
});

test('no bytes make the reader fail or hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => void readZone(bytes)),
    { numRuns: 300 },
  );
  const words = fc.constantFrom(
    '"',
    '(',
    ')',
    ';',
    '\n',
    ' ',
    'TXT',
    'owner=a',
    '"owner=b"',
    'zf0=AA',
    '$ORIGIN',
    'IN',
  );
  fc.assert(
    fc.property(fc.array(words), parts => void readZone(Buffer.from(parts.join('')))),
    { numRuns: 300 },
  );
  readZone(Buffer.from('('.repeat(100_000)));
  readZone(Buffer.from('"'.repeat(100_000)));
});
