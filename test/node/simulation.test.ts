import { bool, err, ok, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { MessageError } from '../../src/node/message-error.ts';
import { readSimulation } from '../../src/node/simulation.ts';

const id = 'ab'.repeat(32);
const txId = Buffer.from(id, 'hex');
const [alice, bob] = ['ST10AGQRT8N6ABJ9TW5NNSP8K59QXNWB1HEGZX6Z0', 'ST000000000000000000002AMW42H'];
const cost = { runtime: 5, read_count: 4, read_length: 3, write_count: 2, write_length: 1 };
const transfer = (index: number, more: object = {}) => ({
  ...{ txid: `0x${id}`, event_index: index, committed: true, type: 'stx_transfer_event' },
  stx_transfer_event: { sender: alice, recipient: bob, amount: '7', memo: '', ...more },
});
const good = {
  txid: id,
  tip_block_id: '01'.repeat(32),
  consensus_hash: '02'.repeat(20),
  block_height: 9,
  result_hex: toHex(encodeClarity(ok(bool(true)))),
  stx_burned: 0,
  execution_cost: cost,
  execution_limit: { ...cost, runtime: 5_000_000_000 },
  events: [transfer(1), transfer(0, { amount: '8' })],
  post_condition_aborted: false,
  vm_error: null,
};
const read = (response: object) => readSimulation(Buffer.from(JSON.stringify(response)), txId);
const without = (key: keyof typeof good) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));

test('the status follows from the result and the post-conditions, and events are in order', () => {
  expect(read(good)).toMatchObject({
    status: 'success',
    height: 9,
    vmError: undefined,
    limit: { runtime: 5_000_000_000n },
    events: [
      { index: 0, event: { amount: 8n } },
      { index: 1, event: { amount: 7n } },
    ],
  });
  const failed = toHex(encodeClarity(err(uint(1))));
  expect(read({ ...good, result_hex: failed, events: [], vm_error: 'x'.repeat(9_000) })).toMatchObject({
    status: 'abort_by_response',
    vmError: 'x'.repeat(4_096),
  });
  expect(read({ ...good, post_condition_aborted: true, events: [] }).status).toBe('abort_by_post_condition');
});

test('what a newer node adds is no reason to refuse it', () => {
  const strange = { txid: `0x${id}`, event_index: 2, committed: true, type: 'dream_event', dream_event: {} };
  expect(read({ ...good, events: [...good.events, strange], more: [[]] }).events[2]).toMatchObject({
    event: { kind: 'unknown', type: 'dream_event' },
  });
  expect(read({ ...good, result_hex: '0x63' }).status).toBe('success');
});

test.each<[string, unknown]>([
  ['no object', []],
  ['null', null],
  ...(Object.keys(good) as (keyof typeof good)[])
    .filter(key => key !== 'vm_error')
    .map((key): [string, unknown] => [`no ${key}`, without(key)]),
  ['another transaction', { ...good, txid: 'cd'.repeat(32) }],
  ['an event of another transaction', { ...good, events: [{ ...transfer(0), txid: `0x${'cd'.repeat(32)}` }] }],
  ['a result that is no value', { ...good, result_hex: '0x07' }],
  ['a result with bytes left over', { ...good, result_hex: '0x0303' }],
  ['an empty result', { ...good, result_hex: '0x' }],
  ['a tip that is too short', { ...good, tip_block_id: '0102' }],
  ['a height that is no number', { ...good, block_height: 'high' }],
  ['a cost that is none', { ...good, execution_cost: { ...cost, runtime: 1.5 } }],
  ['a negative cost', { ...good, execution_limit: { ...cost, runtime: -1 } }],
  ['a burn that is none', { ...good, stx_burned: -1 }],
  ['a verdict that is none', { ...good, post_condition_aborted: 'no' }],
  ['events that are no list', { ...good, events: {} }],
  ['an event without a body', { ...good, events: [{ ...transfer(0), stx_transfer_event: undefined }] }],
  ['an event of nobody', { ...good, events: [transfer(0, { sender: 'alice' })] }],
  ['an event with a negative amount', { ...good, events: [transfer(0, { amount: '-7' })] }],
])('%s is nonsense', (_, response) => {
  expect(() => readSimulation(Buffer.from(JSON.stringify(response)), txId)).toThrow(MessageError);
});

test.each<[string, string]>([
  ['text', 'hello'],
  ['half of it', JSON.stringify(good).slice(0, 200)],
  ['nothing', ''],
  ['endless brackets', '['.repeat(100_000)],
])('%s is nonsense', (_, body) => {
  expect(() => readSimulation(Buffer.from(body), txId)).toThrow(MessageError);
});

test('an asset that cannot exist is nonsense', () => {
  const event = (asset_identifier: string) => ({
    ...{ txid: `0x${id}`, event_index: 0, committed: true, type: 'ft_mint_event' },
    ft_mint_event: { asset_identifier, recipient: bob, amount: '1' },
  });
  expect(read({ ...good, events: [event(`${alice}.${'c'.repeat(128)}::slice?`)] }).events).toHaveLength(1);
  for (const asset of ['gold', `${alice}::gold`, `${alice}.coin::`])
    expect(() => read({ ...good, events: [event(asset)] })).toThrow('names no asset');
});
