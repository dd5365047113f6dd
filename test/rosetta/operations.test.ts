import {
  buffer,
  err,
  list,
  none,
  ok,
  principal,
  some,
  stringAscii,
  tuple,
  uint,
} from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { memoText } from '../../src/chain/memo.ts';
import { poxCalls } from '../../src/chain/pox/print.ts';
import { isStx } from '../../src/rosetta/operations/currency.ts';
import { lockChanges } from '../../src/rosetta/operations/lock-changes.ts';
import { listTypes } from '../../src/rosetta/operations/operation-types.ts';
import {
  creditsTransaction,
  type Fact,
  type OperationSource,
  operationsOf,
} from '../../src/rosetta/operations/operations.ts';
import { printedAct } from '../../src/rosetta/operations/pox-prints.ts';

const network = parseNetwork('testnet')!;
const [sender, other, third] = [
  'ST2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQYAC0RQ',
  'ST1HB1T8WRNBYB0Y3T7WXZS38NKKPTBR3EG9EPJKR',
  'STF9B75ADQAVXQHNEQ6KGHXTG7JP305J2GRWF3A2',
] as const;
const boot = 'ST000000000000000000002AMW42H';
const txId = `0x${'11'.repeat(32)}`;

const signed = { tx_id: txId, fee_rate: '10', sender_address: sender, tx_status: 'success' };
const hexOf = (value: ClarityValue) => toHex(encodeClarity(value));

function call(
  contract_id: string,
  function_name: string,
  args: ClarityValue[],
  result?: ClarityValue,
): OperationSource {
  const function_args = args.map(value => ({ hex: hexOf(value), repr: '', name: '', type: '' }));
  return {
    ...signed,
    tx_type: 'contract_call',
    contract_call: { contract_id, function_name, function_signature: '', function_args },
    ...(result && { result: encodeClarity(result) }),
  };
}

const told = (source: OperationSource, facts: Fact[] = [], compat = false) =>
  operationsOf(source, { network, compat, facts }).map(({ type, status, account, amount }) => [
    type,
    status,
    account?.address,
    amount?.value,
  ]);

const rewardAddress = tuple({ version: buffer(Uint8Array.of(0)), hashbytes: buffer(new Uint8Array(20)) });

test('stacking operations show the request and its result', () => {
  const result = ok(tuple({ stacker: principal(sender), 'lock-amount': uint(100), 'unlock-burn-height': uint(900) }));
  const source = call(`${boot}.pox-4`, 'stack-stx', [uint(100), rewardAddress, uint(500), uint(2)], result);
  const [, operation] = operationsOf(source, { network, compat: true });
  expect(operation).toMatchObject({
    type: 'stack_stx',
    metadata: {
      amount_ustx: '100',
      pox_addr: 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
      start_burn_height: '500',
      lock_period: '2',
      unlock_burn_height: '900',
      stacker_address: sender,
    },
  });
  const failed = call(`${boot}.pox-4`, 'stack-stx', [uint(100), tuple({}), uint(500), uint(2)], err(uint(3)));
  expect(operationsOf(failed, { network, compat: true })[1]!.metadata).toEqual({
    amount_ustx: '100',
    pox_addr: 'Invalid',
    start_burn_height: '500',
    lock_period: '2',
  });
});

test('a pending delegation is shown as asked for; to clients of the incumbent its result is never ok', () => {
  const address = some(rewardAddress);
  const source = call(`${boot}.pox-4`, 'delegate-stx', [uint(7), principal(other), none, address], ok(none));
  const pending = { ...source, tx_status: 'pending', result: undefined };
  const metadata = (compat: boolean) => operationsOf(compat ? source : pending, { network, compat })[1]!.metadata;
  const asked = { amount_ustx: '7', delegate_to: other, until_burn_height: 'none', pox_addr: hexOf(rewardAddress) };
  expect(metadata(false)).toEqual(asked);
  expect(metadata(true)).toEqual({ ...asked, result: 'false' });
  const until = call(`${boot}.pox-3`, 'delegate-stx', [uint(7), principal(other), some(uint(44)), none], err(uint(1)));
  expect(operationsOf(until, { network, compat: true })[1]!.metadata).toMatchObject({
    until_burn_height: '44',
    pox_addr: 'none',
    result: 'false',
  });
  const revoked = call(`${boot}.pox-4`, 'revoke-delegate-stx', [], ok(none));
  expect(operationsOf(revoked, { network, compat: true })[1]).toMatchObject({
    type: 'revoke_delegate_stx',
    metadata: { result: 'false' },
  });
  expect(operationsOf(revoked, { network, compat: false })[1]!.type).toBe('contract_call');
  expect(operationsOf(call(`${sender}.pox-4`, 'revoke-delegate-stx', []), { network, compat: false })[1]!.type).toBe(
    'contract_call',
  );
});

