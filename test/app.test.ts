import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { createApp } from '../src/app/app.ts';
import { Broadcasts } from '../src/app/broadcasts.ts';
import { openDatabase } from '../src/app/database.ts';
import { storeIdentity } from '../src/app/identity.ts';
import { ReadServers } from '../src/app/reading/read-servers.ts';
import { readConfig } from '../src/config/config.ts';
import { connect } from '../src/db/client.ts';
import { createLog } from '../src/log.ts';
import { openPooler } from './db/pooler.ts';
import { openProxy } from './db/tcp-proxy.ts';
import { mineLine, testChain } from './support/chain.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from './support/database.ts';
import { foldAll, until } from './support/service.ts';

const log = createLog({ level: 'silent', format: 'json' });

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A process that only answers, on a database with one block. */
async function startServing(t: Ending, settings: Record<string, string> = {}, database?: TestDatabase) {
  const { sql, url } = database ?? (await testDatabase(t));
  await storeIdentity(sql, parseNetwork('testnet')!, false);
  const chain = testChain({ seed: 1 });
  const first = chain.mine();
  await foldAll({ sql, url }, [chain.genesis, first]);
  const mine = async (blocks: number) => void (await foldAll({ sql, url }, mineLine(chain, first, blocks)));
  const ports = { CAIRN_API_PORT: '0', CAIRN_METRICS_PORT: '0' };
  const { config } = readConfig({ ...ports, CAIRN_ROLE: 'api', DATABASE_URL: url, ...settings });
  const app = createApp(config, log, error => {
    throw error;
  });
  t.onTestFinished(() => app.stop());
  const { addresses } = await app.start();
  return { app, sql, api: addresses.api!, metrics: addresses.metrics!, mine };
}

test('a stop takes no new connections, and finishes what is open before it closes the database', async t => {
  const { app, api } = await startServing(t);
  const ws = new WebSocket(`${api.replace('http', 'ws')}/extended/v1/ws`);
  const told = once(ws, 'close');
  await once(ws, 'open');
  const body = JSON.stringify({ network_identifier: { blockchain: 'stacks', network: 'testnet' } });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const open = request(`${api}/rosetta/v1/mempool`, { method: 'POST', headers });
  const answered = once(open, 'response');
  open.write(body.slice(0, 5));
  await once(open, 'socket');
  // The server has this request once it has answered one that was sent after it.
  await (await fetch(`${api}/healthz`)).text();

  const stopped = app.stop();
  const [code] = await told;
  expect(code).toBe(1001);
  await expect(fetch(`${api}/healthz`)).rejects.toThrow();
  open.end(body.slice(5));
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(200);
  await stopped;
});

/** Another way to a database, which can be cut. */
async function sideWay(t: Ending, url: string) {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname);
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
  const ends = new Set<Socket>();
  const server = createServer(near => {
    const far = dial(target);
    for (const end of [near, far]) ends.add(end.on('error', () => {}));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = async () => {
    server.close();
    for (const end of ends) end.destroy();
  };
  t.onTestFinished(cut);
  const way = new URL(url);
  way.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: way.href, ends, cut };
}

test('when the replica that answers are read from is lost, no request fails: the primary is read', async t => {
  const database = await testDatabase(t);
  const replica = await sideWay(t, database.url);
  const { api, metrics } = await startServing(t, { CAIRN_READ_URLS: replica.url }, database);
  const status = async (url: string | URL) => (await fetch(url)).status;
  const asked = `${api}/extended/v1/status/ingest`;
  expect([await status(asked), replica.ends.size > 0]).toEqual([200, true]);
  await replica.cut();
  const answers = await Promise.all(Array.from({ length: 20 }, () => status(asked)));
  expect(new Set(answers)).toEqual(new Set([200]));
  await until(async () => (await status(new URL('/readyz', metrics))) === 200);
  await until(async () => (await status(`${api}/extended`)) === 200);
});

