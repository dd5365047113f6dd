import { expect, test } from 'vitest';
import { positionText } from '../../src/chain/position.ts';
import { broker } from '../../src/config/setting.ts';
import { messagesOf } from '../../src/publish/messages.ts';
import type { StreamItem } from '../../src/stream/item.ts';
import { streamTopics } from '../../src/stream/topics.ts';

const all = new Set(streamTopics);
const after = { seq: 1, check: 2, pending: 0, height: 6, indexHash: Buffer.alloc(32, 6), rest: undefined };
const position = { ...after, height: 7, indexHash: Buffer.alloc(32, 7) };
const item = (text: string): StreamItem => ({ json: JSON.stringify(text), principals: new Set(), contract: undefined });

test('a block is published with its items first and itself last, in parts with ids of their own', () => {
  const items = { transactions: [item('a'), item('b')], transfers: [item('c')], events: [] };
  const messages = messagesOf({ kind: 'apply', position, block: '{"height":7}', items }, after, all);
  const text = positionText(position);
  expect(messages.map(({ topic, id, part, parts }) => [topic, id, part, parts])).toEqual([
    ['transactions', `${text}.1`, 1, 3],
    ['transfers', `${text}.2`, 2, 3],
    ['blocks', `${text}.3`, 3, 3],
  ]);
  expect(messages.map(({ body }) => JSON.parse(body))).toEqual([
    { type: 'apply', position: text, block: { height: 7 }, transactions: ['a', 'b'], more: false },
    { type: 'apply', position: text, block: { height: 7 }, transfers: ['c'], more: false },
    { type: 'apply', position: text, block: { height: 7 }, more: false },
  ]);
});

test('a block that is not whole says so, and is not published itself yet', () => {
  const cut = { ...position, rest: { place: 3, event: 0 } };
  const step = { kind: 'apply' as const, position: cut, block: '{}', items: { transactions: [item('a')] } };
  const messages = messagesOf(step, after, all);
  expect(messages.map(({ topic }) => topic)).toEqual(['transactions']);
  expect(JSON.parse(messages[0]!.body).more).toBe(true);
});

test('long lists become several messages; an item that is larger than a message is alone in one', () => {
  const sizes = [200_000, 200_000, 200_000, 900_000, 10];
  const events = sizes.map(size => item('x'.repeat(size)));
  const messages = messagesOf({ kind: 'apply', position, block: '{}', items: { events } }, after, all);
  expect(
    messages.map(({ topic, body }) => [topic, (JSON.parse(body).events ?? []).length, JSON.parse(body).more]),
  ).toEqual([
    ['events', 2, true],
    ['events', 1, true],
    ['events', 1, true],
    ['events', 1, false],
    ['blocks', 0, false],
  ]);
});

test('only the topics that are asked for are published, and rollbacks always', () => {
  const items = { transactions: [item('a')], mempool: [item('m')] };
  const topics = new Set(['transfers'] as const);
  expect(messagesOf({ kind: 'apply', position, block: '{}', items }, after, topics)).toEqual([]);
  expect(messagesOf({ kind: 'mempool', position, items }, after, topics)).toEqual([]);
  const from = { height: 9, index_hash: Buffer.alloc(32, 9) };
  const [message] = messagesOf({ kind: 'rollback', position, from, removed: [from.index_hash] }, after, topics);
  expect(message).toMatchObject({ topic: 'rollback', part: 1, parts: 1 });
  expect(JSON.parse(message!.body)).toMatchObject({ type: 'rollback', from: { height: 9 }, to: { height: 7 } });
});

test('addresses of a broker are read with their credentials, which no message of the client can contain', () => {
  expect(broker.parse('nats://127.0.0.1')).toEqual({ servers: ['127.0.0.1:4222'], tls: false, auth: undefined });
  expect(broker.parse('nats://indexer:p%40ss@a:4223, nats://b')).toEqual({
    servers: ['a:4223', 'b:4222'],
    tls: false,
    auth: { user: 'indexer', pass: 'p@ss' },
  });
  expect(broker.parse('tls://token@nats.example:4443/')).toEqual({
    servers: ['nats.example:4443'],
    tls: true,
    auth: { token: 'token' },
  });
  expect(broker.parse('nats://[::1]:4222')).toMatchObject({ servers: ['[::1]:4222'] });
  for (const wrong of [
    '',
    'localhost',
    'http://a',
    'nats://',
    'nats://a/b',
    'nats://a?x=1',
    'nats://a:99999',
    'nats://u:%zz@a',
  ])
    expect([wrong, broker.parse(wrong)]).toEqual([wrong, undefined]);
});
