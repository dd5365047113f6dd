import { expect, test } from 'vitest';
import { handleText, type RpcResult } from '../../src/realtime/json-rpc.ts';
import type { Topic } from '../../src/realtime/topic.ts';
import { handler } from '../../src/realtime/ws-rpc.ts';

const address = 'SP3FGQ8Z7JY9BWYZ5WM53E0M9NK7WHJF0691NZ159';
const asset = 'SP000000000000000000002Q6VF78.bns::names';

/** What a client that says this is answered, with the topics it has afterwards. */
function say(message: unknown, most = 10) {
  const topics = new Map<string, Topic>();
  const session = {
    subscribe: (topic: Topic) => topics.size < most && topics.set(JSON.stringify(topic), topic) !== undefined,
    unsubscribe: (topic: Topic) => void topics.delete(JSON.stringify(topic)),
    openStream: () => {},
    closeStream: () => {},
  };
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const answer = handleText(text, handler(session, most));
  return { answer: answer === undefined ? undefined : JSON.parse(answer), topics: [...topics.values()] };
}

const request = (params: unknown, method = 'subscribe') => ({ jsonrpc: '2.0', id: 1, method, params });
const error = (code: number, message: string, data?: string) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { message, code, ...(data !== undefined && { data }) },
});

test.each([
  ['no JSON', 'not json', { ...error(-32_700, 'Parse error', 'not json'), id: null }],
  ['an unknown method', request({}, 'nope'), error(-32_601, 'Method not found')],
  ['no event', request({}), error(-32_602, 'Invalid params', 'subscription requests must include an event name')],
  [
    'no parameters',
    request(undefined),
    error(-32_602, 'Invalid params', 'subscription requests must include an event name'),
  ],
  [
    'an unknown event',
    request({ event: 'bogus' }),
    error(-32_602, 'Invalid params', 'subscription request must use a valid event name'),
  ],
  ['a wrong id', request({ event: 'tx_update', tx_id: 'bad' }), error(-32_602, 'Invalid params', 'invalid tx_id')],
  ['no id', request({ event: 'tx_update' }), error(-32_602, 'Invalid params', 'invalid tx_id')],
  [
    'a wrong address',
    request({ event: 'address_tx_update', address: 'bad' }),
    error(-32_602, 'Invalid params', 'invalid address'),
  ],
  ['no address', request({ event: 'address_balance_update' }), error(-32_602, 'Invalid params', 'invalid address')],
  [
    'an answer',
    { jsonrpc: '2.0', id: 1, result: 1 },
    error(-32_600, 'Invalid request', 'unexpected success msg from client'),
  ],
  [
    'a wrong asset',
    request({ event: 'nft_collection_event', asset_identifier: 'x' }),
    error(-32_602, 'Invalid params', 'invalid asset_identifier'),
  ],
  [
    'a wrong value',
    request({ event: 'nft_asset_event', asset_identifier: asset, value: 'zz' }),
    error(-32_602, 'Invalid params', 'invalid value'),
  ],
  ['another version', { id: 1, method: 'subscribe' }, error(-32_600, 'Invalid request')],
  ['no object', '5', { ...error(-32_600, 'Invalid request'), id: null }],
  ['an empty batch', [], { ...error(-32_600, 'Invalid request', 'the batch is empty'), id: null }],
])('%s is refused with the code that clients know', (_, message, expected) => {
  expect(say(message)).toEqual({ answer: expected, topics: [] });
});

test.each<[string, object, object, Topic]>([
  ['blocks', { event: 'block' }, {}, { kind: 'block', key: '' }],
  [
    'an id without 0x',
    { event: 'tx_update', tx_id: 'AB'.repeat(32) },
    { tx_id: `0x${'ab'.repeat(32)}` },
    { kind: 'transaction', key: `0x${'ab'.repeat(32)}` },
  ],
  ['an address', { event: 'address_tx_update', address }, { address }, { kind: 'address-transaction', key: address }],
  [
    'a balance',
    { event: 'address_balance_update', address },
    { address },
    { kind: 'address-stx-balance', key: address },
  ],
  [
    'a collection',
    { event: 'nft_collection_event', asset_identifier: asset },
    { asset_identifier: asset },
    { kind: 'nft-collection-event', key: asset },
  ],
  [
    'an item',
    { event: 'nft_asset_event', asset_identifier: asset, value: '0x01' },
    { asset_identifier: asset, value: '0x01' },
    { kind: 'nft-asset-event', key: `${asset}+0x01` },
  ],
])('%s can be subscribed to', (_, params, result, topic) => {
  expect(say(request(params))).toEqual({ answer: { jsonrpc: '2.0', id: 1, result }, topics: [topic] });
});

test('a batch is answered as one, a notification not at all', () => {
  const one = { ...request({ event: 'block' }), id: 8 };
  const other = { ...request({ event: 'block' }, 'unsubscribe'), id: 9 };
  const notification = { jsonrpc: '2.0', method: 'subscribe', params: { event: 'mempool' } };
  expect(say(notification)).toEqual({ answer: undefined, topics: [] });
  expect(say([notification])).toEqual({ answer: undefined, topics: [] });
  expect(say([one, notification, other])).toEqual({
    answer: [
      { jsonrpc: '2.0', id: 8, result: {} },
      { jsonrpc: '2.0', id: 9, result: {} },
    ],
    topics: [],
  });
});

test('a subscription to no item in particular is confirmed, as clients know it, and does nothing', () => {
  expect(say(request({ event: 'nft_asset_event' }))).toEqual({
    answer: { jsonrpc: '2.0', id: 1, result: {} },
    topics: [],
  });
});

test('more subscriptions or a larger batch than allowed are refused', () => {
  const batch = Array.from({ length: 12 }, (_, id) => ({
    ...request({ event: 'tx_update', tx_id: String(id).padStart(64, '0') }),
    id,
  }));
  const { answer, topics } = say(batch);
  expect(topics.length).toBe(10);
  expect(answer.slice(10).map((each: Extract<RpcResult, { error: unknown }>) => each.error.code)).toEqual([
    -32_005, -32_005,
  ]);
  const huge = Array.from({ length: 1_001 }, () => request({ event: 'block' }));
  expect(say(huge).answer.error.code).toBe(-32_005);
});