test('burnt tokens are taken from their owner', () => {
  const facts: Fact[] = [
    { kind: 'burn', sender: third, amount: 1n },
    { kind: 'transfer', sender: other, recipient: third, amount: 2n, memo: new Uint8Array(0) },
    { kind: 'burn', sender: third, amount: 3n },
  ];
  const source = call(`${other}.shop`, 'buy', []);
  expect(told(source, facts).filter(([type]) => type === 'token_burn')).toEqual([
    ['token_burn', 'success', third, '-1'],
    ['token_burn', 'success', third, '-3'],
  ]);
  expect(told(source, facts, true).filter(([type]) => type === 'burn')).toEqual([
    ['burn', 'success', sender, '-1'],
    ['burn', 'success', other, '-3'],
  ]);
});

test('payments of the bulk contract carry their memos', () => {
  const contract = 'ST3F1X4QGV2SM8XD96X45M6RTQXKA1PZJZZCQAB4B.send-many-memo';
  const row = (memo: string) => tuple({ to: principal(other), ustx: uint(1), memo: buffer(Buffer.from(memo)) });
  const facts: Fact[] = ['a', 'b'].map(() => ({
    kind: 'transfer',
    sender,
    recipient: other,
    amount: 1n,
    memo: new Uint8Array(0),
  }));
  const operations = operationsOf(call(contract, 'send-many', [list([row('first'), row('')])]), {
    network,
    compat: false,
    facts,
  });
  expect(operations.slice(2).map(({ metadata }) => metadata)).toEqual([
    { memo: 'first' },
    { memo: 'first' },
    undefined,
    undefined,
  ]);
});

test('the fee payer of a poison transaction is shown, if there is one', () => {
  const payload = {
    tx_type: 'poison_microblock' as const,
    poison_microblock: { microblock_header_1: '', microblock_header_2: '' },
  };
  expect(told({ ...signed, ...payload })).toEqual([
    ['fee', 'success', sender, '-10'],
    ['poison_microblock', 'success', sender, undefined],
  ]);
  expect(told({ ...signed, ...payload }, [], true)).toEqual([['poison_microblock', 'success', sender, undefined]]);
  expect(told({ ...signed, ...payload, fee_rate: '0' })).toHaveLength(1);
});

test('a status that nobody listed becomes one that is', () => {
  const source = { ...call(`${other}.shop`, 'buy', []), tx_status: 'from_the_future' };
  expect(told(source)).toEqual([
    ['fee', 'success', sender, '-10'],
    ['contract_call', 'unknown', sender, undefined],
  ]);
});

test('transfers are two operations that know each other', () => {
  const facts: Fact[] = [{ kind: 'transfer', sender, recipient: other, amount: 5n, memo: Buffer.from('hi\0') }];
  const operations = operationsOf(call(`${other}.shop`, 'buy', []), { network, compat: false, facts });
  expect(operations.slice(2)).toMatchObject([
    {
      operation_identifier: { index: 2 },
      coin_change: { coin_action: 'coin_spent', coin_identifier: { identifier: `${txId}:2` } },
      metadata: { memo: 'hi' },
    },
    {
      operation_identifier: { index: 3 },
      related_operations: [{ index: 2 }],
      coin_change: { coin_action: 'coin_created', coin_identifier: { identifier: `${txId}:3` } },
    },
  ]);
});

test('what a block gives without a coinbase has a transaction of its own', () => {
  const { operations } = creditsTransaction('0xab', {
    rewards: [{ recipient: sender, amount: 9n }],
    unlocks: [
      { account: other, amount: 4n },
      { account: third, amount: -1n },
    ],
  });
  expect(operations.map(({ type, account, amount }) => [type, account?.address, amount?.value])).toEqual([
    ['miner_reward', sender, '9'],
    ['stx_unlock', other, '4'],
    ['stx_lock', third, '-1'],
  ]);
});

test('memos end before their zero bytes', () => {
  expect(memoText(new Uint8Array(34))).toBeNull();
  expect(memoText(Buffer.from('a\0b\0\0'))).toBe('a\0b');
});

test('locks end one burn block earlier for the node than for the incumbent', () => {
  const lock = { account: sender, contract: `${boot}.pox-4`, amount: 8n, unlockHeight: 50 };
  const at = (burnHeight: number) => ({ burnHeight, forcedHeights: [] });
  const unlocks = (from: number, to: number, rule: 'node' | 'public') =>
    lockChanges({ before: [lock], during: [], from: at(from), to: at(to), rule }).unlocks;
  expect(unlocks(49, 50, 'node')).toEqual([{ account: sender, amount: 8n }]);
  expect(unlocks(49, 50, 'public')).toEqual([]);
  expect(unlocks(50, 51, 'public')).toEqual([{ account: sender, amount: 8n }]);
  expect(unlocks(50, 49, 'node')).toEqual([{ account: sender, amount: -8n }]);
});

