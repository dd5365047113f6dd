import { parseNetwork } from '@cairn-stacks/codec/network';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes, type ReadRoute, readRoutes, takes, variantsOf } from '../../bench/support/list-routes.ts';
import { sampleChain } from '../../bench/support/sample-chain.ts';
import { drawSamples, type Sample } from '../../bench/support/samples.ts';
import { findAccounts } from '../../bench/support/whale.ts';
import { openApiOf } from '../../src/api/docs/openapi.ts';
import { buildApi } from '../../src/api/server.ts';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import { TipCache } from '../../src/cache/tip-cache.ts';
import { apiReads, connect, type Pool } from '../../src/db/client.ts';
import { finishBulkLoad } from '../../src/ingest/load/bulk-load.ts';
import { createLog } from '../../src/log.ts';
import { InterfaceCache } from '../../src/read/contracts/interface-cache.ts';
import { logFilterQuery } from '../../src/read/contracts/log-filter-params.ts';
import {
  blockFilterQuery,
  eventFilterQuery,
  transactionFilterQuery,
  transferFilterQuery,
} from '../../src/read/filters/filter-params.ts';
import { blockRangeQuery } from '../../src/read/pages/block-range-params.ts';
import { openReadCaches } from '../../src/read/read-caches.ts';
import { ftFilterQuery, mintFilterQuery, nftFilterQuery } from '../../src/read/tokens/filtered-move-params.ts';
import { dataRoutes } from '../../src/rosetta/data-routes.ts';
import { rosettaServer } from '../../src/rosetta/server.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldAll, testNetwork } from '../support/service.ts';

/** Lists that find nothing on the generated chain, each with why; one that is answered must leave this list. */
const skipped: Record<string, string> = {
  '/chainhooks/me': 'needs a key',
  '/extended/v1/names/{name}/history': 'no names on the chain',
  '/extended/v2/pox/cycles/{cycle_number}/signers': 'no signer votes on the chain',
  '/extended/v2/pox/cycles/{cycle_number}/signers/{signer_key}/stackers': 'no signer votes on the chain',
  '/extended/v3/staking/bonds/{bond_index}/allowlist': 'no pox-5 on the chain',
  '/extended/v3/staking/bonds/{bond_index}/events': 'no pox-5 on the chain',
  '/extended/v3/staking/bonds/{bond_index}/registrations': 'no pox-5 on the chain',
  '/extended/v3/staking/cycles/{cycle_number}/signers': 'no pox-5 on the chain',
  '/extended/v3/staking/signers/{principal}/events': 'no pox-5 on the chain',
  '/signer-metrics/v1/cycles/{cycle_number}/signers': 'no signer votes on the chain',
};

/** Tables that may be read from end to end, each with why: they stay small however long the chain grows. */
const small: Record<string, string> = {
  fold_position: 'one row',
  mempool_state: 'one row',
  chain_identity: 'one row',
  audit_position: 'one row',
  event_log_head: 'one row',
  token_discovery: 'one row',
  audit_findings: 'faults, of which there should be none',
  event_quarantine: 'events that could not be read',
  event_skips: 'events that an operator gave up',
  chainhooks: 'one row for each hook',
  unknown_items: 'what newer nodes send and this program does not know, one row for each kind of it',
  index_hash_mismatches: 'blocks that no real chain has, and no more than 10,000 are read',
};

/** Answers that sum a bounded table up, each with why. */
const sums: Record<string, string> = {
  '/extended/v1/tx/mempool/stats': 'about everything that waits',
  '/extended/v2/mempool/fees': 'about everything that waits',
  '/extended/v3/mempool': 'about everything that waits',
  '/extended/v1/tx/{tx_id}/diagnosis': 'compares with everything that waits',
};

/** Rows that an answer may look at in vain. */
const maxOffset = 500;

/** Answers that search a bounded stretch of the chain, each with why. */
const searches: Record<string, string> = {
  '/extended/v1/tx/?nonce=': 'no index has the nonce: few enough transactions are searched, or it is refused',
  '/extended/v1/tx/?start_time=': 'times and heights may disagree by some hours, and this chain is not longer',
  '/extended/v1/tx/?end_time=': 'the same',
  '/extended/v1/history/lists/':
    'an export goes through the chain in steps, whose bound is checked with the mixes of filters below',
  '/extended/v3/mempool/transactions?limit=20&cursor=': 'all that waits came in the same second, which no index orders',
};

