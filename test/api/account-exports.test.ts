import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { expect, test } from 'vitest';
import { eventFilterOf, movementTypes, transactionFilterOf } from '../../src/read/filters/filter-params.ts';
import { type HistoryPlace, outermost, startAt } from '../../src/read/filters/steps-queries.ts';
import { findExportEnd, listExportedEvents, listExportedTransactions } from '../../src/read/history/export-queries.ts';
import { streamExport } from '../../src/read/history/export-view.ts';
import { type FilterMix, forkedBlocks, openFilterOracle, type ExportRow as Row } from '../support/account-filters.ts';
import { messagesOf } from '../support/chain.ts';
import { addressOf, serveChain, serveChainForFile } from '../support/served-chain.ts';
import { foldAll } from '../support/service.ts';

const blocks = forkedBlocks({ seed: 3, length: 24 });
const served = serveChainForFile(() => blocks);
const { get } = served;
const accounts = [0, 1, 2].map(addressOf);
const base = '/extended/v1/history/accounts';
const lists = ['transactions', 'events', 'transfers', 'movements'] as const;
type List = (typeof lists)[number];

async function download(path: string, headers: Record<string, string> = {}) {
  const { statusCode, body, ...response } = await served.app.inject({ url: `${base}/${path}`, headers });
  expect([path, statusCode, statusCode === 200 ? '' : body]).toEqual([path, 200, '']);
  return { body, headers: response.headers };
}

async function rowsOf(account: string, list: List, mix: FilterMix = {}): Promise<Row[]> {
  const { body } = await download(`${account}/${list}?${new URLSearchParams({ format: 'ndjson', ...mix })}`);
  return body === ''
    ? []
    : body
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as Row);
}

/** A contract whose prints and tokens the accounts use. */
async function contractWithLogs(): Promise<string> {
  const rows = await rowsOf(accounts[0]!, 'transactions');
  return String(rows.find(row => row.contract_id !== null && row.function_name !== null)!.contract_id);
}

/** Who may be paid for mining. */
async function rewarded(): Promise<Set<string>> {
  const { results } = await get('/extended/v2/blocks?limit=30');
  const miners = new Set<string>();
  for (const { height } of results) {
    for (const tx of (await get(`/extended/v2/blocks/${height}/transactions?limit=50`)).results) {
      if (tx.tx_type === 'coinbase') miners.add(tx.coinbase_payload.alt_recipient ?? tx.sender_address);
    }
  }
  return miners;
}

test('the lists are complete: what other responses say of the account', async () => {
  for (const account of [...accounts, await contractWithLogs()]) {
    const listed: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const page = await get(
        `/extended/v3/principals/${account}/transactions?limit=50${cursor && `&cursor=${cursor}`}`,
      );
      listed.unshift(
        ...page.results.map((each: { transaction: { tx_id: string } }) => each.transaction.tx_id).reverse(),
      );
      cursor = String(page.cursor.next);
    }
    expect((await rowsOf(account, 'transactions')).map(row => row.tx_id)).toEqual(listed);
    const events: string[] = [];
    for (let offset = 0; offset === events.length; offset += 100) {
      const page = await get(`/extended/v1/tx/events?address=${account}&limit=100&offset=${offset}`);
      events.push(...page.events.map((each: Row) => `${each.tx_id} ${each.event_index}`));
    }
    expect((await rowsOf(account, 'events')).map(row => `${row.tx_id} ${row.event_index}`)).toEqual(events.reverse());
  }
});

test('movements add up to the balances of every asset', async () => {
  for (const account of [...accounts, ...(await rewarded())]) {
    const sums = new Map<string, bigint>();
    for (const { asset, amount, direction, event_type } of await rowsOf(account, 'movements')) {
      if (event_type === 'stx_lock' || direction === 'self') continue;
      const sum = sums.get(String(asset)) ?? 0n;
      sums.set(String(asset), sum + BigInt(amount ?? 1) * (direction === 'in' ? 1n : -1n));
    }
    const { stx, fungible_tokens, non_fungible_tokens } = await get(`/extended/v1/address/${account}/balances`);
    expect([account, String(sums.get('STX') ?? 0n)]).toEqual([account, stx.balance]);
    for (const [asset, { balance }] of Object.entries(fungible_tokens as Record<string, { balance: string }>)) {
      expect([asset, String(sums.get(asset))]).toEqual([asset, balance]);
    }
    for (const [asset, { count }] of Object.entries(non_fungible_tokens as Record<string, { count: string }>)) {
      expect([asset, String(sums.get(asset))]).toEqual([asset, count]);
    }
  }
});

