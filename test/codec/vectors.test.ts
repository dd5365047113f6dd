import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { type AbiFunction, abiTypeText, functionSignature } from '@cairn-stacks/codec/clarity/abi';
import * as clarity from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { argumentsJson, clarityJson } from '@cairn-stacks/codec/clarity/json';
import { reprClarity, reprValue } from '@cairn-stacks/codec/clarity/repr';
import { typeOfClarity } from '@cairn-stacks/codec/clarity/type';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { Reader } from '@cairn-stacks/codec/reader';
import { readPayload } from '@cairn-stacks/codec/transaction/payload';
import { postConditionJson } from '@cairn-stacks/codec/transaction/post-condition-json';
import {
  decodeTransaction,
  payingCondition,
  senderAddress,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { expect, test } from 'vitest';

const hex = (text: string) => fromHex(text.replaceAll(/\s/g, ''));
const BOOT = 'SP000000000000000000002Q6VF78';

test('a token transfer of a testnet', () => {
  const bytes = hex(`
    80 80000000 04 00 7ce8e31e9120f4b3cb7bea0fed9de8556cadceb9 0000000000000007 000000000000012c 00
    017ff468ce1ed347266928a90b82d5150b5126b699c303a499cb0874c6a8fd4c831e5c54eb1c7927d429c30bd03ace5ba67d27e75248936e3c3a319658deb77170
    03 02 00000000 00 05 1a 79596b2995032f42672a1610356aa2fe09886a6d 00000000000003e8 ${'00'.repeat(34)}`);
  const transaction = decodeTransaction(bytes);
  const { payload } = transaction;
  expect(bytes.length).toBe(180);
  expect(toHex(transactionId(bytes))).toBe('0x2e544d4ae200758ed787a76333dda711ab74f3da56a4f2c95f3dbd92a703e351');
  expect(senderAddress(transaction)).toBe('ST1YEHRRYJ4GF9CYBFFN0ZVCXX1APSBEEQ5KEDN7M');
  expect(payingCondition(transaction)).toMatchObject({ nonce: 7n, fee: 300n });
  expect(transaction).toMatchObject({ chainId: 0x80000000, anchorMode: 'any', postConditionMode: 'deny' });
  if (payload.type !== 'token_transfer') throw new Error(payload.type);
  expect(formatPrincipal(payload.recipient)).toBe('ST1WNJTS9JM1JYGK758B10DBAMBZ0K23ADP392SBV');
  expect(payload.amount).toBe(1000n);
});

test('a tenure change', () => {
  const end = 'ca'.repeat(32);
  const payload = readPayload(
    new Reader(
      hex(`07 64799613f7c9be65abbbfe051aac2fbb7b01bda2 803cd0d7da7d5c22da5418ecc61f5f31ea634a68
        64799613f7c9be65abbbfe051aac2fbb7b01bda2 ${end} 00000001 00 b6c8b1779e32f9468ff4ed56d0669a5943313ca2`),
    ),
  );
  expect(payload).toMatchObject({ type: 'tenure_change', cause: 'block_found', previousTenureBlocks: 1 });
});

test.each([
  [clarity.int(-5), '-5', 'int'],
  [clarity.int(-(2n ** 127n)), '-170141183460469231731687303715884105728', 'int'],
  [clarity.uint(100), 'u100', 'uint'],
  [clarity.uint(2n ** 53n), 'u9007199254740992', 'uint'],
  [clarity.uint(2n ** 128n - 1n), 'u340282366920938463463374607431768211455', 'uint'],
  [clarity.bool(true), 'true', 'bool'],
  [clarity.buffer(Uint8Array.of(1, 2)), '0x0102', '(buff 2)'],
  [clarity.buffer(new Uint8Array()), '0x', '(buff 0)'],
  [clarity.principal(BOOT), `'${BOOT}`, 'principal'],
  [clarity.principal(`${BOOT}.pox`), `'${BOOT}.pox`, 'principal'],
  [clarity.ok(clarity.bool(true)), '(ok true)', '(response bool UnknownType)'],
  [clarity.err(clarity.none), '(err none)', '(response UnknownType (optional UnknownType))'],
  [clarity.some(clarity.uint(74834408518)), '(some u74834408518)', '(optional uint)'],
  [clarity.list([clarity.uint(1), clarity.uint(2)]), '(list u1 u2)', '(list 2 uint)'],
  [clarity.list([]), '(list)', '(list 0 UnknownType)'],
  [
    clarity.tuple({ b: clarity.none, a: clarity.uint(1) }),
    '(tuple (a u1) (b none))',
    '(tuple (a uint) (b (optional UnknownType)))',
  ],
  [clarity.tuple({}), '(tuple)', '(tuple)'],
  [clarity.stringAscii('he said "x"'), '"he said \\"x\\""', '(string-ascii 11)'],
  [clarity.stringAscii("\t\r\n'\\\0\x7f"), '"\\t\\r\\n\\\'\\\\\\x00\\x7f"', '(string-ascii 7)'],
  [clarity.stringUtf8('aé'), 'u"a\\u{c3a9}"', '(string-utf8 8)'],
  [clarity.stringUtf8('😀'), 'u"\\u{f09f9880}"', '(string-utf8 4)'],
])('%# has its text and its type', (value, repr, type) => {
  const bytes = encodeClarity(value);
  expect(reprClarity(bytes)).toBe(repr);
  expect(reprValue(value)).toBe(repr);
  expect(typeOfClarity(bytes)).toBe(type);
});

test('a value as the API shows it', () => {
  const raw = '0x0c00000002046e616d65020000000464616e67096e616d6573706163650200000003627463';
  expect(clarityJson(fromHex(raw))).toEqual({ hex: raw, repr: '(tuple (name 0x64616e67) (namespace 0x627463))' });
});

const transfer: AbiFunction = {
  name: 'transfer',
  access: 'public',
  args: [
    { name: 'amount', type: 'uint128' },
    { name: 'memo', type: { optional: { buffer: { length: 34 } } } },
  ],
  outputs: { type: { response: { ok: 'bool', error: 'uint128' } } },
};

test('signatures of functions and types of interfaces', () => {
  expect(functionSignature(transfer)).toBe('(define-public (transfer (amount uint) (memo (optional (buff 34)))))');
  expect(functionSignature({ ...transfer, access: 'read_only', args: [] })).toBe('(define-read-only (transfer ))');
  expect(abiTypeText(transfer.outputs.type)).toBe('(response bool uint)');
  expect(
    abiTypeText({
      list: {
        type: {
          tuple: [
            { name: 'a', type: 'int128' },
            { name: 'b', type: 'trait_reference' },
          ],
        },
        length: 5,
      },
    }),
  ).toBe('(list 5 (tuple (a int) (b trait_reference)))');
  expect(abiTypeText({ 'string-ascii': { length: 3 } })).toBe('(string-ascii 3)');
  expect(abiTypeText({ 'string-utf8': { length: 3 } })).toBe('(string-utf8 3)');
});

test('arguments have names and types from the interface, or types from their values', () => {
  const args = [clarity.uint(1), clarity.none].map(encodeClarity);
  expect(argumentsJson(args, transfer)).toEqual([
    { hex: `0x01${'0'.repeat(31)}1`, repr: 'u1', name: 'amount', type: 'uint' },
    { hex: '0x09', repr: 'none', name: 'memo', type: '(optional (buff 34))' },
  ]);
  expect(argumentsJson(args).map(arg => [arg.name, arg.type])).toEqual([
    ['', 'uint'],
    ['', '(optional UnknownType)'],
  ]);
});

test('post-conditions as the API shows them', () => {
  const contract = { version: 22, hash: new Uint8Array(20), name: 'nft' };
  expect(
    postConditionJson({
      type: 'non_fungible',
      principal: { type: 'contract', ...contract },
      asset: { contract, asset: 'token' },
      value: encodeClarity(clarity.uint(1)),
      condition: 'not_sent',
    }),
  ).toEqual({
    type: 'non_fungible',
    condition_code: 'not_sent',
    principal: { type_id: 'principal_contract', address: BOOT, contract_name: 'nft' },
    asset: { contract_address: BOOT, contract_name: 'nft', asset_name: 'token' },
    asset_value: { hex: `0x01${'0'.repeat(31)}1`, repr: 'u1' },
  });
  expect(
    postConditionJson({ type: 'stx', principal: { type: 'origin' }, condition: 'sent_equal_to', amount: 5n }),
  ).toEqual({
    type: 'stx',
    condition_code: 'sent_equal_to',
    principal: { type_id: 'principal_origin' },
    amount: '5',
  });
});