/** A chain this many times as long is what the planner is told of. */
const growth = 1000;

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};
type Explained = { 'Query Text': string; Plan: Plan };

const log = createLog({ level: 'silent', format: 'json' });
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
let database: TestDatabase;
let api: Awaited<ReturnType<typeof openApi>>;
let samples: Sample[];

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  const network = { ...testNetwork, name: 'testnet' as const };
  const shape = { blocks: 120, transactions: 30, principals: 600, whale: 0.3, waiting: 20, network };
  await foldAll(database, [...sampleChain(shape)], { bulk: true });
  await finishBulkLoad(sql, quiet);
  samples = await drawSamples(sql, 40);
  await sql`vacuum analyze`;
  await growStatistics(sql);
  await explainEverything(sql);
  api = await openApi(database);
});

afterAll(async () => {
  await api?.stop();
  await database?.drop();
});

/**
 * Makes the statistics those of a long chain. The planner multiplies the rows of a page with the pages, so more rows on as
 * many pages is a longer table; what has many values grows with it, and no height or time stands out among so many.
 */
async function growStatistics(sql: Pool): Promise<void> {
  await sql`
    update pg_statistic s
    set stadistinct = -least(1, s.stadistinct / c.reltuples)
    from pg_class c
    where c.oid = s.starelid and c.relnamespace = 'public'::regnamespace and c.reltuples > 0 and s.stadistinct > 100
  `;
  await sql`
    update pg_statistic s
    set stadistinct = case when a.attname ~ '_at$' then -0.5 else s.stadistinct end, stakind1 = 0, staop1 = 0, stacoll1 = 0, stanumbers1 = null, stavalues1 = null
    from pg_attribute a
    where a.attrelid = s.starelid and a.attnum = s.staattnum and a.attname ~ '(height|_at)$' and s.stakind1 = 1
  `;
  await sql`
    update pg_class
    set reltuples = reltuples * ${growth}
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples > 0
  `;
  // An empty table counts as unknown, which the planner takes for some pages.
  await sql`
    update pg_class
    set reltuples = -1
    where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples = 0
  `;
}

/** New connections tell of every plan in a notice, as it was run and with the parameters it was run for. */
async function explainEverything(sql: Pool): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_format': 'json',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    client_min_messages: 'notice',
  };
  for (const [name, value] of Object.entries(settings)) {
    await sql.unsafe(`alter database ${row!.name} set ${name} = '${value}'`);
  }
}

async function openApi({ url, sql: primary }: TestDatabase) {
  let plans: Explained[] = [];
  const onNotice = (text: string) => {
    const start = text.indexOf('{');
    if (/duration: .* plan:/.test(text) && start > 0) plans.push(JSON.parse(text.slice(start)) as Explained);
  };
  const sql = connect(url, { max: 2, name: 'cairn api', ...apiReads, onNotice });
  const tip = new TipCache({ sql, primary, log });
  await tip.start();
  const network = parseNetwork('testnet')!;
  const [plain, compat] = [false, true].map(compat =>
    rosettaServer({
      routes: dataRoutes({ network, compat, interfaces: new InterfaceCache() }),
      network,
      compat,
      bodyLimit: 100_000,
      log,
    }),
  );
  const { app } = await buildApi({
    pool: sql,
    tip,
    network,
    rosetta: async scope => {
      await scope.register(plain!);
      await scope.register(compat!, { prefix: '/compat' });
    },
    poxGeometry: async () => ({ first: 0, length: 20, prepare: 5 }),
    readyMaxLag: 60,
    bodyLimit: 100_000,
    maxInFlight: 100,
    atOnce: 4,
    responses: new ResponseCache(1024),
    caches: openReadCaches({ itemBytes: 1024 }),
    deprecatedEndpoints: true,
    log,
  });
  return {
    routes: readRoutes(openApiOf(app)),
    lists: listRoutes(openApiOf(app)),
    /** The status of an answer and the plans of all that it asked the database. */
    async ask(path: string, question?: object) {
      plans = [];
      const { statusCode, body } = await app.inject(
        question === undefined ? path : { method: 'POST', url: path, payload: question },
      );
      return { status: statusCode, body, plans };
    },
    async stop() {
      await app.close();
      await tip.stop();
      await sql.end({ timeout: 1 });
    },
  };
}

