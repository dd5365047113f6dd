import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { expect, test } from 'vitest';
import type { Tip } from '../../../src/cache/tip-queries.ts';
import { connect } from '../../../src/db/client.ts';
import { plainReads, type Reads } from '../../../src/db/reads.ts';
import { notFound } from '../../../src/errors.ts';
import { startShell } from '../../support/api.ts';
import { mineLine, testChain } from '../../support/chain.ts';
import { serveChain } from '../../support/served-chain.ts';
import { foldAll } from '../../support/service.ts';
import { tipAt } from '../../support/tip.ts';

test('every response names the height of the tip, and a request waits for the height that its client has seen', async t => {
  const chain = testChain();
  const one = chain.mine(chain.genesis);
  const { app, database } = await serveChain(t, [chain.genesis, one], { heightWaitMs: 240_000 });
  const ask = async (url: string, headers: Record<string, string> = {}) => await app.inject({ url, headers });

  const fresh = await ask('/extended/v2/blocks?limit=1');
  expect(fresh.headers['x-cairn-height']).toBe('1');
  const cached = await ask('/extended/v2/blocks?limit=1');
  expect(cached.headers['x-cairn-height']).toBe('1');
  const unchanged = await ask('/extended/v2/blocks?limit=1', { 'if-none-match': String(cached.headers.etag) });
  expect([unchanged.statusCode, unchanged.headers['x-cairn-height']]).toEqual([304, '1']);
  expect((await ask('/extended/v2/blocks/77')).headers['x-cairn-height']).toBe('1');

  // Known heights do not wait, and the parameter is no part of the cached URL.
  const same = await ask('/extended/v2/blocks?min_height=1&limit=1');
  expect([same.statusCode, same.body]).toEqual([200, cached.body]);

  const byParameter = ask('/extended/v2/blocks?limit=1&min_height=2');
  const byHeader = ask('/extended/v2/blocks?limit=1', { 'x-cairn-height': '2' });
  await foldAll(database, mineLine(chain, one, 1));
  for (const { statusCode, body } of await Promise.all([byParameter, byHeader])) {
    expect([statusCode, JSON.parse(body).results[0].height]).toEqual([200, 2]);
  }

  for (const wrong of ['x', '', '-1', '99999999999']) {
    expect((await ask(`/extended/v2/blocks?min_height=${wrong}`)).statusCode).toBe(400);
  }
});

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/stored', { config: { freshness: 'tip' } }, async () => ({}));
  app.get('/by-content', { config: { freshness: 'content' } }, async () => ({}));
  app.get('/missing', { config: { freshness: 'tip' } }, async () => {
    throw notFound('no such thing');
  });
};

test('the height includes all that was read, also where the response is not stored', async t => {
  const tip: { current: Tip | undefined } = { current: undefined };
  const pool = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'shell' });
  const plain = plainReads(pool);
  // The database is two blocks further than the process, whose tip follows before a response is sent.
  const follow = async <T>(reading: Promise<T>) => {
    try {
      return await reading;
    } finally {
      tip.current = tipAt(5, { height: 5 });
    }
  };
  const reads: Reads = { ...plain, run: (work, options) => follow(plain.run(work, options)) };
  const { app } = await startShell(t, tip, { pool, reads, routes });
  const heightOf = async (url: string, before: Tip | undefined) => {
    tip.current = before;
    return (await app.inject(url)).headers['x-cairn-height'];
  };
  const three = tipAt(3, { height: 3 });
  for (const url of ['/stored', '/by-content', '/missing']) {
    expect([url, await heightOf(url, three)]).toEqual([url, '5']);
    expect([url, await heightOf(url, undefined)]).toEqual([url, '5']);
  }
  // Nothing is read for it.
  expect(await heightOf('/extended/v2/blocks/nope', three)).toBe('3');
  expect(await heightOf('/extended/v2/blocks/nope', undefined)).toBeUndefined();
});

test('a request for a height that does not come is refused after a while', async t => {
  const chain = testChain();
  const { app } = await serveChain(t, [chain.genesis, chain.mine(chain.genesis)], { heightWaitMs: 1 });
  const never = await app.inject('/extended/v2/blocks?min_height=50');
  expect([never.statusCode, never.headers['retry-after'], never.json().message]).toEqual([
    503,
    '2',
    'This server has not reached block height 50 yet (it is at 1); try again in a moment',
  ]);
});
