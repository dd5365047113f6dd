import { expect, onTestFinished, test } from 'vitest';
import type { ReadServerReport } from '../../src/db/reads.ts';
import { Fold } from '../../src/ingest/fold/fold.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { renderDatabase } from '../../src/read/status/database-schema.ts';
import { skipEvent } from '../../src/read/status/status-queries.ts';
import { startApi } from '../support/api.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { foldAll, until } from '../support/service.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const hash = (name: string, height: number) => `0x${Buffer.from(`${name}-${height}`.padEnd(32, '.')).toString('hex')}`;

/** An empty block as a node sends it. */
const block = (height: number, changes: object = {}) => ({
  block_height: height,
  block_hash: hash('block', height),
  index_block_hash: hash('index', height),
  parent_block_hash: hash('block', height - 1),
  parent_index_block_hash: hash('index', height - 1),
  burn_block_hash: hash('burn', 100 + height),
  burn_block_height: 100 + height,
  burn_block_time: 1_700_000_000 + height,
  miner_txid: hash('miner', height),
  matured_miner_rewards: [],
  transactions: [],
  events: [],
  ...changes,
});

const burnBlock = (height: number) => ({
  burn_block_hash: hash('burn', height),
  burn_block_height: height,
  burn_amount: 0,
  reward_recipients: [],
  reward_slot_holders: [],
});

/** The API, and a fold that follows what is posted. */
async function start() {
  const t = { onTestFinished };
  const api = await startApi(t);
  const log = new EventLog(api.database.sql);
  const network = { name: 'testnet', chainId: 0x80000000, mainnet: false };
  const fold = new Fold({ url: api.database.url, network, log: quiet, retryMs: 20 });
  fold.start();
  onTestFinished(() => fold.stop());
  const post = (path: string, body: unknown) =>
    log.append({ path, source: 'test', at: new Date(), body: Buffer.from(JSON.stringify(body)) });
  const get = async (url: string) => (await api.app.inject(url)).json();
  return { ...api, post, get };
}

test('before the first block there is no tip, and no field of /bitcoin/v1 is missing', async t => {
  const { app } = await startApi(t);
  const response = await app.inject('/extended');
  expect(response.json()).toEqual({
    server_version: expect.stringMatching(/^cairn v/),
    status: 'ready',
    pox_v1_unlock_height: null,
    pox_v2_unlock_height: null,
    pox_v3_unlock_height: null,
  });
  expect([response.headers.etag, response.headers['cache-control']]).toEqual([undefined, 'no-store']);
  expect((await app.inject('/bitcoin/v1')).json()).toEqual({
    server_version: expect.any(String),
    status: 'ready',
    pox_v1_unlock_height: 0,
    pox_v2_unlock_height: 0,
    pox_v3_unlock_height: 0,
    chain_tip: {
      block_height: 0,
      block_hash: '',
      index_block_hash: '',
      microblock_hash: '',
      microblock_sequence: 0,
      burn_block_height: 0,
    },
  });
});

test.each([
  ['/', 302],
  ['/extended/v1/status', 301],
  ['/extended/v1/status/', 301],
])('%s leads to the status', async (url, status) => {
  const { app } = await startApi({ onTestFinished });
  const response = await app.inject(url);
  expect([response.statusCode, response.headers.location]).toEqual([status, '/extended']);
});

test('a new block is the tip at once, and its ETag is new', async () => {
  const { app, post, get } = await start();
  await post('/new_block', block(1));
  await until(async () => (await get('/extended')).chain_tip?.block_height === 1);
  const first = await app.inject('/extended/');
  expect(first.json().chain_tip).toEqual({
    block_height: 1,
    block_hash: hash('block', 1),
    index_block_hash: hash('index', 1),
    burn_block_height: 101,
  });
  await post('/new_block', block(2, { pox_v1_unlock_height: 104, pox_v2_unlock_height: 106 }));
  await until(async () => (await get('/extended')).chain_tip.block_height === 2);
  const second = await app.inject({ url: '/extended', headers: { 'if-none-match': first.headers.etag as string } });
  expect([second.statusCode, second.json().pox_v1_unlock_height, second.json().pox_v3_unlock_height]).toEqual([
    200,
    104,
    null,
  ]);
  expect((await get('/bitcoin/v1')).pox_v3_unlock_height).toBe(0);
  await post('/new_burn_block', burnBlock(110));
  await until(async () => (await get('/extended')).chain_tip.burn_block_height === 110);
});