const scans = (plan: Plan): Plan[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scans),
];

/** Rows that the parts of a plan took from tables and that did not fit: what walks an index in search of them. */
const passedOver = (plan: Plan): number =>
  (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + passedOver(part), 0);

test('no response scans a growing table, or walks along an index in search of its rows', async () => {
  const found = new Map<string, string>();
  const walks = new Map<string, string>();
  let seen = 0;
  for (const route of api.routes) {
    const urls = samples.slice(0, 2).flatMap(sample => variantsOf(route, sample));
    for (const url of [...urls, ...(await nextPages(route, urls))]) {
      const { status, plans, body } = await api.ask(url);
      // No node is behind this API; what a proof reads from the tables is read before it asks one.
      expect(status < 500 || /PROOF_NODE_UNAVAILABLE/.test(body), `${url}: ${status} ${body}`).toBe(true);
      seen += plans.length;
      for (const { Plan, 'Query Text': text } of plans) {
        for (const { 'Relation Name': table = '?' } of scans(Plan)) {
          if (!(table in small || route.path in sums || table.startsWith('pg_')))
            found.set(`${table} in ${route.path}`, `${url}\n${text}`);
        }
        const excused = route.path in sums || Object.keys(searches).some(start => url.startsWith(start));
        if (passedOver(Plan) > maxOffset && !excused) {
          walks.set(route.path, `${url} passes ${passedOver(Plan)} rows over\n${text}`);
        }
      }
    }
  }
  expect(seen, 'no plan was seen').toBeGreaterThan(api.routes.length);
  expect([...found.keys()], [...found].map(entry => entry.join(': ')).join('\n\n')).toEqual([]);
  expect([...walks.keys()], [...walks].map(entry => entry.join(': ')).join('\n\n')).toEqual([]);
});

const transactionFilters = Object.keys(transactionFilterQuery);
const eventFilters = Object.keys(eventFilterQuery([]));
const transferFilters = Object.keys(transferFilterQuery);
const rangeFilters = Object.keys(blockRangeQuery);

/** Lists with filters, and the rows that a step of one looks at and passes over: some for each transaction of the account. */
const filtered: Record<string, { filters: readonly string[]; most: number }> = {
  '/extended/v3/principals/{principal}/transactions': { filters: transactionFilters, most: 1_000 },
  '/extended/v3/principals/{principal}/events': { filters: eventFilters, most: 2_500 },
  '/extended/v3/principals/{principal}/transfers/stx/inbound': { filters: transferFilters, most: 2_500 },
  '/extended/v3/principals/{principal}/transfers/ft/{asset_identifier}': { filters: transferFilters, most: 2_500 },
  '/extended/v1/tx': { filters: transactionFilters.filter(name => name !== 'status'), most: 1_500 },
  '/extended/v3/transactions': { filters: transactionFilters, most: 1_500 },
  '/extended/v1/tx/events?address={principal}': { filters: eventFilters, most: 2_500 },
  '/extended/v2/addresses/{principal}/transactions': { filters: transactionFilters, most: 1_000 },
  '/extended/v1/address/{principal}/transactions': { filters: transactionFilters, most: 1_000 },
  '/extended/v1/address/{principal}/stx_inbound': { filters: transferFilters, most: 2_500 },
  '/extended/v1/contract/{contract_id}/events': { filters: Object.keys(logFilterQuery), most: 2_000 },
  '/extended/v2/blocks/100/transactions': { filters: Object.keys(blockFilterQuery), most: 500 },
  '/extended/v1/tokens/ft/{asset_identifier}/transfers': { filters: Object.keys(ftFilterQuery), most: 1_000 },
  '/extended/v1/tokens/nft/{nft}/transfers': { filters: Object.keys(nftFilterQuery), most: 1_000 },
  '/extended/v1/tokens/nft/mints?asset_identifier={nft}': { filters: Object.keys(mintFilterQuery), most: 1_000 },
  '/extended/v1/tokens/nft/history?asset_identifier={nft}&value={value}': {
    filters: Object.keys(nftFilterQuery),
    most: 1_000,
  },
  '/extended/v1/history/accounts/{principal}/transactions': { filters: transactionFilters, most: 2_500 },
  '/extended/v1/history/accounts/{principal}/events': { filters: eventFilters, most: 5_000 },
  '/extended/v1/history/accounts/{principal}/movements': { filters: eventFilters, most: 5_000 },
  '/extended/v1/history/lists/transactions': { filters: [...rangeFilters, 'status'], most: 1_500 },
  '/extended/v1/history/lists/events': { filters: [...rangeFilters, 'event_type'], most: 1_500 },
  '/extended/v1/history/lists/transfers': { filters: [...rangeFilters, 'event_type'], most: 1_500 },
};

