import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { expect, test } from 'vitest';
import { apiReads, connect, type Sql } from '../../../src/db/client.ts';
import { startShell, startWithoutTip } from '../../support/api.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../support/database.ts';
import { until } from '../../support/service.ts';
import { tipAt } from '../../support/tip.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const tip = tipAt(1);

/** Routes whose statements take longer than any test waits; `/shared` ends when the test lets it. */
const slowRoutes =
  (calls: { count: number }): FastifyPluginAsyncTypebox =>
  async app => {
    app.get('/first', { config: { freshness: 'tip' } }, async ({ sql }) => await sql`select pg_sleep(900)`);
    app.get('/later', { config: { freshness: 'tip' } }, async ({ sql }) => {
      await sql`select 1`;
      return await sql`select pg_sleep(900)`;
    });
    app.post('/transaction', { config: { freshness: 'none' } }, async ({ sql }) =>
      sql.begin(async tx => {
        await tx`select 1`;
        return await tx`select pg_sleep(900)`;
      }),
    );
    app.get('/shared', { config: { freshness: 'tip' } }, async ({ sql }) => {
      calls.count++;
      await sql`select pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7)`;
      return { calls: calls.count };
    });
  };

async function start(t: Ending) {
  const database = await emptyDatabase(t);
  const sql = connect(database.url, { max: 4, name: 'cairn api', ...apiReads, statementTimeoutMs: 900_000 });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const calls = { count: 0 };
  const { app } = await startShell(t, { current: tip }, { pool: sql, routes: slowRoutes(calls) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { database, calls, port: (app.server.address() as AddressInfo).port };
}

async function ask(t: Ending, port: number, request: string): Promise<Socket> {
  const socket = connectSocket(port, '127.0.0.1').on('error', () => {});
  t.onTestFinished(async () => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`${request} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  return socket;
}

/**
 * How many statements of the API the server has worked on for long enough that the pool sends no other statement behind them.
 */
async function running({ sql }: TestDatabase): Promise<number> {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*)
    from pg_stat_activity
    where datname = current_database() and application_name = 'cairn api' and state = 'active'
      and clock_timestamp() - query_start > interval '20 milliseconds'
  `;
  return Number(row!.count);
}

/** Takes a lock in a transaction that ends when the result is called, or with the test. */
async function hold(t: Ending, { sql }: TestDatabase, lock: (tx: Sql) => PromiseLike<unknown>) {
  let release!: () => void;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  let over: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    over = sql.begin(async tx => {
      await lock(tx);
      resolve();
      await released;
    });
    over.catch(reject);
  });
  const end = async () => {
    release();
    await over;
  };
  t.onTestFinished(end);
  return end;
}

for (const request of ['GET /first', 'GET /later', 'POST /transaction']) {
  test(`${request}: a statement whose client has gone is cancelled`, async t => {
    const { database, port } = await start(t);
    const socket = await ask(t, port, request);
    await until(async () => (await running(database)) === 1);
    socket.destroy();
    await until(async () => (await running(database)) === 0);
  });
}

test('a statement continues while another client waits for it; a client that comes after all have gone gets a response', async t => {
  const { database, calls, port } = await start(t);
  const unlock = await hold(t, database, tx => tx`select pg_advisory_xact_lock(7)`);
  const first = await ask(t, port, 'GET /shared');
  await until(async () => (await running(database)) === 1);
  const second = await ask(t, port, 'GET /shared');
  const alone = await ask(t, port, 'GET /first');
  await until(async () => (await running(database)) === 2);
  first.destroy();
  alone.destroy();
  // The one is cancelled, and so the other would have been.
  await until(async () => (await running(database)) === 1);
  expect(calls.count).toBe(1);
  second.destroy();
  await until(async () => (await running(database)) === 0);
  const third = await ask(t, port, 'GET /shared');
  await until(async () => (await running(database)) === 1);
  await unlock();
  const [bytes] = (await once(third, 'data')) as [Buffer];
  expect(bytes.toString()).toMatch(/^HTTP\/1.1 200 .*{"calls":2}$/s);
});

test('a list whose client has gone is cancelled', async t => {
  const database = await testDatabase(t);
  const { app } = await startWithoutTip(t, database, 1000);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  await hold(t, database, tx => tx`lock table transactions in access exclusive mode`);
  const socket = await ask(t, port, 'GET /extended/v1/tx?limit=5');
  await until(async () => (await running(database)) === 1);
  socket.destroy();
  await until(async () => (await running(database)) === 0);
});
