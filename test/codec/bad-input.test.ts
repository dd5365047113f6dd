import { decodeAddress } from '@cairn-stacks/codec/address/c32';
import { isPrincipal, parseAssetId, parsePrincipal, principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { skipClarity } from '@cairn-stacks/codec/clarity/skip';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex } from '@cairn-stacks/codec/hex';
import { Reader } from '@cairn-stacks/codec/reader';
import { decodeTransaction, encodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { describe, expect, test } from 'vitest';
import * as generate from './generate.ts';
import { Random } from './random.ts';

/** The error of bytes that must be refused; its offset must lie within them. */
function refusal(decode: (bytes: Uint8Array) => unknown, bytes: Uint8Array): CodecError {
  try {
    decode(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(CodecError);
    const refused = error as CodecError;
    expect(refused.offset).toBeGreaterThanOrEqual(0);
    expect(refused.offset).toBeLessThanOrEqual(bytes.length);
    expect(refused.message).toContain(`at byte ${refused.offset}`);
    return refused;
  }
  throw new Error(`accepted ${Buffer.from(bytes).toString('hex')}`);
}

/** Three ways to read a value: all must agree. */
const readers: ((bytes: Uint8Array) => unknown)[] = [
  decodeClarity,
  reprClarity,
  bytes => {
    const reader = new Reader(bytes);
    skipClarity(reader);
    reader.end();
  },
];

function refuseValue(hex: string): CodecError {
  const [first, ...others] = readers.map(read => refusal(read, fromHex(hex)));
  for (const other of others) expect(other.message).toBe(first!.message);
  return first!;
}

describe('a value is refused', () => {
  test('when cut at any length', () => {
    const random = new Random(3);
    for (let i = 0; i < 150; i++) {
      const bytes = encodeClarity(generate.clarityValue(random));
      for (let length = 0; length < bytes.length; length++) {
        for (const read of readers) refusal(read, bytes.subarray(0, length));
      }
    }
  });

  test('when bytes are left over', () => expect(refuseValue('0303').offset).toBe(1));

  test.each([
    ['a buffer', '02ffffffff00'],
    ['an ASCII string', '0dffffffff00'],
    ['a UTF-8 string', '0e7fffffff00'],
    ['a list', '0bffffffff03'],
    ['a tuple', '0cffffffff016103'],
  ])('when the length of %s is larger than the input', (_, hex) => {
    expect(refuseValue(hex).offset).toBeLessThanOrEqual(5);
  });

  test('when nested beyond the limit, however deep', () => {
    for (const wrapper of ['07', '08', '0a', '0b00000001', '0c000000010161']) {
      for (const depth of [32, 33, 1000, 100_000]) {
        expect(refuseValue(`${wrapper.repeat(depth)}03`).message).toContain('nested deeper than 32');
      }
    }
  });

  test('when a prefix is unknown', () => {
    for (let prefix = 0x0f; prefix < 256; prefix++) {
      expect(refuseValue(prefix.toString(16).padStart(2, '0')).offset).toBe(0);
    }
  });

  test.each([
    ['an address version of 32', `0520${'00'.repeat(20)}`, 1],
    ['an empty contract name', `0616${'00'.repeat(20)}00`, 22],
    ['a contract name of 129 bytes', `0616${'00'.repeat(20)}81${'61'.repeat(129)}`, 22],
    ['a contract name with a dot', `0616${'00'.repeat(20)}03612e62`, 23],
    ['a contract name that starts with a digit', `0616${'00'.repeat(20)}0131`, 23],
    ['an empty tuple key', '0c00000001000303', 5],
    ['a tuple key with a blank', '0c00000001012003', 6],
    ['a tuple key twice in a row', '0c00000002016103016104', 8],
    ['a tuple key twice out of order', '0c00000003016203016104016203', 11],
    ['a lone continuation byte', '0e0000000180', 5],
    ['an overlong UTF-8 form', '0e00000002c080', 5],
    ['a UTF-8 surrogate', '0e00000003eda080', 5],
    ['a UTF-8 character beyond the last', '0e00000004f4908080', 5],
    ['a UTF-8 character cut short', '0e0000000361e282', 6],
  ])('for %s', (_, hex, offset) => expect(refuseValue(hex).offset).toBe(offset));

  test('without taking long, for thousands of keys in falling order', () => {
    // The shortest keys there are, from the last in order to the first, and then the first again.
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const keys: string[] = [];
    for (const a of letters) for (const b of letters) for (const c of letters) keys.push(a + b + c);
    keys.reverse().push('aaa');
    const body = keys.map(key => `03${Buffer.from(key).toString('hex')}09`).join('');
    const hex = `0c${keys.length.toString(16).padStart(8, '0')}${body}`;
    expect(refuseValue(hex).message).toContain('tuple key aaa repeated');
  });
});

describe('a transaction is refused', () => {
  test('when cut at any length', () => {
    const random = new Random(4);
    for (let i = 0; i < 60; i++) {
      const bytes = encodeTransaction(generate.transaction(random));
      for (let length = 0; length < bytes.length; length++) refusal(decodeTransaction, bytes.subarray(0, length));
    }
  });

  test('when bytes are left over', () => {
    const bytes = encodeTransaction(generate.transaction(new Random(5)));
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expect(refusal(decodeTransaction, longer).offset).toBe(bytes.length);
  });

  const single = `00${'11'.repeat(20)}${'00'.repeat(16)}00${'22'.repeat(65)}`;
  test.each([
    ['authorization type', '0000000001 03', 5],
    ['hash mode', '0000000001 04 04', 6],
    ['hash mode', '0000000001 04 06', 6],
    ['key encoding', `0000000001 04 00${'11'.repeat(20)}${'00'.repeat(16)}02${'22'.repeat(65)}`, 43],
    ['authorization field', `0000000001 04 01${'11'.repeat(20)}${'00'.repeat(16)}00000001 04 ${'33'.repeat(65)}`, 47],
    ['anchor mode', `0000000001 04 ${single} 00 01 00000000`, 109],
    ['anchor mode', `0000000001 04 ${single} 04 01 00000000`, 109],
    ['post-condition mode', `0000000001 04 ${single} 01 00 00000000`, 110],
    ['post-condition type', `0000000001 04 ${single} 01 01 00000001 05 01 01`, 115],
    ['post-condition principal', `0000000001 04 ${single} 01 01 00000001 00 04 01`, 116],
    ['condition code', `0000000001 04 ${single} 01 01 00000001 00 01 10 ${'00'.repeat(8)}`, 117],
    ['condition code', `0000000001 04 ${single} 01 01 00000001 04 01 33`, 117],
    ['payload type', `0000000001 04 ${single} 01 01 00000000 09`, 115],
    ['Clarity version', `0000000001 04 ${single} 01 01 00000000 06 00`, 116],
    ['Clarity version', `0000000001 04 ${single} 01 01 00000000 06 08`, 116],
    ['tenure change cause', `0000000001 04 ${single} 01 01 00000000 07 ${'00'.repeat(96)} 07`, 212],
  ])('for an unknown %s', (what, text, offset) => {
    const error = refusal(decodeTransaction, fromHex(text.replaceAll(' ', '')));
    expect(error.message).toContain(what);
    expect(error.offset).toBe(offset);
  });

  test.each([
    ['fields', `0000000001 04 01${'11'.repeat(20)}${'00'.repeat(16)}ffffffff`],
    ['post-conditions', `0000000001 04 ${single} 01 01 ffffffff`],
    ['source', `0000000001 04 ${single} 01 01 00000000 01 0161 ffffffff 00`],
    ['arguments', `0000000001 04 ${single} 01 01 00000000 02 16${'00'.repeat(20)} 0161 0161 ffffffff 03`],
  ])('for more %s than bytes', (_, text) => {
    expect(refusal(decodeTransaction, fromHex(text.replaceAll(' ', ''))).message).toMatch(/left/);
  });
});

test.each([
  '',
  'S',
  'SP',
  'SP000000000000000000002Q6VF7',
  'SP000000000000000000002Q6VF79',
  'XP000000000000000000002Q6VF78',
])('the address %j is refused', text => expect(() => decodeAddress(text)).toThrow(CodecError));

test('one address has one text: zeros neither more nor fewer, no foreign digit', () => {
  const address = 'SP000000000000000000002Q6VF78';
  expect(isPrincipal(address)).toBe(true);
  expect(isPrincipal(address.replace('SP0', 'SP00'))).toBe(false);
  expect(isPrincipal(address.replace('SP0', 'SP'))).toBe(false);
  expect(isPrincipal(`${address.slice(0, -1)}U`)).toBe(false);
  expect(isPrincipal(`${address.slice(0, -1)}é`)).toBe(false);
});

test('principals and assets are refused where they break', () => {
  const address = 'SP000000000000000000002Q6VF78';
  for (const text of [`${address}.`, `${address}.1`, `${address}.a.b`, `.a`, `${address}.${'a'.repeat(129)}`]) {
    expect(() => parsePrincipal(text)).toThrow(CodecError);
  }
  for (const text of [address, `${address}::a`, `${address}.a::`, `${address}.a:b`]) {
    expect(() => parseAssetId(text)).toThrow(CodecError);
  }
  for (const bytes of [new Uint8Array(20), new Uint8Array(22), new Uint8Array(21).fill(32, 0, 1)]) {
    expect(() => principalFromBytes(bytes)).toThrow(CodecError);
  }
});

test.each(['0', '0x0', 'zz', '0x0g', `${'00'.repeat(40)}0g`, `${'00'.repeat(40)}0`])('the hex %j is refused', text => {
  expect(() => fromHex(text)).toThrow(CodecError);
});
