import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import { expect, test } from 'vitest';
import { ReorgDuringRead } from '../../../src/cache/rendered-items.ts';
import { ResponseCache } from '../../../src/cache/response-cache.ts';
import type { Tip } from '../../../src/cache/tip-queries.ts';
import { printOpenApi } from '../../../src/commands/openapi.ts';
import { badRequest, notFound, PublicError } from '../../../src/errors.ts';
import { COMMA_LIST } from '../../../src/http/comma-params.ts';
import { matchesEtag } from '../../../src/http/freshness.ts';
import { openListener, starting } from '../../../src/http/listener.ts';
import { judgeReadiness } from '../../../src/read/status/health.ts';
import type { IngestStatus } from '../../../src/read/status/status-queries.ts';
import { startShell } from '../../support/api.ts';
import { until } from '../../support/service.ts';
import { tipAt } from '../../support/tip.ts';

const tip = (seq: number, chainSeq = seq) => tipAt(seq, { chainSeq });

/** Routes that show what the shell does around a handler. */
function sampleRoutes(calls: { count: number; wait?: Promise<void> }): FastifyPluginAsyncTypebox {
  return async app => {
    const querystring = Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
      unanchored: Type.Optional(Type.Boolean()),
      type: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z]+$' }), { [COMMA_LIST]: true })),
      order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
    });
    app.get('/echo', { schema: { querystring } }, async ({ query }) => query);
    app.get('/cached', { config: { freshness: 'tip' }, schema: { querystring } }, async () => {
      await calls.wait;
      return { count: ++calls.count };
    });
    app.get('/pending', { config: { freshness: 'mempool' } }, async () => ({ count: ++calls.count }));
    app.get('/plain', { config: { freshness: 'tip' } }, async (_request, reply) => {
      reply.type('text/plain');
      return '12.5';
    });
    app.get('/old', { config: { freshness: 'tip', deprecated: true } }, async () => ({}));
    app.get('/missing', { config: { freshness: 'tip' } }, async () => {
      throw notFound('no such thing');
    });
    app.get('/moved', { config: { freshness: 'tip' } }, async (_request, reply) => reply.redirect('/cached', 302));
    app.get('/bad', async () => {
      throw badRequest('not like this');
    });
    app.get('/names', async () => {
      throw new PublicError(404, 'no name', { error: 'no name' });
    });
    app.get('/broken', async () => {
      throw new Error('select secret from vault');
    });
    app.get('/fails/:code', async ({ params }) => {
      throw Object.assign(new Error('inside'), { code: (params as { code: string }).code });
    });
    app.get('/reorganized/:times', { config: { freshness: 'tip' } }, async ({ params }) => {
      if (calls.count++ < Number((params as { times: string }).times)) throw new ReorgDuringRead();
      return { count: calls.count };
    });
    app.post('/post', async ({ body }) => ({ body }));
  };
}

async function startSample(t: Parameters<typeof startShell>[0], options: { deprecatedEndpoints?: boolean } = {}) {
  const calls: { count: number; wait?: Promise<void> } = { count: 0 };
  const source = { current: tip(1) as Tip | undefined };
  const { app } = await startShell(t, source, { routes: sampleRoutes(calls), ...options });
  return { app, calls, source };
}

test('errors of parameters name the parameter and the rule', async t => {
  const { app } = await startSample(t);
  const message = async (url: string) => {
    const response = await app.inject(url);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request' });
    return response.json().message;
  };
  expect(await message('/echo?limit=51')).toBe('querystring/limit must be <= 50');
  expect(await message('/echo?limit=abc')).toBe('querystring/limit must be integer');
  expect(await message('/echo?unanchored=1')).toBe('querystring/unanchored must be boolean');
  expect(await message('/echo?type=a,B')).toBe('querystring/type/1 must match pattern "^[a-z]+$"');
  expect(await message('/echo?order=up')).toContain('must be equal to constant, querystring/order must be equal');
});

