import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExplorer } from '../../src/api/explorer/files.ts';
import { startShell } from '../support/api.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const ends: (() => Promise<void>)[] = [];
let explorer: NonNullable<ReturnType<typeof readExplorer>>;
let app: Awaited<ReturnType<typeof startShell>>['app'];
beforeAll(async () => {
  const built = readExplorer();
  if (!built) throw new Error('npm test builds the explorer');
  explorer = built;
  ({ app } = await startShell({ onTestFinished: end => void ends.unshift(end) }, { current: undefined }, { explorer }));
});
afterAll(async () => {
  for (const end of ends) await end();
});

test('a browser gets the page at /, any other client the redirect', async () => {
  const page = await app.inject({ url: '/', headers: html });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain('<div id="app">');
  for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0, */*']) {
    const other = await app.inject({ url: '/', headers: accept === undefined ? {} : { accept } });
    expect([accept, other.statusCode, other.headers.location]).toEqual([accept, 302, '/extended']);
  }
});

test.each([
  '/tx/0xab',
  '/block/1',
  '/burn-block/1',
  '/tenure/1',
  '/account/ST1',
  '/contract/ST1.pool',
  '/token/ST1.pool%3A%3Atoken',
  '/name/a.btc',
  ...[
    '/blocks',
    '/transactions',
    '/collections',
    '/signer/0x02',
    '/stacking',
    '/sbtc',
    '/names',
    '/mempool',
    '/status',
    '/tokens',
    '/contracts',
    '/search?q=1',
  ],
])('%s is a page for browsers and an unknown path for programs', async url => {
  expect((await app.inject({ url, headers: html })).statusCode).toBe(200);
  const other = await app.inject({ url, headers: { accept: 'application/json' } });
  expect(other.statusCode).toBe(404);
  expect(other.json()).toEqual({ message: `Route GET:${url} not found`, error: 'Not Found', statusCode: 404 });
});

test('a browser that was led to an unknown address gets the page that says so, and a program JSON', async () => {
  const page = await app.inject({ url: '/nothing/here?chain=mainnet', headers: html });
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.body).toContain('<div id="app">');
  const other = await app.inject({ url: '/nothing/here', headers: { accept: 'application/json' } });
  expect(other.json()).toEqual({ message: 'Route GET:/nothing/here not found', error: 'Not Found', statusCode: 404 });
});

test('addresses of other explorers, which wallets link to, lead to the same thing here', async () => {
  const places = {
    '/txid/0xab?chain=testnet': '/tx/0xab',
    '/txid/ST1.pool': '/contract/ST1.pool',
    '/address/ST1?api=http://127.0.0.1:1': '/account/ST1',
    '/address/ST1.pool': '/contract/ST1.pool',
    '/btcblock/5': '/burn-block/5',
    '/microblock/0xab': '/search?q=0xab',
    '/signers': '/stacking',
    '/address/%2F%2Fevil': '/account/%2F%2Fevil',
  };
  for (const [url, location] of Object.entries(places)) {
    const answer = await app.inject({ url, headers: html });
    expect([url, answer.statusCode, answer.headers.location]).toEqual([url, 302, location]);
    expect((await app.inject({ url, headers: { accept: 'application/json' } })).statusCode).toBe(404);
  }
});

test('paths of the API stay JSON for browsers too', async () => {
  const unknown = await app.inject({ url: '/extended/v1/nothing', headers: html });
  expect([unknown.statusCode, unknown.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});

test('the policy of the pages allows no inline script, no inline style and no other origin', async () => {
  const { headers, body } = await app.inject({ url: '/', headers: html });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(body).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+="/);
  expect(body).not.toMatch(/(src|href)="(?!\/)/);
  const docs = await app.inject({ url: '/docs', headers: html });
  expect(String(docs.headers['content-security-policy'])).toMatch(/script-src 'self';/);
});

test('the reference has the guides in it, as the files of the project say them, and nothing that runs', () => {
  const [, script] = [...explorer.assets].find(([name]) => /^docs-.*\.js$/.test(name))!;
  const text = script.plain.toString();
  for (const title of ['Pages and cursors', 'Errors', 'Limits and keys', 'Forks and finality', 'Caching'])
    expect(text).toContain(`<h2>${title}</h2>`);
  expect(text).toContain('#guide-limits');
  expect(text).toContain('/docs/realtime.md');
  expect(text).not.toContain('../realtime.md');
});

test('hashed files are cached for long and compressed when they were built', async () => {
  const [name] = [...explorer.assets.keys()].filter(each => /^index-.*\.js$/.test(each));
  const url = `/assets/${name}`;
  const plain = await app.inject({ url });
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const br = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect((await app.inject('/assets/nothing.js')).statusCode).toBe(404);
  expect((await app.inject('/assets/..%2Findex.html')).statusCode).toBe(404);
});

test('all scripts of the explorer together stay below the budget of the first load', async () => {
  const scripts = [...explorer.assets].filter(([name]) => name.endsWith('.js') && !name.startsWith('swagger-ui'));
  const bytes = scripts.reduce((sum, [, file]) => sum + (file.gzip ?? file.plain).length, 0);
  expect(bytes).toBeLessThan(150_000);
});
