import { principalToBytes } from '@cairn-stacks/codec/address/principal';
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
import { listFilteredLogs } from '../../src/read/contracts/filtered-logs-queries.ts';
import { printFilterOf } from '../../src/read/contracts/print-filter-params.ts';
import { testChain } from '../support/chain.ts';
import { author, extendBlock } from '../support/newer-blocks.ts';
import { addressOf, type Posted, serveChainForFile } from '../support/served-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
type Json = any;

const contract = `${author.address}.pool`;
const url = `/extended/v2/smart-contracts/${contract}/logs`;
const tokens = ['token-x', 'token-y'].map(name => `${author.address}.${name}`);
const blocks = 9;

/** Prints of every form that a filter can tell apart, and some that look alike. */
function printed(n: number): ClarityValue {
  switch (n % 9) {
    case 0:
      return tuple({
        action: stringAscii('swap'),
        amount: uint(n),
        pair: tuple({ x: principal(tokens[Math.floor(n / 9) % 2]!) }),
      });
    case 1:
      return tuple({ topic: stringUtf8('swap'), amount: int(-n), done: bool(n % 2 === 0) });
    case 2:
      return tuple({
        event: stringAscii('mint'),
        action: stringAscii('swap'),
        to: some(principal(addressOf(Math.floor(n / 9) % 3))),
      });
    case 3:
      return stringAscii('swap');
    case 4:
      return tuple({
        notification: stringAscii('burn'),
        hops: list([uint(n), uint(7)]),
        memo: buffer(Buffer.from('swap')),
      });
    case 5:
      return ok(tuple({ amount: uint(n), id: stringAscii(String(n)) }));
    case 6:
      return tuple({ action: stringAscii('swapped'), amount: stringAscii('12'), to: none });
    case 7:
      return uint(n);
    default:
      return tuple({ topic: uint(1), action: stringAscii('burn'), gt: uint(5) });
  }
}

const served = serveChainForFile(() => {
  const chain = testChain({ seed: 5, accounts: 3 });
  const posted: Posted[number][] = [chain.genesis];
  let tip = chain.genesis;
  let nonce = 0;
  for (let i = 0; i < blocks; i++) {
    tip = chain.mine(tip, { transactions: 1 });
    const block = extendBlock(tip);
    for (let call = 0; call < 3; call++) {
      const txId = block.call(contract, 'go', nonce++);
      for (let n = 0; n < 7; n++) {
        const raw_value = toHex(encodeClarity(printed(i * 21 + call * 7 + n)));
        const contract_identifier = n === 6 && call === 1 ? `${contract}-2` : contract;
        block.event(txId, 'contract_event', { contract_identifier, topic: 'print', raw_value });
      }
    }
    posted.push(block.message);
  }
  return posted;
});
const { get, ask } = served;
const long = 'x'.repeat(513);