test('a process that answers behind a pooler reads right, is ready, and follows the chain', async t => {
  const database = await testDatabase(t);
  const pooler = await openPooler(t, database.url);
  const { api, metrics, mine } = await startServing(
    t,
    { DATABASE_URL: pooler.url, CAIRN_CACHE_BYTES: '1024' },
    database,
  );
  const ask = async (path: string) => {
    const answer = await fetch(`${api}${path}`);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  await mine(20);
  await until(async () => (await ask('/extended/v2/blocks/latest')).body.height === 21);
  const heights = Array.from({ length: 200 }, (_, i) => 1 + (i % 21));
  const answers = await Promise.all(heights.map(height => ask(`/extended/v2/blocks/${height}`)));
  expect(answers.map(({ status, body }) => [status, body.height])).toEqual(heights.map(height => [200, height]));
  expect((await fetch(new URL('/readyz', metrics))).status).toBe(200);
});

test('servers that are no replicas of the primary are refused by name, and never by password', async t => {
  const [primary, other, foreign, old] = await Promise.all([
    testDatabase(t),
    testDatabase(t),
    testDatabase(t),
    emptyDatabase(t),
  ]);
  await storeIdentity(primary.sql, parseNetwork('testnet')!, false);
  await storeIdentity(foreign.sql, parseNetwork('mainnet')!, false);
  const options = { replicas: [other.url, foreign.url, old.url], primary: primary.url, maxLagSeconds: 5, log };
  const reading = await ReadServers.open({ ...options, follow: async () => {}, onRegression: () => {} });
  t.onTestFinished(() => reading.stop());
  const reports = reading.reports();
  expect(reports.map(({ condition, in_use }) => [condition, in_use])).toEqual([
    ['refused', false],
    ['refused', false],
    ['refused', false],
    ['usable', true],
  ]);
  const [another, chain, tables] = reports.map(({ reason }) => reason);
  expect(another).toContain('another database');
  expect(chain).toContain('it holds mainnet');
  expect(tables).toContain('older than this program');
  const { password } = new URL(primary.url);
  expect(password).not.toBe('');
  expect(JSON.stringify(reports)).not.toContain(password);
  expect(reports[0]!.name).toContain(new URL(other.url).pathname);
});

test('readiness and metrics answer while every connection of the API is busy', async t => {
  const { sql, api, metrics } = await startServing(t, { CAIRN_DB_POOL: '1' });
  let slow: Promise<Response> | undefined;
  await sql.begin(async writer => {
    await writer`lock table transactions in access exclusive mode`;
    slow = fetch(`${api}/extended/v1/tx`);
    const waiting = () => sql`select 1 from pg_locks l where l.relation = 'transactions'::regclass and not l.granted`;
    await until(async () => (await waiting()).length > 0);
    for (const url of [new URL('/readyz', metrics), metrics]) {
      expect((await fetch(url)).status).toBe(200);
    }
  });
  expect((await slow!).status).toBe(200);
});

test('while the database says nothing, readiness says why and nothing kept is sent, and all is back with it', async t => {
  const database = await testDatabase(t);
  const proxy = await openProxy(t, database.url);
  const settings = { DATABASE_URL: proxy.url, CAIRN_QUERY_TIMEOUT: '2' };
  const { api, metrics } = await startServing(t, settings, database);
  const ask = async (url: string | URL) => await fetch(url);
  const kept = `${api}/extended/v2/blocks/1`;
  const doors = [new URL('/readyz', metrics), new URL('/readyz', api)];
  for (const url of [kept, kept, ...doors]) await until(async () => (await ask(url)).status === 200);
  proxy.blackhole();
  for (const door of doors) {
    await until(async () => (await ask(door)).status === 503);
    expect(await (await ask(door)).json()).toMatchObject({
      status: 'not ready',
      reason: expect.stringMatching(/database|tip/),
    });
  }
  const refused = await ask(kept);
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
  proxy.heal();
  await until(async () => (await ask(kept)).status === 200);
  for (const door of doors) await until(async () => (await ask(door)).status === 200);
});

test('a failure of a probe is not reported as a lost database', async t => {
  const { sql, metrics } = await startServing(t);
  await sql`drop table event_quarantine`;
  for (const url of [new URL('/readyz', metrics), metrics]) {
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('The log of the service has the details'),
    ]);
  }
});

test('the embedded database has room for as many connections as are asked for', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-app-'));
  chmodSync(dataDir, 0o755);
  t.onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { config } = readConfig({ CAIRN_DATA_DIR: dataDir, CAIRN_DB_POOL: '100' });
  const { url, folder, stop } = await openDatabase(config, log);
  t.onTestFinished(stop);
  expect(folder).toBeDefined();
  const sql = connect(url, { max: 1, name: 'test' });
  const [row] = await sql<{ room: number }[]>`select current_setting('max_connections')::int as room`;
  await sql.end();
  expect(row!.room).toBeGreaterThan(100);
});

test('one who sends a transaction again while it is announced waits for it, too', async t => {
  const { sql } = await testDatabase(t);
  let appended = 0;
  let commit = (_: bigint) => {};
  const events = {
    append() {
      appended++;
      return new Promise<bigint>(resolve => {
        commit = resolve;
      });
    },
  };
  const broadcasts = new Broadcasts({ events, sql, tip: { refresh: async () => {} } });
  const raw = Buffer.from('00', 'hex');
  const first = broadcasts.announce(raw);
  let done = false;
  const second = broadcasts.announce(raw).then(() => {
    done = true;
  });
  await sql`select 1`;
  expect([appended, done]).toEqual([1, false]);
  commit(0n);
  await Promise.all([first, second]);
});

test('many who send transactions while the fold is behind share one look at the database', async t => {
  const { sql } = await testDatabase(t);
  let [looks, atOnce, maxAtOnce] = [0, 0, 0];
  const counted = (async (...question: Parameters<typeof sql>) => {
    looks++;
    maxAtOnce = Math.max(maxAtOnce, ++atOnce);
    return await sql(...question).finally(() => atOnce--);
  }) as unknown as typeof sql;
  let last = 0n;
  const events = { append: async () => ++last };
  const broadcasts = new Broadcasts({ events, sql: counted, tip: { refresh: async () => {} } });
  let done = 0;
  const announced = Array.from({ length: 50 }, (_, i) => broadcasts.announce(Buffer.from([i])).then(() => done++));
  await until(async () => looks > 3);
  expect([done, maxAtOnce]).toEqual([0, 1]);
  await sql`update fold_position set event_id = 20`;
  await until(async () => done >= 20);
  await sql`update fold_position set event_id = 50`;
  await Promise.all(announced);
  expect(maxAtOnce).toBe(1);
});
