import { expect, test } from 'vitest';
import { apiReads, connect } from '../../src/db/client.ts';
import { RateGate } from '../../src/http/limits/rate-limits.ts';
import { startShell } from '../support/api.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { addressOf, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

type Result = { status: number; body: Record<string, unknown> | null };
type App = Awaited<ReturnType<typeof serveChain>>['app'];

async function batch(app: App, paths: readonly string[], headers: Record<string, string> = {}) {
  const payload = { requests: paths.map(path => ({ path })) };
  const {
    statusCode,
    headers: sent,
    body,
  } = await app.inject({ method: 'POST', url: '/extended/v1/batch', payload, headers });
  const { results = [], message } = JSON.parse(body) as { results?: Result[]; message?: string };
  return { statusCode, height: sent['x-cairn-height'], cacheControl: sent['cache-control'], results, message };
}

test('a batch has the responses that its requests get on their own', async t => {
  const chain = testChain();
  const one = chain.mine(chain.genesis, {
    transactions: [{ kind: 'transfer', from: 0, to: addressOf(1), amount: 5n }],
  });
  const { app } = await serveChain(t, [chain.genesis, one]);
  const hash = one.hash.replace(/^0x/, '');
  const paths = [
    '/extended/v2/blocks?limit=1',
    '/extended/v2/blocks?limit=1&fields=results.height',
    `/extended/v1/address/${addressOf(1)}/balances`,
    '/extended/v2/blocks/77',
    '/extended/v2/blocks?limit=1000000',
    '/no/such/path',
    `/extended/v1/block/0x${hash}`,
  ];
  const { statusCode, height, cacheControl, results } = await batch(app, paths);
  expect([statusCode, height, cacheControl]).toEqual([200, '1', 'no-store']);
  for (const [i, path] of paths.entries()) {
    const alone = await app.inject(path);
    expect([path, results[i]]).toEqual([path, { status: alone.statusCode, body: alone.json() }]);
  }
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400, 404, 200]);
  expect(results[1]!.body).toEqual({ results: [{ height: 1 }] });
  // A hash without 0x is redirected to the one with it.
  const redirected = await batch(app, [`/extended/v1/block/${hash}`, `/extended/v1/block/0x${hash}`]);
  expect(redirected.results[0]).toEqual(redirected.results[1]);
  // The shape that the client requests holds for each response.
  const list = `/extended/v2/addresses/${addressOf(1)}/transactions`;
  for (const shape of ['8', '9']) {
    const headers = { 'x-api-version': shape };
    const { results: shaped } = await batch(app, [list], headers);
    expect(shaped[0]!.body).toEqual((await app.inject({ url: list, headers })).json());
  }
});

test('what does not come from the index alone, and what is no path, is refused', async t => {
  const chain = testChain();
  const { app } = await serveChain(t, [chain.genesis]);
  const { results } = await batch(app, [
    '/extended/v1/stream',
    '/healthz',
    '/docs',
    '/openapi.json',
    '/extended/v1/batch',
  ]);
  expect(results.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404]);
  expect(results[0]!.body).toMatchObject({ message: expect.stringContaining('GET /extended/v1/stream') });
  for (const path of [
    '',
    'extended',
    '//example.org/extended',
    'http://example.org/',
    '/a#b',
    `/${'a'.repeat(4001)}`,
  ]) {
    expect([path, (await batch(app, [path])).statusCode]).toEqual([path, 400]);
  }
  for (const count of [0, 101]) expect((await batch(app, Array(count).fill('/extended'))).statusCode).toBe(400);
  expect((await batch(app, Array(100).fill('/extended'))).results).toHaveLength(100);
});

test('all responses of a batch are of one block while blocks arrive', async t => {
  const chain = testChain();
  const one = chain.mine(chain.genesis);
  const { app, database, tip } = await serveChain(t, [chain.genesis, one]);
  const blocks = mineLine(chain, one, 60);
  let ended = false;
  const folding = foldAll(database, blocks.flatMap(messagesOf)).finally(() => {
    ended = true;
  });
  const paths = [
    '/extended',
    '/extended/v2/blocks?limit=1',
    '/extended/v1/block?limit=1',
    '/extended/v2/blocks?limit=3',
  ];
  const mixed: unknown[] = [];
  while (!ended) {
    const { statusCode, height, results } = await batch(app, paths);
    // Blocks come faster here than a node posts them.
    if (statusCode === 503) continue;
    const shown = results.map(({ body }) => {
      const { chain_tip, results: list } = body as {
        chain_tip?: { block_height: number };
        results?: { height?: number; block_height?: number }[];
      };
      return String(chain_tip?.block_height ?? list?.[0]?.height ?? list?.[0]?.block_height);
    });
    if (shown.some(each => each !== height)) mixed.push({ height, shown });
  }
  await folding;
  expect(mixed).toEqual([]);
  await until(async () => tip.current?.height === 61);
  expect((await batch(app, paths)).height).toBe('61');
});

test('each request of a batch is charged to the client as on its own', async t => {
  const chain = testChain();
  const { database, tip } = await serveChain(t, [chain.genesis]);
  const rates = new RateGate({ perSecond: 0.001, burst: 12, trustedProxies: [] });
  const pool = connect(database.url, { max: 4, name: 'cairn api', ...apiReads });
  t.onTestFinished(() => pool.end({ timeout: 1 }));
  const { app } = await startShell(t, tip, { rates, pool });
  // One unit for the batch, and two for each list that is not stored yet.
  const paths = [1, 2, 3, 4, 5, 6, 7].map(limit => `/extended/v2/blocks?limit=${limit}`);
  const payload = { requests: paths.map(path => ({ path })) };
  const answer = await app.inject({ method: 'POST', url: '/extended/v1/batch', payload, remoteAddress: '203.0.113.7' });
  const { results } = answer.json() as { results: Result[] };
  const paid = results.filter(({ status }) => status === 200).length;
  expect([answer.statusCode, results.length]).toEqual([200, 7]);
  // Five at most; fewer where the work of a response took longer than what it had paid.
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThanOrEqual(5);
  expect(results.find(({ status }) => status === 429)?.body).toMatchObject({ retry_after: expect.any(Number) });
  const other = await app.inject({ url: '/extended', remoteAddress: '203.0.113.7' });
  expect(other.statusCode).toBe(429);
});