test('no mix of filters scans a table or looks at more than a step has, for the busiest account', async () => {
  const whale = (await findAccounts(database.sql)).whale.address;
  const wrong = new Set<string>();
  const deepest = new Map<string, number>();
  for (const [path, { filters, most }] of Object.entries(filtered)) {
    const values = filterValues(whale);
    if (path.includes('/nft/')) values.event_type = 'nft_transfer';
    const mixes = filters.flatMap((a, i) => [[a], ...filters.slice(i + 1).map(b => [a, b])]);
    for (const mix of [[], ...mixes, filters].map(each => possible(filters, each))) {
      const query = new URLSearchParams(Object.fromEntries(mix.map(name => [name, values[name]!])));
      const url = `${urlFor(path, whale)}${path.includes('?') ? '&' : '?'}${query}`;
      const { status, plans, body } = await api.ask(url);
      expect([url, status, status === 200 ? '' : body]).toEqual([url, 200, '']);
      for (const { Plan, 'Query Text': text } of plans) {
        for (const { 'Relation Name': table = '?' } of scans(Plan)) {
          if (!(table in small || table.startsWith('pg_'))) wrong.add(`${table} in ${url}\n${text}`);
        }
        deepest.set(path, Math.max(deepest.get(path) ?? 0, passedOver(Plan)));
        if (passedOver(Plan) > most) wrong.add(`${url} passes ${passedOver(Plan)} rows over\n${text}`);
      }
    }
  }
  expect([...wrong].join('\n\n')).toBe('');
  expect([...deepest.keys()]).toEqual(Object.keys(filtered));
});

/** A mix that is not refused: no transaction is a token transfer and a call. */
const possible = (filters: readonly string[], mix: readonly string[]) =>
  filters.includes('contract') && !filters.includes('asset') && (mix.includes('contract') || mix.includes('function'))
    ? mix.filter(name => name !== 'recipient')
    : mix;

/** The URL of a list of the account, or of what a sample has. */
function urlFor(path: string, whale: string): string {
  const sample = samples.find(each => each.token && each.contract_id && each.asset_identifier && each.value)!;
  const { token, contract_id, asset_identifier, value } = sample;
  const parts = { principal: whale, asset_identifier: token, contract_id, nft: asset_identifier, value };
  return path.replace(/\{(\w+)\}/g, (_, name: keyof typeof parts) => encodeURIComponent(parts[name]!));
}

/** A value of each filter; the account is a side of most of its events. */
const filterValues = (whale: string): Record<string, string> => {
  const sample = samples.find(each => each.token !== undefined && each.contract_id !== undefined)!;
  return {
    from_height: '20',
    to_height: '110',
    from_time: samples.map(each => each.start_time!).sort()[0]!,
    to_time: samples
      .map(each => each.end_time!)
      .sort()
      .at(-1)!,
    sender: whale,
    recipient: samples.map(each => each.principal!).find(each => each !== whale)!,
    contract: sample.token!.split('::')[0]!,
    function: sample.function_name ?? 'transfer',
    status: 'failed',
    asset: sample.token!,
    event_type: 'ft_mint',
    min_amount: '1000000',
    topic: 'transfer',
  };
};

