import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { build, startService } from './support/running-service.ts';
import { headOf, until } from './support/service.ts';

beforeAll(build, 120_000);

type Ending = { onTestFinished(work: () => Promise<void>): void };

const BLOCKED_MS = 2000;

/** Loaded before the program: SIGUSR2 keeps the main thread busy, SIGHUP makes the thread of the observer fail. */
const preload = `
  import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';
  const crash = new BroadcastChannel('crash');
  crash.unref();
  if (isMainThread) {
    process.on('SIGUSR2', () => { for (const end = Date.now() + ${BLOCKED_MS}; Date.now() < end; ); });
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

type Post = { status: number; at: number; ms: number };

/** Posts an event and says when, and how long the answer took. */
async function post(observer: string, body = '[]', headers: Record<string, string> = {}): Promise<Post> {
  const at = performance.now();
  const answer = await fetch(`http://${observer}/new_mempool_tx`, { method: 'POST', body, headers });
  await answer.text();
  return { status: answer.status, at, ms: performance.now() - at };
}

/** When the first answer of the API came that had to wait for a busy main thread. */
async function lateResponse(api: string): Promise<number> {
  for (const started = performance.now(); performance.now() - started < 5 * BLOCKED_MS; ) {
    const asked = performance.now();
    await (await fetch(`${api}/healthz`)).text();
    if (performance.now() - asked > BLOCKED_MS / 2) return performance.now();
  }
  throw new Error('the main thread was never busy');
}

test('a node gets its answer while the main thread is busy', async t => {
  const { child, addresses, lines } = await start(t, await testDatabase(t));
  const { api, observer, metrics } = addresses;
  // Connections are open and the names of path and source known, as with a node that has posted before.
  expect((await post(observer!)).status).toBe(200);
  expect((await fetch(`${api}/healthz`)).status).toBe(200);

  child.kill('SIGUSR2');
  const respondedAt = lateResponse(api!);
  let over = false;
  void respondedAt.finally(() => {
    over = true;
  });
  const posts: Post[] = [];
  while (!over) posts.push(await post(observer!));
  const busyFrom = (await respondedAt) - BLOCKED_MS;
  expect(posts.filter(({ at }) => at > busyFrom).length).toBeGreaterThan(1);
  for (const { status, ms } of posts) expect([status, ms < 500], `${Math.round(ms)} ms`).toEqual([200, true]);

  // Metrics and lines of the log come from the main thread all the same.
  const stored = `cairn_events_received_total{path="/new_mempool_tx",outcome="stored"} ${posts.length + 1}`;
  await until(async () => (await (await fetch(metrics!)).text()).includes(stored));
  expect((await post(observer!, '[]', { origin: 'http://page.example' })).status).toBe(403);
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
  expect((await post(addresses.observer!)).status).toBe(200);
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