test('status and readiness show waiting blocks and a halt, and a skip lets the fold continue', async () => {
  const { app, database, post, get } = await start();
  await post('/new_block', block(1));
  await post('/new_block', block(7, { parent_index_block_hash: hash('unknown', 6) }));
  const bad = await post('/new_block', block(2, { burn_block_time: 2 ** 40 }));
  await post('/new_block', block(3, { parent_index_block_hash: hash('index', 1), block_height: 2 }));
  await until(async () => (await get('/readyz')).halted_at !== null);
  const halted = await app.inject('/readyz');
  expect(halted.statusCode).toBe(503);
  expect(halted.json()).toMatchObject({ status: 'not ready', logged: 4, folded: 2, parked: 1, halted_at: Number(bad) });
  expect(halted.json().reason).toContain(`the fold stopped at event ${bad}`);
  expect(await skipEvent(database.sql, bad, 'made up')).toBe(true);
  expect(await skipEvent(database.sql, 999n, 'not there')).toBe(false);
  await until(async () => (await get('/readyz')).status === 'ready');
  await until(async () => (await get('/readyz')).folded === 4);
  expect(await get('/extended/v1/status/ingest')).toMatchObject({
    logged: 4,
    folded: 4,
    lag_seconds: 0,
    skipped: 1,
    halted_at: null,
    block_height: 2,
  });
});

test('connections that the database ends are opened again', async t => {
  const { app, database, tip } = await startApi(t);
  const chain = testChain({ seed: 1 });
  await foldAll(database, [chain.genesis, chain.mine()]);
  const end = () => database.sql`
    select pg_terminate_backend(a.pid)
    from pg_stat_activity a
    where a.datname = current_database() and a.application_name = 'cairn api'
  `;
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  await end();
  await until(async () => (await app.inject('/readyz')).statusCode === 200);
  await tip.refresh();
  expect((await app.inject('/extended')).statusCode).toBe(200);
});

test('activity has the last batches and the blocks that forks removed', async t => {
  const { app, database } = await startApi(t);
  expect((await app.inject('/extended/v1/status/activity')).json()).toEqual({ batches: [], reorgs: [] });
  const chain = testChain({ seed: 1 });
  const one = chain.mine();
  const lost = mineLine(chain, one, 2);
  const won = mineLine(chain, one, 3, { transactions: 0 });
  await foldAll(database, [chain.genesis, one, ...lost].flatMap(messagesOf));
  await foldAll(database, won.flatMap(messagesOf));
  const { batches, reorgs } = (await app.inject('/extended/v1/status/activity')).json();
  expect(reorgs).toEqual([{ at: expect.any(String), fork_height: one.height, removed_blocks: 2 }]);
  const sum = (key: 'blocks' | 'events') =>
    batches.reduce((total: number, batch: Record<typeof key, number>) => total + batch[key], 0);
  expect(sum('blocks')).toBeGreaterThanOrEqual(6);
  expect(sum('events')).toBeGreaterThan(0);
});

test('the limits of requests are public', async t => {
  const { app } = await startApi(t);
  expect((await app.inject('/extended/v1/status/limits')).json()).toEqual({
    max_in_flight: 20,
    body_limit: 100_000,
    rate: null,
  });
});

test('the database has a size, and its servers are named without their hosts', async t => {
  const { app } = await startApi(t);
  const body = (await app.inject('/extended/v1/status/database')).json();
  expect(body).toEqual({ size_bytes: expect.any(Number), servers: [] });
  expect(body.size_bytes).toBeGreaterThan(1_000_000);
  const replica = { role: 'replica', lag_seconds: 0, in_flight: 0 } as const;
  const reports: ReadServerReport[] = [
    { ...replica, name: 'db-2:5432/cairn', condition: 'usable', in_use: true, height: 12, in_flight: 3 },
    { ...replica, name: 'db-3:5432/cairn', condition: 'unreachable', reason: 'db-3', in_use: false, height: -1 },
    { ...replica, name: 'db-1:5432/cairn', role: 'primary', condition: 'usable', in_use: false, height: 13 },
  ];
  const { servers } = renderDatabase(1n, reports);
  expect(servers).toEqual([
    { ...replica, name: 'replica 1', condition: 'usable', in_use: true, block_height: 12, in_flight: 3 },
    { ...replica, name: 'replica 2', condition: 'unreachable', in_use: false, block_height: null },
    { ...replica, name: 'primary', role: 'primary', condition: 'usable', in_use: false, block_height: 13 },
  ]);
});