/** All pages of a list, in the direction of time past. */
async function walk(query: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await get(`${url}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...page.results);
    cursor = page.prev_cursor;
  }
  return found;
}

/** A second, simple reading of the filters, over the JSON of a print. */
function expected(json: Json, query: URLSearchParams): boolean {
  return [...query].every(([name, text]) => {
    if (name === 'topic') {
      const texts = ['topic', 'event', 'action', 'notification'].map(key => json?.[key]);
      return (
        (typeof json === 'string' ? json : texts.find(each => typeof each === 'string' && /[a-z]/.test(each))) === text
      );
    }
    if (!name.startsWith('value')) return true;
    const [, ...path] = name.split('.');
    const compare = ['gt', 'gte', 'lt', 'lte'].includes(path.at(-1)!) && path.length > 1 ? path.pop() : undefined;
    const unwrap = (each: Json): Json[] => (Array.isArray(each) ? each.flatMap(unwrap) : each?.ok ? [each.ok] : [each]);
    const fields = path.reduce<Json[]>(
      (all, key) =>
        all.flatMap(unwrap).flatMap(each => (typeof each === 'object' && each && key in each ? [each[key]] : [])),
      [json],
    );
    return fields.flatMap(unwrap).some(field => {
      if (compare === undefined) return String(field ?? 'none') === text;
      if (!/^-?\d+$/.test(String(field)) || json.action === 'swapped' || path[0] === 'id') return false;
      const [a, b] = [BigInt(field), BigInt(text)];
      return { gt: a > b, gte: a >= b, lt: a < b, lte: a <= b }[compare]!;
    });
  });
}

const filters = [
  'topic=swap',
  'topic=burn',
  'topic=nothing',
  'value.action=swap',
  'value.action=burn&topic=burn',
  'value.amount.gt=20',
  'value.amount.gte=-30&value.amount.lt=0',
  'value.amount=18',
  'value.amount=-10',
  'value.amount=12',
  'value.done=true',
  `value.pair.x=${tokens[0]}`,
  `value.to=${addressOf(1)}`,
  'value.to=none',
  'value.hops=7',
  'value.hops.gt=60',
  'value.memo=0x73776170',
  'value=swap',
  'value.gt=5',
  'value.gt.gte=5',
  'value=16',
];

test('each filter selects what a look at every print selects', async () => {
  const all = await walk('limit=50&decode=json');
  expect(all).toHaveLength(blocks * 20);
  const kept: string[] = [];
  for (const query of filters) {
    const params = new URLSearchParams(query);
    const wanted = all.filter(({ contract_log }) => expected(contract_log.value.json, params));
    expect([query, await walk(`limit=7&decode=json&${query}`)]).toEqual([query, wanted]);
    if (wanted.length > 0) kept.push(query);
  }
  expect(filters.filter(query => !kept.includes(query))).toEqual(['topic=nothing']);
});

test('a range of blocks and a sender narrow the list, alone and with other filters', async () => {
  const all = await walk('limit=50&decode=json');
  const heights = new Map<string, number>();
  for (const { tx_id } of all) heights.set(tx_id, (await get(`/extended/v1/tx/${tx_id}`)).block_height);
  const between = (from: number, to: number) =>
    all.filter(({ tx_id }) => heights.get(tx_id)! >= from && heights.get(tx_id)! <= to);
  expect(await walk('limit=9&decode=json&from_height=3&to_height=5')).toEqual(between(3, 5));
  expect(await walk(`limit=9&decode=json&to_height=4&topic=swap&sender=${author.address}`)).toEqual(
    between(0, 4).filter(({ contract_log }) => expected(contract_log.value.json, new URLSearchParams('topic=swap'))),
  );
  expect(await walk(`from_height=1&sender=${addressOf(0)}`)).toEqual([]);
  const { burn_block_time } = await get('/extended/v1/block/by_height/4');
  const times = new Map<number, number>();
  for (const height of new Set(heights.values())) {
    times.set(height, (await get(`/extended/v1/block/by_height/${height}`)).burn_block_time);
  }
  const timeOf = ({ tx_id }: Json) => times.get(heights.get(tx_id)!)!;
  expect(await walk(`limit=9&decode=json&from_time=${burn_block_time}`)).toEqual(
    all.filter(print => timeOf(print) >= burn_block_time),
  );
  expect(await walk(`limit=9&decode=json&to_time=${burn_block_time}&topic=burn`)).toEqual(
    all.filter(
      print =>
        timeOf(print) <= burn_block_time && expected(print.contract_log.value.json, new URLSearchParams('topic=burn')),
    ),
  );
});

test('a page that looked at enough prints goes on where it stopped, however many of a block are looked at', async () => {
  const { sql } = served.database;
  const name = principalToBytes(contract);
  for (const most of [1, 3, 19, 20, 21, 1000]) {
    const filter = printFilterOf({ 'value.action': 'swap' });
    const found: string[] = [];
    let place: Json;
    let pages = 0;
    do {
      const query = { filter, range: { fromHeight: 2, toHeight: 8 }, place, limit: 5 };
      const logs = (await listFilteredLogs(sql, name, query, most))!;
      found.push(...logs.page.map(row => `${row.height} ${row.place} ${row.event_index}`));
      const { older } = logs;
      place = older && {
        height: older.height,
        microblockSequence: older.microblock_sequence,
        txIndex: older.tx_index,
        eventIndex: older.event_index,
      };
      pages++;
    } while (place);
    const once = await listFilteredLogs(sql, name, { filter, range: { fromHeight: 2, toHeight: 8 }, limit: 1000 });
    expect(found).toEqual(once!.page.map(row => `${row.height} ${row.place} ${row.event_index}`));
    expect(pages).toBeGreaterThanOrEqual(most < 1000 ? 7 : 2);
  }
});

test.for([
  ['from_height=5&to_height=4', 'from_height 5 is above to_height 4: no block is in this range'],
  ['from_time=9&to_time=8', 'from_time 9 is above to_time 8: no block is in this range'],
  ['topic=a&offset=1', 'offset cannot be combined with filters: use cursor'],
  ['value.a=1&value.a=2', 'querystring/value.a can be given once'],
  ['value.=1', 'querystring/value.: after "value" must come names of fields with dots between them'],
  ['value.a.gt=x', 'querystring/value.a.gt must be an integer'],
  [`value.a=${long}`, 'querystring/value.a must NOT have more than 512 characters'],
  ['value.a=1&value.b=1&value.c=1&value.d=1&value.e=1&value.f=1', 'at most 5 conditions on value can be given'],
  ['sender=SP0', 'sender "SP0" is not an account'],
  ['from_height=-1', 'querystring/from_height must be >= 0'],
])('%s is refused', async ([query, message]) => {
  const { status, body } = await ask(`${url}?${query}`);
  expect([status, body.message]).toEqual([400, message]);
});

test('a cursor without a print is not found', async () => {
  expect((await ask(`${url}?topic=swap&cursor=3:2147483647:99:0`)).status).toBe(404);
});