test('a miner has its rewards among its movements', async () => {
  let paid = 0;
  for (const miner of await rewarded()) {
    const wanted = await get(`/extended/v3/principals/${miner}/mining/rewards?limit=50`);
    const found = await rowsOf(miner, 'movements', { event_type: 'mining_reward' });
    expect(found.map(row => row.block_height).reverse()).toEqual(
      wanted.results.map((each: { block: { height: number } }) => each.block.height),
    );
    paid += found.length;
  }
  expect(paid).toBeGreaterThan(0);
});

test('each mix of filters selects what a look at every row selects', async () => {
  for (const account of [...accounts, await contractWithLogs()]) {
    for (const list of lists) {
      const rows = await rowsOf(account, list);
      if (rows.length === 0) continue;
      const { mixes, select } = await openFilterOracle(get, list, rows);
      let filled = 0;
      for (const mix of mixes(25)) {
        const wanted = select(mix);
        expect([list, mix, await rowsOf(account, list, mix)]).toEqual([list, mix, wanted]);
        if (wanted.length > 0) filled++;
      }
      expect(filled).toBeGreaterThan(3);
    }
  }
});

test('steps of any size join without a gap or a repeat, in both directions', async () => {
  const { sql } = served.database;
  const end = (await findExportEnd(sql, 'tip'))!;
  const key = (row: { height: number; place: number; event_index: number }) =>
    `${row.height} ${row.place} ${row.event_index}`;
  for (const account of [accounts[0]!, await contractWithLogs()]) {
    const principal = principalToBytes(account);
    const walk = async (
      list: 'transactions' | 'events',
      direction: 'oldest' | 'newest',
      limit: number,
      most: number,
    ) => {
      const found: string[] = [];
      let place: HistoryPlace | undefined = outermost[direction];
      while (place) {
        const start = startAt(sql, place);
        const request = { principal, direction, start, upTo: end.height, limit, most };
        const step: { rows: Parameters<typeof key>[0][]; next: HistoryPlace | undefined } =
          list === 'transactions'
            ? await listExportedTransactions(sql, { ...request, filter: transactionFilterOf({ to_height: 20 }) })
            : await listExportedEvents(sql, { ...request, filter: eventFilterOf({ from_height: 1 }, movementTypes) });
        found.push(...step.rows.map(key));
        place = step.next;
      }
      return found;
    };
    for (const list of ['transactions', 'events'] as const) {
      const whole = await walk(list, 'oldest', 10_000, 10_000);
      for (const [limit, most] of [
        [1, 1],
        [2, 30],
        [50, 1],
        [3, 3],
        [7, 2],
      ] as const) {
        expect(await walk(list, 'oldest', limit, most)).toEqual(whole);
        expect((await walk(list, 'newest', limit, most)).reverse()).toEqual(whole);
      }
    }
  }
});

test('CSV and NDJSON have the same rows, by parameter and by Accept', async () => {
  const account = accounts[0]!;
  for (const list of lists) {
    const csv = await download(`${account}/${list}`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${account}-${list}.csv"`,
      vary: 'accept',
    });
    const rows = await rowsOf(account, list);
    const [header, ...lines] = csv.body.trimEnd().split('\n');
    const names = header!.split(',');
    expect(names).toEqual(Object.keys(rows[0]!));
    expect(lines).toEqual(rows.map(row => names.map(name => row[name] ?? '').join(',')));
    const accepted = await download(`${account}/${list}`, { accept: 'application/x-ndjson, text/csv;q=0.5' });
    expect(accepted.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(accepted.body).toBe((await download(`${account}/${list}?format=ndjson`, { accept: 'text/csv' })).body);
  }
});

