import {
  bool,
  buffer,
  int,
  list,
  none,
  ok,
  principal,
  some,
  stringAscii,
  stringUtf8,
  tuple,
  uint,
} from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { expect, test } from 'vitest';
import { testChain } from '../support/chain.ts';
import { author, extendBlock } from '../support/newer-blocks.ts';
import { addressOf, serveChainForFile } from '../support/served-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
type Json = any;

const pool = `${author.address}.pool`;
const noisy = `${author.address}.noisy`;
const urlOf = (contract: string) => `/extended/v1/contract/${contract}/print-schema`;

/** Prints of many forms, and some that try to be too much. */
const forms: ((n: number) => ClarityValue)[] = [
  n => tuple({ action: stringAscii('swap'), amount: uint(n), pair: tuple({ x: principal(addressOf(0)), y: none }) }),
  n => tuple({ action: stringAscii('swap'), amount: int(-n), pair: tuple({ x: principal(pool), y: some(uint(n)) }) }),
  n => tuple({ topic: stringUtf8('swap'), hops: list([uint(n), uint(7)]), done: bool(n % 2 === 0) }),
  n =>
    tuple({ event: uint(1), notification: stringAscii('burn'), hops: list([tuple({ at: uint(n), to: some(none) })]) }),
  () => stringAscii('swap'),
  n => ok(tuple({ amount: uint(n), memo: buffer(Buffer.from('swap')) })),
  () => tuple({ topic: stringUtf8('n\0l é'), none: list([]) }),
  () => tuple({ topic: stringAscii('x'.repeat(129)), text: stringAscii('y'.repeat(2000)) }),
  n => uint(n),
];
const deep = Array.from({ length: 10 }).reduce<ClarityValue>(inner => tuple({ a: inner }), uint(1));
const wide = tuple(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field-with-a-long-name-${i}`, uint(i)])));

/** What the chain has printed after each height, and what only an orphaned block printed. */
const printed: { height: number; contract: string; value: ClarityValue }[] = [];

const { ask, get } = serveChainForFile(() => {
  const chain = testChain({ seed: 8, accounts: 2 });
  let nonce = 0;
  const printing = (parent: ReturnType<typeof chain.mine>, prints: [string, ClarityValue][], canonical = true) => {
    const block = chain.mine(parent, { transactions: 1 });
    const extended = extendBlock(block);
    const txId = extended.call(pool, 'go', nonce++);
    for (const [contract_identifier, value] of prints) {
      const raw_value = toHex(encodeClarity(value));
      extended.event(txId, 'contract_event', { contract_identifier, topic: 'print', raw_value });
      if (canonical) printed.push({ height: block.height, contract: contract_identifier, value });
    }
    return { block, message: extended.message };
  };
  const all = (n: number): [string, ClarityValue][] => forms.map(form => [pool, form(n)]);
  const one = printing(chain.genesis, [...all(1), ...all(2)]);
  const lost = printing(one.block, [...all(3), [pool, tuple({ topic: stringAscii('lost') })]], false);
  const two = printing(one.block, [...all(4).slice(0, 3), [pool, deep], [pool, wide]]);
  const noise = Array.from({ length: 130 }, (_, i): [string, ClarityValue] => [noisy, stringAscii(`topic ${i}`)]);
  const three = printing(two.block, [...noise, ...noise]);
  return [chain.genesis, one.message, lost.message, two.message, three.message];
});

/** A second, simple reading of a value: the paths and types of its fields. */
function fieldsOf(value: ClarityValue, path: string[] = []): [path: string, type: string][] {
  const wraps: string[] = [];
  let inner = value;
  for (;;) {
    if (inner.type === 'some' || inner.type === 'ok' || inner.type === 'err') {
      wraps.push(inner.type === 'some' ? 'optional' : inner.type);
      inner = inner.value;
    } else if (inner.type === 'list' && inner.items.length > 0) {
      wraps.push('list');
      inner = inner.items[0]!;
    } else break;
  }
  const names: Record<string, string> = { buffer: 'buff', list: '(list)' };
  const name = names[inner.type] ?? inner.type;
  const type = wraps.reduceRight((text, wrap) => `(${wrap} ${text})`, name);
  if (inner.type !== 'tuple') return [[path.join('.'), type]];
  const own: [string, string][] = path.length === 0 && wraps.length === 0 ? [] : [[path.join('.'), type]];
  return [...own, ...inner.entries.flatMap(entry => fieldsOf(entry.value, [...path, entry.name]))];
}

function topicOf(value: ClarityValue): string | null {
  const text = (field: ClarityValue | undefined) =>
    field?.type === 'string-ascii' || field?.type === 'string-utf8' ? field.text : undefined;
  const fields = value.type === 'tuple' ? value.entries : [];
  const named = ['topic', 'event', 'action', 'notification'].map(name =>
    text(fields.find(f => f.name === name)?.value),
  );
  const topic = text(value) ?? named.find(each => each !== undefined) ?? null;
  return topic !== null && Buffer.byteLength(topic) > 128 ? null : topic;
}

/** Counts of topics, and of types by topic and path, over what was printed up to a height. */
function expected(contract: string, height: number) {
  const counts: Record<string, number> = {};
  const add = (key: string) => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (const print of printed) {
    if (print.contract !== contract || print.height > height || print.value === deep || print.value === wide) continue;
    const topic = topicOf(print.value);
    add(`${topic}`);
    for (const [path, type] of fieldsOf(print.value)) add(`${topic} | ${path} | ${type}`);
  }
  return counts;
}

function shown(topics: Json[]) {
  const counts: Record<string, number> = {};
  for (const { topic, count, fields } of topics) {
    counts[`${topic}`] = count;
    for (const { path, types } of fields) {
      for (const { type, count: times } of types) counts[`${topic} | ${path} | ${type}`] = times;
    }
  }
  return counts;
}

test('a schema counts the topics, fields and types of all prints on the canonical chain, at the tip and at each height', async () => {
  for (const height of [1, 2]) {
    const { count, uncounted, topics } = await get(`${urlOf(pool)}?at_block=${height}`);
    const most = printed.filter(print => print.contract === pool && print.height <= height).length;
    expect([count, uncounted]).toEqual([most, 0]);
    if (height === 2) {
      expect(await get(urlOf(pool))).toEqual({ contract_id: pool, count, uncounted, topics });
      continue;
    }
    expect(shown(topics)).toEqual(expected(pool, 1));
  }
  const { topics } = await get(urlOf(pool));
  const whole = topics.filter((topic: Json) => !topic.has_more_fields);
  const known = expected(pool, 2);
  const named = Object.entries(known).filter(([key]) => !key.startsWith('null'));
  expect(shown(whole)).toEqual(Object.fromEntries(named));
  expect(topics.map((topic: Json) => topic.count)).toEqual(
    topics.map((topic: Json) => topic.count).sort((a: number, b: number) => b - a),
  );
  expect(JSON.stringify(topics)).not.toContain('lost');
});

test('values that are too deep or too wide are counted, and say that fields are left out', async () => {
  const { topics } = await get(urlOf(pool));
  const [none] = topics.filter((topic: Json) => topic.topic === null);
  expect(none).toMatchObject({ has_more_fields: true, last_block_height: 2, first_block_height: 1 });
  const paths = none.fields.map((field: Json) => field.path);
  expect(paths).toContain(Array(8).fill('a').join('.'));
  expect(paths).not.toContain(Array(9).fill('a').join('.'));
  expect(paths).toContain('field-with-a-long-name-0');
  expect(paths.length).toBeLessThan(120);
});

test('fields have examples, and a topic has a print', async () => {
  const { topics } = await get(`${urlOf(pool)}?decode=json`);
  const swap = topics.find((topic: Json) => topic.topic === 'swap');
  const types = (path: string) => swap.fields.find((field: Json) => field.path === path).types;
  expect(types('amount')).toEqual([
    { type: 'uint', count: 3, example: 'u1' },
    { type: 'int', count: 3, example: '-1' },
  ]);
  expect(types('pair.x')).toEqual([{ type: 'principal', count: 6, example: `'${addressOf(0)}` }]);
  expect(swap.example).toMatchObject({
    block_height: 1,
    event_index: 0,
    value: { json: { action: 'swap', amount: '1', pair: { y: null } } },
  });
  const { tx_id, event_index } = swap.example;
  const { events } = await get(`/extended/v1/tx/${tx_id}?event_limit=100`);
  expect(events[event_index].contract_log.value.hex).toBe(swap.example.value.hex);
});

test('of a contract that prints ever new topics the first hundred shapes are counted', async () => {
  const { count, uncounted, topics } = await get(urlOf(noisy));
  expect([count, uncounted, topics.length]).toEqual([260, 60, 100]);
  expect(topics.every((topic: Json) => topic.count === 2)).toBe(true);
});

test('a contract without prints has an empty schema, and a wrong name or block is refused', async () => {
  expect(await get(urlOf(`${author.address}.silent`))).toMatchObject({ count: 0, uncounted: 0, topics: [] });
  expect((await ask(urlOf('nobody'))).status).toBe(400);
  expect((await ask(`${urlOf(pool)}?at_block=77`)).status).toBe(404);
  expect((await ask(`${urlOf(pool)}?at_block=x`)).status).toBe(400);
});
