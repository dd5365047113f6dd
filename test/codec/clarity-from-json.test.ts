import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { clarityFromJson } from '@cairn-stacks/codec/clarity/from-json';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { expect, test } from 'vitest';

const address = 'ST10AGQRT8N6ABJ9TW5NNSP8K59QXNWB1HEGZX6Z0';
const pair: AbiType = {
  tuple: [
    { name: 'who', type: 'principal' },
    { name: 'amount', type: 'uint128' },
  ],
};
const textOf = (type: AbiType, json: unknown) => reprClarity(encodeClarity(clarityFromJson(type, json, 'a')));

test.each<[AbiType, unknown, string]>([
  ['uint128', 5, 'u5'],
  ['uint128', '340282366920938463463374607431768211455', 'u340282366920938463463374607431768211455'],
  ['int128', '-7', '-7'],
  ['bool', false, 'false'],
  ['principal', `${address}.pool`, `'${address}.pool`],
  ['trait_reference', `${address}.pool`, `'${address}.pool`],
  [{ buffer: { length: 2 } }, '0x00FF', '0x00ff'],
  [{ 'string-ascii': { length: 5 } }, 'a"b', '"a\\"b"'],
  [{ 'string-utf8': { length: 1 } }, '🪨', 'u"\\u{f09faaa8}"'],
  [{ optional: 'uint128' }, null, 'none'],
  [{ optional: 'uint128' }, 1, '(some u1)'],
  [{ response: { ok: 'bool', error: 'uint128' } }, { error: 3 }, '(err u3)'],
  [{ list: { type: 'int128', length: 3 } }, [1, '2'], '(list 1 2)'],
  [pair, { who: address, amount: 1 }, `(tuple (amount u1) (who '${address}))`],
])('%j reads %j', (type, json, text) => {
  expect(textOf(type, json)).toBe(text);
});

test.each<[AbiType, unknown, RegExp]>([
  ['uint128', -1, /uint below/],
  ['uint128', '1e3', /uint below/],
  ['uint128', 2 ** 60, /uint below/],
  ['uint128', (2n ** 128n).toString(), /uint below/],
  ['int128', (2n ** 127n).toString(), /int of 128 bits/],
  ['bool', 'true', /true or false/],
  ['principal', 'STNOTANADDRESS', /an address/],
  [{ buffer: { length: 2 } }, 'ff', /hex text/],
  [{ buffer: { length: 2 } }, '0x010203', /at most 2 bytes/],
  [{ 'string-ascii': { length: 5 } }, 'é', /ASCII/],
  [{ 'string-utf8': { length: 5 } }, '\ud800', /text/],
  [{ 'string-utf8': { length: 1 } }, 'ab', /at most 1 character/],
  [{ list: { type: 'int128', length: 1 } }, [1, 2], /at most 1 item/],
  [{ list: { type: 'int128', length: 1 } }, ['x'], /^a\[0\]: expected an int/],
  [{ response: { ok: 'bool', error: 'uint128' } }, {}, /"ok"/],
  [pair, { who: address }, /the key amount/],
  [pair, { who: address, amount: 1, more: 1 }, /only the keys who, amount/],
  [pair, { who: address, amount: 'many' }, /^a\.amount: /],
  [pair, null, /an object/],
])('%j does not read %j', (type, json, message) => {
  expect(() => textOf(type, json)).toThrow(message);
});
