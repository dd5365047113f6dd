import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { build, startService } from './support/running-service.ts';
import { headOf, until } from './support/service.ts';

beforeAll(build);

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** Loaded before the program: SIGUSR2 keeps the main thread busy until a file is there, SIGHUP makes the thread of the observer fail. */
const preload = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';
  const crash = new BroadcastChannel('crash');
  crash.unref();
  if (isMainThread) {
    process.on('SIGUSR2', () => {
      writeFileSync(process.env.CAIRN_DATA_DIR + '/busy', '');
      while (!existsSync(process.env.CAIRN_DATA_DIR + '/go-on'));
    });
    process.on('SIGHUP', () => crash.postMessage('now'));
  } else if (workerData?.options?.port !== undefined) {
    crash.onmessage = () => { throw new Error('made to fail'); };
    crash.unref();
  }
`;

async function start(t: Ending, { url }: TestDatabase, settings: Record<string, string> = {}) {
  return await startService(t, {
    DATABASE_URL: url,
    CAIRN_NETWORK: 'testnet',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}`,
    ...settings,
  });
}

/** Posts an event; gives the status of the answer. */
async function post(observer: string, body = '[]', headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(`http://${observer}/new_mempool_tx`, { method: 'POST', body, headers });
  await answer.text();
  return answer.status;
}

test('a node gets its answer while the main thread is busy', async t => {
  const { child, addresses, lines, dataDir } = await start(t, await testDatabase(t));
  const { api, observer, metrics } = addresses;
  // Connections are open and the names of path and source known, as with a node that has posted before.
  expect(await post(observer!)).toBe(200);
  expect((await fetch(`${api}/healthz`)).status).toBe(200);

  child.kill('SIGUSR2');
  await until(() => existsSync(join(dataDir, 'busy')));
  let responded = false;
  const response = fetch(`${api}/healthz`).then(({ status }) => {
    responded = true;
    return status;
  });
  const posts = 20;
  for (let i = 0; i < posts; i++) expect(await post(observer!)).toBe(200);
  expect(responded).toBe(false);
  writeFileSync(join(dataDir, 'go-on'), '');
  expect(await response).toBe(200);

  // Metrics and lines of the log come from the main thread all the same.
  const stored = `cairn_events_received_total{path="/new_mempool_tx",outcome="stored"} ${posts + 1}`;
  await until(async () => (await (await fetch(metrics!)).text()).includes(stored));
  expect(await post(observer!, '[]', { origin: 'http://page.example' })).toBe(403);
  await until(async () => lines().some(({ level, msg }) => level === 40 && msg.startsWith('rejected an event')));
});

test('a stop finishes the posts in hand, and what was answered is in the log', async t => {
  const database = await testDatabase(t);
  const { child, addresses } = await start(t, database);
  const before = await headOf(database.sql);
  const open = request(`http://${addresses.observer}/new_mempool_tx`, {
    method: 'POST',
    headers: { 'content-length': 2, connection: 'keep-alive' },
  });
  const answered = once(open, 'response');
  open.write('[');
  await once(open, 'socket');
  // The observer has this post once it has answered one that was sent after it.
  expect(await post(addresses.observer!)).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await until(async () =>
    post(addresses.observer!).then(
      () => false,
      () => true,
    ),
  );
  const taken = await headOf(database.sql);
  open.end(']');
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(200);
  expect(await ended).toEqual([0, null]);
  expect(taken).toBeGreaterThan(before);
  expect(await headOf(database.sql)).toBe(taken + 1n);
});

test('a crash of the thread ends the process', async t => {
  const { child, lines } = await start(t, await testDatabase(t));
  const ended = once(child, 'exit');
  child.kill('SIGHUP');
  expect(await ended).toEqual([1, null]);
  expect(lines()).toContainEqual(
    expect.objectContaining({ level: 60, err: expect.objectContaining({ message: 'made to fail' }) }),
  );
});

test('a port that is taken is named', async t => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.onTestFinished(async () => void taken.close());
  const port = String((taken.address() as AddressInfo).port);
  const refused = start(t, await testDatabase(t), { CAIRN_OBSERVER_PORT: port });
  await expect(refused).rejects.toThrow(/ended with code 2.*set CAIRN_OBSERVER_PORT to another port/s);
});