test('an export that was interrupted goes on after any line of it', async () => {
  for (const list of lists) {
    const whole = await download(`${accounts[1]}/${list}?format=ndjson`);
    const block = String(whole.headers['x-cairn-export-block']);
    expect(String(whole.headers['x-cairn-export-height'])).toBe(
      String((await get('/extended/v2/blocks?limit=1')).results[0].height),
    );
    const lines = whole.body.trimEnd().split('\n');
    for (const n of [0, 1, Math.floor(lines.length / 2), lines.length - 1]) {
      const { cursor } = JSON.parse(lines[n]!) as { cursor: string };
      const rest = await download(`${accounts[1]}/${list}?format=ndjson&at_block=${block}&after=${cursor}`);
      expect(rest.body).toBe(
        lines
          .slice(n + 1)
          .map(line => `${line}\n`)
          .join(''),
      );
    }
  }
});

test('an export up to a past block is what an export then was', async t => {
  const early = await serveChain(t, blocks.slice(0, 20));
  const { height } = blocks[17]!;
  const { headers } = await early.app.inject(`${base}/${accounts[0]}/events`);
  const then = await early.app.inject(`${base}/${accounts[0]}/events?format=ndjson`);
  expect(height).toBeGreaterThan(5);
  const now = await served.app.inject(
    `${base}/${accounts[0]}/events?format=ndjson&at_block=${headers['x-cairn-export-height']}`,
  );
  // The branch that won later shares all blocks below the last fork.
  const shared = (body: string) => body.split('\n').filter(line => line && JSON.parse(line).block_height < height - 5);
  expect(shared(now.body)).toEqual(shared(then.body));
  expect(shared(now.body).length).toBeGreaterThan(0);
});

test('an export ends with an error when the chain loses the block up to which it reads', async t => {
  const fork = blocks.findIndex((block, i) => i > 3 && blocks[i + 1] && blocks[i + 1]!.parent === block.parent);
  const { database } = await serveChain(t, blocks.slice(0, fork + 1));
  const { sql } = database;
  const end = (await findExportEnd(sql, 'tip'))!;
  const list = {
    names: ['cursor'],
    render: () => ({ cursor: '' }),
    read: async () => ({ rows: [{}], next: outermost.oldest }),
  };
  const lines = streamExport(sql, list, { end, after: outermost.oldest, format: 'csv' });
  expect((await lines.next()).value).toBe('cursor\n');
  expect((await lines.next()).value).toBe('\n');
  await foldAll(database, blocks.slice(fork + 1, fork + 3).flatMap(messagesOf));
  await expect(lines.next()).rejects.toThrow('was removed from the chain');
});

test.for([
  ['transactions?asset=STX', /^asset cannot filter this list; any mix of these can: from_height, .*status$/],
  ['events?status=success', /^status cannot filter this list; any mix of these can: from_height, .*min_amount$/],
  ['events?from_height=5&to_height=4', /^from_height 5 is above to_height 4/],
  ['events?min_amount=-1', /^querystring\/min_amount must match pattern/],
  ['events?event_type=fee', /^querystring\/event_type\/0 must be equal to one of the allowed values/],
  ['events?sender=SP0', /^sender "SP0" is not an account or a contract$/],
  ['events?contract=X', /^contract "X" is not an account or a contract$/],
  [`events?contract=${accounts[0]}`, /^contract "S.+" is an account$/],
  ['events?asset=coin', /^querystring\/asset must/],
  ['events?after=1:2', /^querystring\/after must match pattern/],
  ['events?after=9999999999:2:3', /^querystring\/after: value out of range$/],
  ['events?format=xml', /^querystring\/format must be equal to one of the allowed values/],
] as const)('%s is refused', async ([path, message]) => {
  const { status, body } = await served.ask(`${base}/${accounts[0]}/${path}`);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});

test('a block that the chain does not have is not found', async () => {
  expect((await served.ask(`${base}/${accounts[0]}/events?at_block=999`)).status).toBe(404);
  expect((await served.ask(`${base}/${accounts[0]}/events?at_block=0x${'ab'.repeat(32)}`)).status).toBe(404);
});