/** Where the first page of a cursor list goes on. */
async function nextPages(route: ReadRoute, urls: readonly string[]): Promise<string[]> {
  if (!takes(route, 'cursor')) return [];
  const pages: string[] = [];
  for (const url of urls) {
    // Of a list that also has an offset, a walk begins with an empty cursor.
    const start = takes(route, 'offset') ? '&cursor=' : '';
    const short = `${url}${url.includes('?') ? '&' : '?'}limit=1`;
    const { status, body } = await api.ask(`${short}${start}`);
    if (status !== 200) continue;
    const { cursor, next_cursor } = JSON.parse(body) as { cursor?: { next?: string } | null; next_cursor?: string };
    const next = cursor?.next ?? next_cursor;
    if (next) pages.push(`${short.replace(/1$/, '20')}&cursor=${encodeURIComponent(next)}`);
  }
  return pages;
}

test('no Rosetta response does either', async () => {
  const network_identifier = { blockchain: 'stacks', network: 'testnet' };
  const found = new Set<string>();
  const questions = samples.slice(0, 10).flatMap((sample): [string, object][] => {
    const { principal, height, tx_id, block_hash, token, asset_identifier, value } = sample;
    const currency = { symbol: 'x', decimals: 0 };
    const currencies = [
      ...(token ? [{ ...currency, metadata: { token_type: 'ft', asset_identifier: token } }] : []),
      ...(asset_identifier && value
        ? [{ ...currency, metadata: { token_type: 'nft', asset_identifier, value: { hex: value } } }]
        : []),
    ];
    const block_identifier = { index: Number(height) };
    const transaction_identifier = { hash: tx_id };
    return [
      ['/network/status', {}],
      ['/account/balance', { account_identifier: { address: principal }, block_identifier }],
      ['/account/balance', { account_identifier: { address: principal }, block_identifier, currencies }],
      ['/block', { block_identifier }],
      ['/block', { block_identifier: { hash: block_hash } }],
      ['/block/transaction', { block_identifier, transaction_identifier }],
      ['/mempool', {}],
      ['/mempool/transaction', { transaction_identifier }],
      ['/events/blocks', {}],
      ['/events/blocks', { offset: Number(height), limit: 10 }],
      ['/search/transactions', {}],
      ['/search/transactions', { max_block: Number(height), offset: 5 }],
      ['/search/transactions', { address: principal, max_block: Number(height) }],
      ['/search/transactions', { type: 'contract_call', offset: 100 }],
      ['/search/transactions', { type: 'coinbase', limit: 100 }],
      ['/search/transactions', { transaction_identifier }],
      ['/call', { method: 'account_nonces', parameters: { address: principal } }],
    ];
  });
  let seen = 0;
  for (const [path, question] of questions) {
    for (const url of [`/rosetta/v1${path}`, `/compat/rosetta/v1${path}`]) {
      const { status, plans, body } = await api.ask(url, { network_identifier, ...question });
      // An error of Rosetta has status 500 too; 612 is that of a fault.
      const refused = status !== 200 && (JSON.parse(body) as { code?: number }).code !== 612;
      expect(status === 200 || refused, `${url}: ${status} ${body}`).toBe(true);
      seen += plans.length;
      for (const { Plan, 'Query Text': text } of plans) {
        for (const { 'Relation Name': table = '?' } of scans(Plan)) {
          if (!(table in small || table.startsWith('pg_'))) found.add(`${table} in ${path}: ${text}`);
        }
      }
    }
  }
  expect(seen).toBeGreaterThan(questions.length);
  expect([...found].join('\n\n')).toBe('');
});

test('the lists that are not looked at are the ones that say why', async () => {
  const unanswered: string[] = [];
  for (const route of api.lists) {
    let answered = false;
    for (const sample of samples.slice(0, 8)) {
      for (const url of variantsOf(route, sample)) answered ||= (await api.ask(url)).status === 200;
      if (answered) break;
    }
    if (!answered) unanswered.push(route.path);
  }
  const advice = 'give the samples in bench/support/samples.ts a value to ask for, or say above why there is none';
  expect(unanswered.sort(), advice).toEqual(Object.keys(skipped).sort());
});