test('numbers, booleans and lists are read from text; unknown parameters are ignored', async t => {
  const { app } = await startSample(t);
  const query = async (url: string) => (await app.inject(url)).json();
  expect(await query('/echo?limit=20&unanchored=true&order=asc&nope=1')).toMatchObject({
    limit: 20,
    unanchored: true,
    order: 'asc',
  });
  expect((await query('/echo?type=a&type=b')).type).toEqual(['a', 'b']);
  expect((await query('/echo?type=a,b')).type).toEqual(['a', 'b']);
  expect((await query('/echo?type=a')).type).toEqual(['a']);
  expect(await query('/echo/?limit=1')).toEqual({ limit: 1 });
});

test('errors have the shapes that clients parse and hide internal details', async t => {
  const { app } = await startSample(t);
  const answer = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    const response = await app.inject({ url, method });
    return [response.statusCode, response.json()];
  };
  expect(await answer('/bad')).toEqual([400, { statusCode: 400, error: 'Bad Request', message: 'not like this' }]);
  expect(await answer('/missing')).toEqual([404, { statusCode: 404, error: 'Not Found', message: 'no such thing' }]);
  expect(await answer('/names')).toEqual([404, { error: 'no name' }]);
  expect(await answer('/x?y=1')).toEqual([
    404,
    { message: 'Route GET:/x?y=1 not found', error: 'Not Found', statusCode: 404 },
  ]);
  expect((await answer('/extended', 'POST'))[1]).toMatchObject({ message: 'Route POST:/extended not found' });
  const [status, body] = await answer('/broken');
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain('secret');
  expect((await answer('/fails/22003'))[0]).toBe(400);
  expect((await answer('/fails/57014'))[0]).toBe(503);
  expect(await answer('/fails/ECONNREFUSED')).toEqual([503, { error: 'The database service is unavailable' }]);
  expect((await app.inject('/fails/57P01')).headers['retry-after']).toBe('2');
  expect((await answer('/%zz'))[0]).toBe(400);
});

