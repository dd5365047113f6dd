import { expect, test } from 'vitest';
import { eventTypes } from '../../src/read/events/event-types.ts';
import { eventFilterOf } from '../../src/read/filters/filter-params.ts';
import { type HistoryPlace, outermost } from '../../src/read/filters/steps-queries.ts';
import { listEventsAfter, listTransactionsAfter } from '../../src/read/history/list-export-queries.ts';
import { forkedBlocks, type ExportRow as Row } from '../support/account-filters.ts';
import { serveChainForFile } from '../support/served-chain.ts';

const served = serveChainForFile(() => forkedBlocks({ seed: 11, length: 16 }));
const { get, ask } = served;
const base = '/extended/v1/history';

async function download(path: string, headers: Record<string, string> = {}) {
  const { statusCode, body, ...response } = await served.app.inject({ url: `${base}/${path}`, headers });
  expect([path, statusCode, statusCode === 200 ? '' : body]).toEqual([path, 200, '']);
  return { body, headers: response.headers };
}

async function rowsOf(path: string): Promise<Row[]> {
  const { body } = await download(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`);
  return body.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Row]));
}

/** The transactions of every block of the canonical chain, with their events, as other responses have them. */
async function chain() {
  const { results } = await get('/extended/v2/blocks?limit=30');
  const listed: { tx_id: string; tx_status: string; events: { event_index: number; event_type: string }[] }[] = [];
  for (const { height } of results.reverse()) {
    const page = await get(`/extended/v2/blocks/${height}/transactions?limit=50`);
    for (const { tx_id, tx_status } of page.results) {
      const { events } = await get(`/extended/v1/tx/${tx_id}?event_limit=100`);
      listed.push({ tx_id, tx_status, events });
    }
  }
  return listed;
}

const holds = (row: Row) => [row.principal, row.balance];

test('exports of the chain have every transaction and every event once, in the order of execution', async () => {
  const transactions = await chain();
  const listed = await rowsOf('lists/transactions');
  expect(listed.map(row => `${row.tx_id} ${row.tx_status}`).sort()).toEqual(
    transactions.map(({ tx_id, tx_status }) => `${tx_id} ${tx_status}`).sort(),
  );
  const events = await rowsOf('lists/events');
  expect(events.map(row => `${row.tx_id} ${row.event_index}`).sort()).toEqual(
    transactions.flatMap(({ tx_id, events: own }) => own.map(event => `${tx_id} ${event.event_index}`)).sort(),
  );
  for (const rows of [listed, events]) {
    const places = rows.map(({ cursor }) => String(cursor).split(':').map(Number) as [number, number, number]);
    expect(places).toEqual([...places].sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2]));
  }
  expect(await rowsOf('lists/transfers')).toEqual(
    events.filter(({ event_type }) => event_type !== 'stx_lock' && event_type !== 'contract_log'),
  );
});

test('filters and ranges select what a look at every row selects', async () => {
  const [transactions, events] = [await rowsOf('lists/transactions'), await rowsOf('lists/events')];
  const within = (row: Row) => Number(row.block_height) >= 4 && Number(row.block_height) <= 9;
  const { burn_block_time: time } = await get('/extended/v1/block/by_height/9');
  const timed = new Map<unknown, boolean>();
  for (const { block_height } of transactions) {
    timed.set(block_height, (await get(`/extended/v1/block/by_height/${block_height}`)).burn_block_time >= time);
  }
  for (const [path, wanted] of [
    ['lists/transactions?from_height=4&to_height=9', transactions.filter(within)],
    ['lists/transactions?status=failed', transactions.filter(row => row.tx_status !== 'success')],
    [
      `lists/transactions?from_time=${time}&status=success`,
      transactions.filter(row => timed.get(row.block_height) && row.tx_status === 'success'),
    ],
    [`lists/events?from_time=${time}`, events.filter(row => timed.get(row.block_height))],
    [
      'lists/events?event_type=stx_lock,ft_mint&to_height=9',
      events.filter(row => ['stx_lock', 'ft_mint'].includes(String(row.event_type)) && Number(row.block_height) <= 9),
    ],
  ] as const) {
    expect(wanted.length).toBeGreaterThan(0);
    expect([path, await rowsOf(path)]).toEqual([path, wanted]);
  }
  for (const asset of new Set(
    events.flatMap(row => (row.asset === null || row.asset === 'STX' ? [] : [String(row.asset)])),
  )) {
    const own = events.filter(row => row.asset === asset);
    const path = `tokens/${encodeURIComponent(asset)}/transfers`;
    expect(await rowsOf(path)).toEqual(own);
    const { recipient_address: recipient } = own.find(row => row.recipient_address !== null)!;
    expect(await rowsOf(`${path}?recipient=${recipient}&from_height=4`)).toEqual(
      own.filter(row => row.recipient_address === recipient && Number(row.block_height) >= 4),
    );
  }
});

test('logs of a contract are filtered by what was printed, and shown as plain JSON', async () => {
  const prints = (await rowsOf('lists/events?event_type=contract_log')).filter(row => row.contract_id !== null);
  const contract = prints[0]!.contract_id;
  const own = await rowsOf(`contracts/${contract}/logs?decode=json`);
  expect(own.map(({ json: _json, ...row }) => row)).toEqual(prints.filter(row => row.contract_id === contract));
  const { topics } = await get(`/extended/v1/contract/${contract}/print-schema`);
  expect(topics.reduce((sum: number, topic: { count: number }) => sum + topic.count, 0)).toBe(own.length);
  for (const { topic, count } of topics) {
    if (topic === null) continue;
    expect(await rowsOf(`contracts/${contract}/logs?topic=${encodeURIComponent(topic)}`)).toHaveLength(count);
  }
  const { body } = await download(`contracts/${contract}/logs?decode=json&to_height=${own[0]!.block_height}`);
  expect(body.split('\n')[0]).toMatch(/,json$/);
  expect(own[0]!.json).not.toBeNull();
});

test('holders of a token after a block add up to its supply after it, and each has the balance of its own response', async () => {
  const events = await rowsOf('lists/events');
  const assets = [
    ...new Set(events.flatMap(row => (String(row.event_type).startsWith('ft_') ? [String(row.asset)] : []))),
  ];
  for (const height of [2, 7, 12]) {
    const sum = (rows: Row[]) => String(rows.reduce((all, row) => all + BigInt(String(row.balance)), 0n));
    const stx = await rowsOf(`tokens/stx/holders?at_block=${height}`);
    for (const { principal, balance } of stx) {
      const url = `/extended/v3/principals/${principal}/balances/stx?at_block=${height}`;
      expect([principal, (await get(url)).balance]).toEqual([principal, balance]);
    }
    expect(stx).toHaveLength((await get(`/extended/v3/tokens/stx/holders?at_block=${height}&limit=1`)).total);
    for (const asset of assets) {
      const path = encodeURIComponent(asset);
      const rows = await rowsOf(`tokens/${path}/holders?at_block=${height}`);
      expect(sum(rows)).toBe((await get(`/extended/v3/tokens/ft/${path}/supply?at_block=${height}`)).total);
      for (const { principal, balance } of rows) {
        const url = `/extended/v3/principals/${principal}/balances/ft/${path}?at_block=${height}`;
        expect((await get(url)).balance).toBe(balance);
      }
      const listed = await get(`/extended/v3/tokens/ft/${path}/holders?at_block=${height}&limit=200`);
      expect(rows.map(holds)).toEqual(listed.results.map(holds));
      const { results } = await get(`/extended/v1/history/holders?asset=${path}&from=${height}&to=${height}`);
      expect(results.map((point: { holders: number }) => point.holders)).toEqual([rows.length]);
    }
  }
});

test('an export goes on after any line as if nothing had happened, and names one block', async () => {
  for (const path of ['lists/transactions', 'lists/events', 'tokens/stx/holders']) {
    const { body, headers } = await download(`${path}?format=ndjson&at_block=10`);
    expect(headers).toMatchObject({
      'x-cairn-export-height': '10',
      'content-type': 'application/x-ndjson; charset=utf-8',
    });
    const lines = body.trimEnd().split('\n');
    for (const at of [0, 1, Math.floor(lines.length / 2), lines.length - 1]) {
      const { cursor } = JSON.parse(lines[at]!);
      const rest = await download(
        `${path}?format=ndjson&at_block=${headers['x-cairn-export-block']}&after=${encodeURIComponent(cursor)}`,
      );
      expect(rest.body.trimEnd().split('\n').filter(Boolean)).toEqual(lines.slice(at + 1));
    }
    const csv = (await download(path, { accept: 'text/csv' })).body;
    expect(csv.trimEnd().split('\n')[0]).toBe(Object.keys(JSON.parse(lines[0]!)).join(','));
  }
});

test('steps of any size give the same rows', async () => {
  const { sql } = served.database;
  const filter = eventFilterOf({}, eventTypes);
  const walk = async (
    read: (
      after: HistoryPlace,
    ) => Promise<{ rows: { height: number; place: number; event_index: number }[]; next: HistoryPlace | undefined }>,
  ) => {
    const found: string[] = [];
    for (let after: HistoryPlace | undefined = outermost.oldest; after; ) {
      const step: Awaited<ReturnType<typeof read>> = await read(after);
      found.push(...step.rows.map(row => `${row.height}:${row.place}:${row.event_index}`));
      after = step.next;
    }
    return found;
  };
  const upTo = 12;
  const ranges = { range: {} };
  const events = await walk(after => listEventsAfter(sql, 'chain', filter, { after, upTo, most: 10_000 }));
  const transactions = await walk(after => listTransactionsAfter(sql, ranges, { after, upTo, most: 10_000 }));
  for (const most of [1, 2, 7]) {
    expect(await walk(after => listEventsAfter(sql, 'chain', filter, { after, upTo, most }))).toEqual(events);
    expect(await walk(after => listTransactionsAfter(sql, ranges, { after, upTo, most }))).toEqual(transactions);
  }
});

test.for([
  ['lists/events?sender=ST000000000000000000002AMW42H', /^sender cannot filter this list; any mix of these can: /],
  ['lists/transactions?from_height=5&to_height=4', /^from_height 5 is above to_height 4/],
  ['tokens/stx/transfers', /^asset_identifier: STX is no token/],
  ['tokens/stx/holders?after=1:nobody', /must match pattern/],
  ['tokens/stx/holders?after=1:ST000000000000000000002AMW42G', /^querystring\/after: no such principal/],
  ['lists/events?after=1', /must match pattern/],
  ['lists/events?decode=xml', /^querystring\/decode must be json/],
] as const)('%s is refused', async ([path, message]) => {
  const { status, body } = await ask(`${base}/${path}`);
  expect(status).toBe(400);
  expect(body.message ?? body.error).toMatch(message);
});
