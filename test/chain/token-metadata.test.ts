import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import * as clarity from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { collectionModel } from '@cairn-stacks/devnet/contracts/collection-model';
import { interfaceOf } from '@cairn-stacks/devnet/contracts/contract-model';
import { fungibleModel } from '@cairn-stacks/devnet/contracts/fungible-model';
import { pebbleModel } from '@cairn-stacks/devnet/contracts/pebble-model';
import { expect, test } from 'vitest';
import { readSftMint } from '../../src/chain/tokens/sft-mint.ts';
import { tokenContractOf } from '../../src/chain/tokens/token-class.ts';
import { readTokenNotification } from '../../src/chain/tokens/token-notification.ts';
import { readText, readUint, tokenUriOf } from '../../src/chain/tokens/token-values.ts';
import { alice } from '../support/pox-chain.ts';

const { list, none, ok, principal, some, stringAscii, stringUtf8, tuple, uint } = clarity;
const [ft, nft, sft] = [fungibleModel, collectionModel, pebbleModel].map(model => interfaceOf(model, true));

test('a contract is a token by the names and argument types of its functions', () => {
  expect(tokenContractOf(ft)).toEqual({ tokenClass: 'ft', asset: 'stone' });
  expect(tokenContractOf(nft)).toEqual({ tokenClass: 'nft', asset: 'marble' });
  expect(tokenContractOf(sft)).toEqual({ tokenClass: 'sft', asset: 'pebble' });
});

test('return types, access, argument names and further functions do not matter', () => {
  const odd = ft!.functions.map(each => ({
    ...each,
    access: 'public',
    args: each.args.map(({ type }) => ({ name: 'x', type })),
    outputs: { type: 'bool' as AbiType },
  }));
  expect(tokenContractOf({ ...ft, functions: [...odd, { ...odd[0], name: 'more' }] })?.tokenClass).toBe('ft');
});

test('the class follows from the functions, whatever native tokens a contract has besides', () => {
  const tokens = { fungible_tokens: [{ name: 'f' }], non_fungible_tokens: [{ name: 'n' }] };
  const classes = [sft, nft, ft].map(abi => tokenContractOf({ ...abi, ...tokens }));
  expect(classes).toEqual([
    { tokenClass: 'sft', asset: 'n' },
    { tokenClass: 'nft', asset: 'n' },
    { tokenClass: 'ft', asset: 'f' },
  ]);
});

test('a contract without native token, with another argument type or without interface is no token', () => {
  expect(tokenContractOf({ ...ft, fungible_tokens: [] })).toBeUndefined();
  expect(tokenContractOf({ ...nft, non_fungible_tokens: [] })).toBeUndefined();
  const functions = ft!.functions.map(each =>
    each.name === 'get-name' ? { ...each, args: nft!.functions[1]!.args } : each,
  );
  expect(tokenContractOf({ ...ft, functions })).toBeUndefined();
  for (const bad of [null, undefined, 5, {}, { functions: 'x' }, { functions: [null, {}] }])
    expect(tokenContractOf(bad)).toBeUndefined();
});

test('a mint of a semi-fungible token is a print with its number, amount and recipient', () => {
  const mint = { type: stringAscii('sft_mint'), 'token-id': uint(7), amount: uint(1), recipient: principal(alice) };
  expect(readSftMint(encodeClarity(tuple(mint)))).toBe(7n);
  expect(readSftMint(encodeClarity(tuple({ ...mint, type: stringAscii('sft_burn') })))).toBeUndefined();
  expect(readSftMint(encodeClarity(tuple({ ...mint, 'token-id': clarity.int(7) })))).toBeUndefined();
  expect(readSftMint(Buffer.from('sft_mint'))).toBeUndefined();
});

test('a notice names tokens, how they change and how long they are valid', () => {
  const notice = (payload: Record<string, ClarityValue>) =>
    readTokenNotification(
      encodeClarity(
        tuple({
          notification: stringAscii('token-metadata-update'),
          payload: tuple({ 'token-class': stringAscii('nft'), 'contract-id': principal(`${alice}.art`), ...payload }),
        }),
      ),
    );
  expect(notice({})).toMatchObject({ tokenIds: undefined, mode: 'standard', ttl: undefined });
  expect(notice({ 'update-mode': stringAscii('frozen'), 'token-ids': list([uint(1), uint(2)]) })).toMatchObject({
    ...{ tokenIds: [1n, 2n], mode: 'frozen' },
  });
  expect(notice({ 'update-mode': stringAscii('dynamic'), ttl: uint(60) })).toMatchObject({ mode: 'dynamic', ttl: 60n });
  expect(notice({ 'update-mode': stringAscii('toString'), 'token-ids': none })).toMatchObject({
    ...{ mode: 'standard', tokenIds: undefined },
  });
});

test('values are unwrapped to any depth; zero is a value, none and the empty text are not', () => {
  expect(readText(ok(some(ok(stringUtf8('Stein ⛰')))))).toEqual({ value: 'Stein ⛰' });
  expect(readText(ok(none))).toEqual({ value: null });
  expect(readText(stringAscii(''))).toEqual({ value: null });
  expect(readText(ok(stringAscii('a\0b')))).toEqual({ value: 'a\ufffdb' });
  expect(readUint(ok(uint(0)))).toEqual({ value: 0n });
  expect(readUint(clarity.err(uint(1)))).toEqual({ unexpected: 'an error response' });
  expect(readText(ok(uint(1)))).toEqual({ unexpected: 'a value of type uint' });
});

test('the number of a token replaces {id} in its URI', () => {
  expect(tokenUriOf('ipfs://x/{id}/{ID}.json', 2n ** 128n - 1n)).toBe(
    `ipfs://x/${2n ** 128n - 1n}/${2n ** 128n - 1n}.json`,
  );
});