test('without a database the response is 503 with Retry-After', async t => {
  const { app } = await startShell(t, { current: undefined }, {});
  for (const url of ['/extended', '/bitcoin/v1', '/extended/v1/status/ingest']) {
    const response = await app.inject(url);
    expect([response.statusCode, response.json()]).toEqual([503, { error: 'The database service is unavailable' }]);
    expect(response.headers['retry-after']).toBe('2');
  }
  const ready = await app.inject('/readyz');
  expect([ready.statusCode, ready.headers['retry-after']]).toEqual([503, '2']);
  expect(ready.json()).toEqual({ status: 'not ready', reason: expect.stringMatching(/cannot be read/) });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('bodies are limited and must be JSON', async t => {
  const { app } = await startSample(t);
  const post = (payload: string, type = 'application/json') =>
    app.inject({ url: '/post', method: 'POST', payload, headers: { 'content-type': type } });
  expect((await post('{"a":1}')).json()).toEqual({ body: { a: 1 } });
  expect((await post('{"a":')).statusCode).toBe(400);
  expect((await post(JSON.stringify('x'.repeat(100_001)))).statusCode).toBe(413);
  expect((await post('x', 'application/x-unknown')).statusCode).toBe(415);
});

test('every response has the version, the CORS headers and nosniff', async t => {
  const { app } = await startSample(t);
  for (const url of ['/cached', '/cached', '/missing', '/nope', '/echo?limit=99']) {
    const { headers } = await app.inject(url);
    expect(headers['access-control-allow-origin'], url).toBe('*');
    expect(headers['x-api-version'], url).toMatch(/^cairn v/);
    expect(headers['x-content-type-options'], url).toBe('nosniff');
    expect(headers['access-control-expose-headers'], url).toBe('X-API-Version, *');
  }
  const preflight = await app.inject({ method: 'OPTIONS', url: '/cached', headers: { origin: 'https://a.example' } });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-methods']).toContain('POST');
  const asked = { origin: 'https://a.example', 'access-control-request-headers': 'x-hiro-api-key,x-hiro-product' };
  const keyed = await app.inject({ method: 'OPTIONS', url: '/cached', headers: asked });
  expect(keyed.headers['access-control-allow-headers']).toBe('x-hiro-api-key,x-hiro-product');
});

test('a response is cached until the chain changes, and 304 needs no handler', async t => {
  const { app, calls, source } = await startSample(t);
  const first = await app.inject('/cached');
  expect(first.headers['cache-control']).toBe('public, no-cache, must-revalidate');
  const etag = first.headers.etag as string;
  expect(etag).toMatch(/^"[^"]+"$/);
  expect((await app.inject('/cached')).body).toBe(first.body);
  expect((await app.inject({ method: 'HEAD', url: '/cached' })).headers.etag).toBe(etag);
  for (const header of [etag, `W/${etag}`, etag.replaceAll('"', ''), `"other", ${etag}`]) {
    for (const url of ['/cached', '/cached?limit=1']) {
      const match = await app.inject({ url, headers: { 'if-none-match': header } });
      expect([match.statusCode, match.body, match.headers.etag]).toEqual([304, '', undefined]);
      expect(match.headers['cache-control']).toBe('public, no-cache, must-revalidate');
    }
  }
  expect((await app.inject({ url: '/cached?limit=99', headers: { 'if-none-match': etag } })).statusCode).toBe(400);
  expect(calls.count).toBe(1);
  source.current = tip(2, 1);
  expect((await app.inject('/cached')).headers.etag).toBe(etag);
  expect(calls.count).toBe(1);
  source.current = tip(3);
  const next = await app.inject({ url: '/cached', headers: { 'if-none-match': etag } });
  expect([next.statusCode, next.json()]).toEqual([200, { count: 2 }]);
  expect(next.headers.etag).not.toBe(etag);
});

test('responses that depend on the mempool are not cached beyond its next change', async t => {
  const { app, calls, source } = await startSample(t);
  await app.inject('/pending');
  source.current = tip(2, 1);
  await app.inject('/pending');
  expect(calls.count).toBe(2);
});

test('equal requests in flight share one handler', async t => {
  const { app, calls } = await startSample(t);
  let open = () => {};
  calls.wait = new Promise(resolve => {
    open = resolve;
  });
  const asked = Array.from({ length: 10 }, () => app.inject('/cached'));
  setImmediate(open);
  const bodies = new Set((await Promise.all(asked)).map(response => response.body));
  expect([calls.count, bodies.size]).toEqual([1, 1]);
});

test('handler errors have the ETag; nothing is cached without a tip or before the first block', async t => {
  const { app, calls, source } = await startSample(t);
  const missing = await app.inject('/missing');
  expect(missing.headers.etag).toBeDefined();
  const again = await app.inject({ url: '/missing', headers: { 'if-none-match': missing.headers.etag as string } });
  expect(again.statusCode).toBe(304);
  source.current = undefined;
  await app.inject('/cached');
  const uncached = await app.inject('/cached');
  expect([calls.count, uncached.headers.etag, uncached.headers['cache-control']]).toEqual([2, undefined, 'no-store']);
  source.current = { ...tip(0), height: -1 };
  expect((await app.inject('/cached')).headers.etag).toBeUndefined();
});

test('text and redirects pass through unchanged', async t => {
  const { app } = await startSample(t);
  for (let i = 0; i < 2; i++) {
    const plain = await app.inject('/plain');
    expect([plain.body, plain.headers['content-type']]).toEqual(['12.5', 'text/plain']);
    const moved = await app.inject('/moved');
    expect([moved.statusCode, moved.headers.location]).toEqual([302, '/cached']);
  }
});

test('deprecated routes warn, cached or not, and can be disabled', async t => {
  const { app } = await startSample(t);
  for (let i = 0; i < 2; i++) expect((await app.inject('/old')).headers.warning).toMatch(/^299 - "Deprecated/);
  const { app: strict } = await startSample(t, { deprecatedEndpoints: false });
  const gone = await strict.inject('/old');
  expect([gone.statusCode, gone.json().error]).toEqual([410, 'Gone']);
});

test('a flood is rejected fast, and cached responses are still sent', async t => {
  const { app, calls } = await startSample(t);
  await app.inject('/cached?limit=1');
  let open = () => {};
  calls.wait = new Promise(resolve => {
    open = resolve;
  });
  const asked = Array.from({ length: 20 }, (_, i) => app.inject(`/cached?limit=${i + 10}`));
  await new Promise(setImmediate);
  const refused = await app.inject('/cached?limit=2');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  expect((await app.inject('/cached?limit=1')).statusCode).toBe(200);
  open();
  expect((await Promise.all(asked)).map(response => response.statusCode)).toEqual(asked.map(() => 200));
  expect((await app.inject('/cached?limit=2')).statusCode).toBe(200);
});

test('a response that a reorganization interrupts is read again, a few times', async t => {
  const { app, calls } = await startSample(t);
  expect((await app.inject('/reorganized/4')).json()).toEqual({ count: 5 });
  calls.count = 0;
  const refused = await app.inject('/reorganized/99');
  expect([refused.statusCode, refused.json().message, calls.count]).toEqual([
    503,
    expect.stringContaining('try again'),
    5,
  ]);
});

test('the least recently used responses are evicted', () => {
  const cache = new ResponseCache(20_000);
  const store = (url: string, length: number) => cache.end(cache.begin(url, 1), responseOf(length));
  for (let i = 0; i < 20; i++) {
    store(`/${i}`, 1000);
    cache.get('/0', 1);
  }
  expect(cache.bytes).toBeLessThanOrEqual(20_000);
  expect(cache.get('/0', 1)).toBeDefined();
  expect(cache.get('/1', 1)).toBeUndefined();
  expect(cache.get('/0', 2)).toBeUndefined();
  store('/huge', 10_000);
  expect(cache.get('/huge', 1)).toBeUndefined();
});

const responseOf = (length: number) => ({
  ...{ version: 1, body: Buffer.alloc(length), length, etag: undefined, headers: [] },
});

test('a failed render is shared and not cached', async () => {
  const cache = new ResponseCache(20_000);
  const first = cache.begin('/', 1);
  const second = cache.inProgress('/', 1)!.join();
  expect(cache.inProgress('/', 2)).toBeUndefined();
  first.fail(new Error('no'));
  cache.end(first);
  await expect(second).rejects.toThrow('no');
  expect(cache.inProgress('/', 1)).toBeUndefined();
  expect(cache.get('/', 1)).toBeUndefined();
  const again = cache.begin('/', 1);
  const waiting = cache.inProgress('/', 1)!.join();
  cache.end(again, responseOf(1));
  expect((await waiting)?.length).toBe(1);
  expect(cache.get('/', 1)?.length).toBe(1);
});

test('If-None-Match is read leniently, and * is not special', () => {
  expect(matchesEtag('"a"', 'a')).toBe(true);
  expect(matchesEtag('W/"b", a', 'a')).toBe(true);
  expect(matchesEtag('*', 'a')).toBe(false);
  expect(matchesEtag('"ab"', 'a')).toBe(false);
});

test('readiness follows the fold', () => {
  const fine = {
    haltedAt: null,
    haltReason: null,
    lagSeconds: 3,
    height: 1,
    parked: 0,
    quarantined: 0,
  } as IngestStatus;
  expect(judgeReadiness(fine, 60)).toEqual({ ready: true });
  expect(judgeReadiness({ ...fine, lagSeconds: 61 }, 60).reason).toContain('61 s behind');
  expect(judgeReadiness({ ...fine, haltedAt: 9, haltReason: 'odd' }, 60).reason).toBe(
    'the fold stopped at event 9: odd',
  );
  const empty = { ...fine, height: -1 };
  expect(judgeReadiness(empty, 60).reason).toBe('there is no block to serve yet');
  expect(judgeReadiness({ ...empty, parked: 22 }, 60).reason).toContain('22 blocks wait for ancestors');
  expect(judgeReadiness({ ...empty, quarantined: 3 }, 60).reason).toContain('3 events were quarantined');
  const other = (reason?: string) => [() => reason];
  expect(judgeReadiness(fine, 60, other()).ready).toBe(true);
  expect(judgeReadiness(fine, 60, other('the nodes disagree'))).toEqual({ ready: false, reason: 'the nodes disagree' });
});

test('the listener responds before the app is ready, and rejects requests that are not HTTP', async t => {
  const door = await openListener({
    host: '127.0.0.1',
    port: 0,
    portSetting: 'X',
    first: starting(() => 'warming up'),
  });
  t.onTestFinished(() => door.stop(100));
  const get = (path: string) => fetch(`http://127.0.0.1:${door.port}${path}`);
  expect((await get('/healthz')).status).toBe(200);
  const early = await get('/extended');
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await early.json()).toMatchObject({ statusCode: 503, message: 'Cairn is starting: warming up' });
  door.serve((_request, response) => response.end('open'));
  expect(await (await get('/')).text()).toBe('open');
  const raw = await new Promise<string>(resolve => {
    const socket = connectSocket(door.port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    socket.on('data', data => resolve(data.toString()));
  });
  expect(raw).toMatch(/^HTTP\/1.1 400 .*"statusCode":400/s);
  const large = await new Promise<number | undefined>(resolve => {
    const headers = { x: 'a'.repeat(20_000) };
    httpRequest({ port: door.port, host: '127.0.0.1', headers }, res => resolve(res.resume().statusCode)).end();
  });
  expect(large).toBe(431);
  await expect(
    openListener({ host: '127.0.0.1', port: door.port, portSetting: 'CAIRN_X', first: () => {} }),
  ).rejects.toThrow('is already in use: set CAIRN_X to another port');
});

test('a sender of nonsense that does not hang up is cut off', async t => {
  const door = await openListener({
    host: '127.0.0.1',
    port: 0,
    portSetting: 'X',
    first: starting(() => 'warming up'),
  });
  t.onTestFinished(() => door.stop(100));
  const socket = connectSocket({ port: door.port, host: '127.0.0.1', allowHalfOpen: true });
  t.onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  socket.write('nonsense\r\n\r\n');
  const open = () => new Promise<number>(resolve => door.server.getConnections((_, count) => resolve(count)));
  await until(async () => (await open()) === 1);
  await until(async () => (await open()) === 0);
});

test('the OpenAPI document is complete and the committed copy is current', async () => {
  const text = await printOpenApi();
  const document = JSON.parse(text);
  expect(document.openapi).toBe('3.1.0');
  const ids: string[] = [];
  for (const [path, operations] of Object.entries<
    Record<string, { operationId: string; tags: string[]; summary: string; responses: object }>
  >(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method} ${path}`;
      expect(operation.operationId, where).toMatch(/^[a-z0-9_]+$/);
      expect(operation.summary, where).toBeTruthy();
      expect(operation.tags, where).toHaveLength(1);
      const statuses = Object.keys(operation.responses);
      expect(statuses, where).toEqual(expect.arrayContaining(['4XX', '5XX']));
      expect(statuses.includes('200') || statuses.includes('204'), where).toBe(true);
      ids.push(operation.operationId);
    }
  }
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    expect(document.components.schemas).toHaveProperty([name!]);
  }
  const committed = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  expect(committed === text, 'run `npm run check -- --fix` and commit docs/openapi.json').toBe(true);
});

test('the docs page shows every operation and loads nothing', async t => {
  const { app } = await startShell(t, { current: undefined }, {});
  const page = (await app.inject('/docs')).body;
  const document = (await app.inject('/openapi.json')).json();
  for (const path of Object.keys(document.paths)) expect(page).toContain(path);
  expect(page).not.toMatch(/<script|src=|@import|https?:\/\//);
});
