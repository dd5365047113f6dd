import type { AbiFunction, AbiType } from '@cairn-stacks/codec/clarity/abi';
import { list, principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { expect, test } from 'vitest';
import { mayNotify, readTokenNotification } from '../../src/chain/tokens/token-notification.ts';
import { tokenStandardsOf } from '../../src/chain/tokens/token-standard.ts';
import { alice, bob } from '../support/pox-chain.ts';

const ascii = (length: number): AbiType => ({ 'string-ascii': { length } });

function define(name: string, args: AbiType[], ok: AbiType, error: AbiType = 'uint128'): AbiFunction {
  const access = name.startsWith('transfer') ? 'public' : 'read_only';
  const outputs = { type: { response: { ok, error } } };
  return { name, access, args: args.map((type, i) => ({ name: `a${i}`, type })), outputs };
}

const sip10 = (memo: AbiType = { optional: { buffer: { length: 34 } } }) => [
  define('transfer', ['uint128', 'principal', 'principal', memo], 'bool'),
  // Shorter texts and functions that cannot fail occur in real contracts.
  define('get-name', [], ascii(10), 'none'),
  define('get-symbol', [], ascii(4), 'none'),
  define('get-decimals', [], 'uint128', 'none'),
  define('get-total-supply', [], 'uint128', 'none'),
  define('get-balance', ['principal'], 'uint128', 'none'),
  define('get-token-uri', [], { optional: { 'string-utf8': { length: 256 } } }, 'none'),
];

const sip9 = (error: AbiType) => [
  define('get-last-token-id', [], 'uint128', 'none'),
  define('get-token-uri', ['uint128'], { optional: 'none' }, 'none'),
  define('get-owner', ['uint128'], { optional: 'principal' }, 'none'),
  define('transfer', ['uint128', 'principal', 'principal'], 'bool', error),
];

const sip13 = [
  define('get-balance', ['uint128', 'principal'], 'uint128', 'none'),
  define('get-overall-balance', ['principal'], 'uint128', 'none'),
  define('get-total-supply', ['uint128'], 'uint128', 'none'),
  define('get-overall-supply', [], 'uint128', 'none'),
  define('get-decimals', ['uint128'], 'uint128', 'none'),
  define('get-token-uri', ['uint128'], { optional: ascii(256) }, 'none'),
  define('transfer', ['uint128', 'uint128', 'principal', 'principal'], 'bool'),
  define('transfer-memo', ['uint128', 'uint128', 'principal', 'principal', { buffer: { length: 34 } }], 'bool'),
];

test('a contract is of a standard when it has its functions and a token', () => {
  const fungible_tokens = [{ name: 'token' }];
  const non_fungible_tokens = [{ name: 'token', type: 'uint128' }];
  expect(tokenStandardsOf({ functions: sip10(), fungible_tokens })).toEqual([10]);
  expect(tokenStandardsOf({ functions: sip9('uint128'), non_fungible_tokens })).toEqual([9]);
  expect(tokenStandardsOf({ functions: sip13, fungible_tokens, non_fungible_tokens })).toEqual([13]);
  const draft: AbiType = {
    tuple: [
      { name: 'code', type: 'uint128' },
      { name: 'kind', type: ascii(32) },
    ],
  };
  expect(tokenStandardsOf({ functions: sip9(draft), non_fungible_tokens })).toEqual([9]);
});

test('a missing token, a missing function or another type is no standard', () => {
  const fungible_tokens = [{ name: 'token' }];
  expect(tokenStandardsOf({ functions: sip10(), fungible_tokens: [] })).toEqual([]);
  expect(tokenStandardsOf({ functions: sip10().slice(1), fungible_tokens })).toEqual([]);
  expect(tokenStandardsOf({ functions: sip10({ buffer: { length: 34 } }), fungible_tokens })).toEqual([]);
  expect(tokenStandardsOf(null)).toEqual([]);
  expect(tokenStandardsOf({ functions: 'none' })).toEqual([]);
});

const notice = (tokenClass: string, contract: string) =>
  encodeClarity(
    tuple({
      notification: stringAscii('token-metadata-update'),
      payload: tuple({
        'token-class': stringAscii(tokenClass),
        'contract-id': principal(contract),
        'token-ids': list([uint(1)]),
      }),
    }),
  );

test('a notice counts only from who deployed the contract, or from itself', () => {
  const notification = readTokenNotification(notice('nft', `${alice}.art`))!;
  expect(notification).toEqual({
    ...{ contract: `${alice}.art`, tokenClass: 'nft', tokenIds: [1n], mode: 'standard', ttl: undefined },
  });
  expect(mayNotify(notification, alice, `${bob}.other`)).toBe(true);
  expect(mayNotify(notification, bob, `${alice}.art`)).toBe(true);
  expect(mayNotify(notification, bob, `${bob}.other`)).toBe(false);
});

test('other prints are no notices', () => {
  expect(readTokenNotification(notice('stamp', `${alice}.art`))).toBeUndefined();
  expect(readTokenNotification(notice('nft', alice))).toBeUndefined();
  expect(readTokenNotification(encodeClarity(stringAscii('token-metadata-update')))).toBeUndefined();
  expect(readTokenNotification(encodeClarity(tuple({ about: stringAscii('token-metadata-update') })))).toBeUndefined();
});
