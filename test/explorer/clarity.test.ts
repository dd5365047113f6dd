import { type AbiType, abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { sortTuples } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { parseClarity, tryParseClarity } from '@cairn-stacks/codec/clarity/parse';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { Cl, type ClarityValue, serializeCV } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { exampleOf, readArgument } from '../../explorer/clarity/argument.ts';
import { highlight } from '../../explorer/clarity/highlight.ts';

const address = 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F';

/** Texts as the API writes them, each with the value of another implementation. */
const values: [text: string, value: ClarityValue][] = [
  ['u5', Cl.uint(5)],
  ['-170141183460469231731687303715884105728', Cl.int(-(2n ** 127n))],
  ['u340282366920938463463374607431768211455', Cl.uint(2n ** 128n - 1n)],
  ['true', Cl.bool(true)],
  ['none', Cl.none()],
  ['(some 0x00ff)', Cl.some(Cl.bufferFromHex('00ff'))],
  ['(ok "a \\"quoted\\" text")', Cl.ok(Cl.stringAscii('a "quoted" text'))],
  ['(err u"gr\\u{fc}n 🪨")', Cl.error(Cl.stringUtf8('grün 🪨'))],
  [`'${address}`, Cl.principal(address)],
  [`'${address}.pool`, Cl.contractPrincipal(address, 'pool')],
  ['(list u1 u2 u3)', Cl.list([Cl.uint(1), Cl.uint(2), Cl.uint(3)])],
  ['(tuple (b u2) (a (list)))', Cl.tuple({ a: Cl.list([]), b: Cl.uint(2) })],
  ['{a: 1, b: {c: false}}', Cl.tuple({ a: Cl.int(1), b: Cl.tuple({ c: Cl.bool(false) }) })],
];

test.each(values)('%s has the bytes that the official client gives it', (text, value) => {
  const hex = `0x${serializeCV(value)}`;
  expect(toHex(encodeClarity(sortTuples(parseClarity(text))))).toBe(hex);
  expect(toHex(encodeClarity(decodeClarity(fromHex(hex))))).toBe(hex);
});

test.each([
  '',
  '(',
  'u',
  '(some)',
  '(list 1',
  '"open',
  '0x0',
  'word',
  'u1 u2',
  `${'(some '.repeat(100)}u1${')'.repeat(100)}`,
])('%s is not a value', text => expect(tryParseClarity(text)).toBeUndefined());

test('bytes that are no value are refused', () => {
  for (const hex of ['0x', '0xff', '0x0b7fffffff', '0x0100', '0x0909'])
    expect(() => decodeClarity(fromHex(hex))).toThrow();
});

test('an address with a wrong letter is refused', () => {
  const wrong = `${address.slice(0, -1)}G`;
  expect(() => encodeClarity(readArgument('principal', wrong))).toThrow(/checksum/);
});

test.each<[AbiType, string, string]>([
  ['uint128', '5', 'u5'],
  ['int128', '-5', '-5'],
  [{ 'string-ascii': { length: 5 } }, 'plain', '"plain"'],
  [{ 'string-utf8': { length: 5 } }, 'ü', 'u"ü"'],
  [{ optional: 'uint128' }, '7', '(some u7)'],
  [{ optional: 'uint128' }, '', 'none'],
  [{ buffer: { length: 2 } }, '0x00ff', '0x00ff'],
  ['principal', address, `'${address}`],
])('an argument of type %j may be written %s', (type, text, value) => {
  expect(encodeClarity(readArgument(type, text))).toEqual(encodeClarity(parseClarity(value)));
});

test('an argument of another type is refused, and types are written as in Clarity', () => {
  expect(() => readArgument('uint128', 'true')).toThrow('expected uint');
  expect(() => readArgument('principal', '5')).toThrow('expected principal');
  const tuple: AbiType = { tuple: [{ name: 'a', type: { list: { type: 'bool', length: 3 } } }] };
  expect([abiTypeText(tuple), exampleOf(tuple)]).toEqual(['(tuple (a (list 3 bool)))', '{ a: … }']);
});

test('source is cut into lines of tokens and loses nothing', () => {
  const source = '(define-constant a u1) ; text\n"two\nlines" 0xff \'ST1\n';
  const lines = highlight(source);
  expect(lines.map(line => line.map(token => token.text).join('')).join('\n')).toBe(source);
  expect(lines[0]!.map(({ kind, text }) => `${kind} ${text}`)).toContain('definition define-constant');
  expect(lines[1]!.map(({ kind }) => kind)).toEqual(['string']);
});