const mined = (facts: Fact[]) =>
  operationsOf(call(`${other}.shop`, 'buy', []), { network, compat: false, facts }).slice(2);
const gold = { type: 'ft' as const, asset: `${other}.gold::gold-token` };

test('tokens move beside STX, in plain digits, and never count as STX', () => {
  const amount = 1_300_000_000_000_000_000_000_000n;
  const value = { hex: '0x0100000000000000000000000000000007', repr: 'u7' };
  const card = { type: 'nft' as const, asset: `${other}.cards::STX`, value };
  const operations = mined([
    { kind: 'token', movement: 'transfer', token: gold, sender, recipient: third, amount },
    { kind: 'token', movement: 'mint', token: gold, sender: '', recipient: other, amount: 5n },
    { kind: 'token', movement: 'burn', token: card, sender: third, recipient: '', amount: 1n },
  ]);
  const ofGold = { symbol: 'gold-token', decimals: 0, metadata: { token_type: 'ft', asset_identifier: gold.asset } };
  expect(operations.map(({ type, account, amount }) => ({ type, account: account!.address, amount }))).toEqual([
    { type: 'token_transfer', account: sender, amount: { value: `-${amount}`, currency: ofGold } },
    { type: 'token_transfer', account: third, amount: { value: '1300000000000000000000000', currency: ofGold } },
    { type: 'token_mint', account: other, amount: { value: '5', currency: ofGold } },
    {
      type: 'token_burn',
      account: third,
      amount: {
        value: '-1',
        currency: { symbol: 'STX', decimals: 0, metadata: { token_type: 'nft', asset_identifier: card.asset, value } },
      },
    },
  ]);
  expect(operations[1]!.related_operations).toEqual([{ index: 2 }]);
  expect(operations.filter(({ amount }) => isStx(amount!.currency))).toEqual([]);
});

const printOf = (contract: string, value: ClarityValue): Fact => {
  const bytes = encodeClarity(value);
  const shown = { ...clarityJson(bytes), type: 'x' };
  return { kind: 'log', contract, value: shown, act: printedAct(contract, bytes, network) };
};

test('a print is shown, and what a stacking contract prints is an operation without an amount', () => {
  const stacked = ok(
    tuple({
      name: stringAscii('stack-stx'),
      stacker: principal(sender),
      locked: uint(0),
      balance: uint(900),
      'burnchain-unlock-height': uint(0),
      data: tuple({
        'lock-amount': uint(100),
        'lock-period': uint(2),
        'pox-addr': rewardAddress,
        'unlock-burn-height': uint(2n ** 100n),
        'signer-key': buffer(Uint8Array.of(2, 3)),
      }),
    }),
  );
  const staked = tuple({
    topic: stringAscii('stake-update'),
    staker: principal(sender),
    signer: principal(`${other}.manager`),
    'amount-ustx': uint(300),
    'amount-increase': uint(100),
    'num-cycles': uint(3),
    'prev-unlock-height': uint(9),
  });
  const operations = mined([
    printOf(`${other}.shop`, uint(5)),
    printOf(`${boot}.pox-4`, stacked),
    printOf(`${boot}.pox-5`, staked),
    printOf(`${other}.pox-5`, staked),
    printOf(`${boot}.pox-5`, tuple({ topic: stringAscii('calculate-rewards') })),
  ]);
  expect(operations.map(({ type }) => type)).toEqual([
    'contract_log',
    'contract_log',
    'stack_stx',
    'contract_log',
    'stake_update',
    'contract_log',
    'contract_log',
  ]);
  expect(operations[0]!.metadata).toEqual({
    contract_identifier: `${other}.shop`,
    topic: 'print',
    value: { hex: '0x0100000000000000000000000000000005', repr: 'u5', type: 'x' },
  });
  expect(operations[2]).toMatchObject({ account: { address: sender } });
  expect(operations[2]).not.toHaveProperty('amount');
  expect(operations[2]!.metadata).toEqual({
    locked: '100',
    balance: '800',
    burnchain_unlock_height: String(2n ** 100n),
    pox_addr: 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
    lock_amount: '100',
    lock_period: 2,
    unlock_burn_height: String(2n ** 100n),
    signer_key: '0x0203',
  });
  expect(operations[4]!.metadata).toEqual({
    signer: `${other}.manager`,
    amount_ustx: '300',
    amount_increase: '100',
    num_cycles: 3,
    prev_unlock_height: 9,
  });
});

test('every operation type is one of the list that clients read first', () => {
  const types = listTypes(false) as string[];
  for (const name of Object.keys(poxCalls)) expect(types).toContain(name.replaceAll('-', '_'));
  expect(new Set(types).size).toBe(types.length);
  expect(listTypes(true)).toHaveLength(15);
});
