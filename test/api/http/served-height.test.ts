import { expect, test } from 'vitest';
import { mineLine, testChain } from '../../support/chain.ts';
import { serveChain } from '../../support/served-chain.ts';
import { foldAll } from '../../support/service.ts';

test('every response names the height of the tip, and a request waits for the height that its client has seen', async t => {
  const chain = testChain();
  const one = chain.mine(chain.genesis);
  const { app, database } = await serveChain(t, [chain.genesis, one]);
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

  const never = await ask('/extended/v2/blocks?min_height=50');
  expect([never.statusCode, never.headers['retry-after'], never.json().message]).toEqual([
    503,
    '2',
    'This server has not reached block height 50 yet (it is at 2); try again in a moment',
  ]);
  for (const wrong of ['x', '', '-1', '99999999999']) {
    expect((await ask(`/extended/v2/blocks?min_height=${wrong}`)).statusCode).toBe(400);
  }
});
