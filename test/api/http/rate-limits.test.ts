import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { TipSource } from '../../../src/cache/tip-cache.ts';
import { addressSet } from '../../../src/config/address-set.ts';
import { clientOf } from '../../../src/http/limits/client-address.ts';
import { RateLimiter } from '../../../src/http/limits/rate-limiter.ts';
import { RateGate } from '../../../src/http/limits/rate-limits.ts';
import { startShell } from '../../support/api.ts';
import { tipAt } from '../../support/tip.ts';

describe('a bucket', () => {
  test('gives its burst at once, then what comes back with time', () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 30 });
    for (let i = 0; i < 30; i++) expect(limiter.take('a', 1, 0)).toEqual({ allowed: true });
    expect(limiter.take('a', 1, 0)).toEqual({ allowed: false, retryAfter: 1 });
    expect(limiter.take('a', 25, 0)).toEqual({ allowed: false, retryAfter: 3 });
    expect(limiter.take('b', 25, 0)).toEqual({ allowed: true });
    expect(limiter.take('a', 10, 1000)).toEqual({ allowed: true });
    expect(limiter.take('a', 1, 1000)).toEqual({ allowed: false, retryAfter: 1 });
    // However long the pause, no more than the burst; and what costs more than that passes with a full bucket.
    expect(limiter.take('a', 1_000, 1e9)).toEqual({ allowed: true });
    expect(limiter.take('a', 1, 1e9).allowed).toBe(false);
  });

  test('is dropped when too many others came after', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1, maxClients: 100 });
    for (let i = 0; i < 1000; i++) limiter.take(`client ${i}`, 1, 0);
    expect(limiter.size).toBe(100);
    expect(limiter.take('client 999', 1, 0).allowed).toBe(false);
    expect(limiter.take('client 0', 1, 0).allowed).toBe(true);
  });

  test('is never empty without a limit', () => {
    const limiter = new RateLimiter({ perSecond: 0, burst: 1 });
    for (let i = 0; i < 10; i++) expect(limiter.take('a', 5, 0).allowed).toBe(true);
    expect(limiter.size).toBe(0);
  });
});

test('a bucket that is charged afterwards owes what it does not hold, up to one more burst', () => {
  const limiter = new RateLimiter({ perSecond: 10, burst: 30 });
  limiter.charge('a', 35, 0);
  expect(limiter.take('a', 1, 0)).toEqual({ allowed: false, retryAfter: 1 });
  limiter.charge('a', 1e9, 0);
  expect(limiter.take('a', 1, 0)).toEqual({ allowed: false, retryAfter: 4 });
  expect(limiter.take('a', 1, 4_000)).toEqual({ allowed: true });
  expect(limiter.take('b', 30, 0)).toEqual({ allowed: true });
});

describe('a client', () => {
  const from = (remoteAddress: string, forwarded?: string) =>
    ({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    }) as unknown as IncomingMessage;
  const trusted = addressSet(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
  const nobody = addressSet([]);

  test('is the address of the connection; X-Forwarded-For counts only from a trusted proxy', () => {
    expect(clientOf(from('203.0.113.7', '198.51.100.1'), nobody)).toBe('203.0.113.7');
    expect(clientOf(from('203.0.113.7', '198.51.100.1'), trusted)).toBe('203.0.113.7');
    expect(clientOf(from('10.1.2.3', '198.51.100.1'), trusted)).toBe('198.51.100.1');
    expect(clientOf(from('::ffff:10.1.2.3', '198.51.100.1'), trusted)).toBe('198.51.100.1');
    // Only the addresses that trusted proxies added are believed.
    expect(clientOf(from('10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9'), trusted)).toBe('198.51.100.1');
    expect(clientOf(from('10.1.2.3', '1.1.1.1, nonsense'), trusted)).toBe('10.1.2.3');
    expect(clientOf(from('10.1.2.3'), trusted)).toBe('10.1.2.3');
    // A header cannot make a client part of this machine.
    expect(clientOf(from('10.1.2.3', '127.0.0.1'), trusted)).toBe('127.0.0.1');
    expect(clientOf(from('127.0.0.1', '127.0.0.1'), trusted)).toBe('127.0.0.1');
    expect(clientOf(from('10.1.2.3', '::1'), trusted)).toBe('0:0:0:0');
  });

  test('on this machine is not limited, unless it is a proxy for others', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      expect(clientOf(from(address), nobody)).toBeUndefined();
    }
    expect(clientOf(from('127.0.0.1', '198.51.100.1'), nobody)).toBeUndefined();
    expect(clientOf(from('127.0.0.1', '198.51.100.1'), trusted)).toBe('198.51.100.1');
  });

  test('of IPv6 is its network', () => {
    const first = clientOf(from('2001:db8:0:1::5'), nobody);
    expect(clientOf(from('2001:db8:0:1:ffff:1:2:3'), nobody)).toBe(first);
    expect(clientOf(from('2001:0db8::1:0:0:0:9'), nobody)).toBe(first);
    expect(clientOf(from('2001:db8:0:2::5'), nobody)).not.toBe(first);
  });
});

const chainTip = tipAt(1);

describe('the API', () => {
  const tip: TipSource = { current: undefined };

  async function start(t: Parameters<typeof startShell>[0], burst: number) {
    const rates = new RateGate({ perSecond: 1, burst, trustedProxies: ['10.0.0.1'] });
    const { app } = await startShell(t, tip, {
      rates,
      routes: async routes => {
        routes.get('/plain', async () => ({}));
        routes.get('/dear', { config: { cost: 4 } }, async () => ({}));
      },
    });
    return async (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
      await app.inject({ url, remoteAddress, headers });
  }

  test('refuses with 429, says when to come back, and lets others through', async t => {
    const ask = await start(t, 3);
    for (let i = 0; i < 3; i++) expect((await ask('/plain', '203.0.113.7')).statusCode).toBe(200);
    const refused = await ask('/plain', '203.0.113.7');
    expect(refused.statusCode).toBe(429);
    // The time that the responses took was charged too.
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests', retry_after: seconds });
    expect(refused.json().message).toContain(`try again in ${seconds} second`);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect((await ask('/unknown', '203.0.113.7')).statusCode).toBe(429);
    expect((await ask('/plain', '203.0.113.8')).statusCode).toBe(200);
    expect((await ask('/plain', '10.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(429);
    expect((await ask('/extended/v1/status/limits', '127.0.0.1')).json()).toEqual({
      max_in_flight: 20,
      body_limit: 100_000,
      rate: { units_per_second: 1, burst: 3, ms_per_unit: 10, max_open: null, refused: 3 },
    });
    expect((await ask('/plain', '10.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(200);
    for (let i = 0; i < 9; i++) expect((await ask('/plain', '127.0.0.1')).statusCode).toBe(200);
  });

  test('charges the work of a response, once it is known', async t => {
    const rates = new RateGate({ perSecond: 1, burst: 20, trustedProxies: [] });
    const { app } = await startShell(t, tip, {
      rates,
      routes: async routes => {
        routes.get('/slow', async () => {
          const end = performance.now() + 250;
          while (performance.now() < end);
          return {};
        });
      },
    });
    const ask = async (remoteAddress: string) => (await app.inject({ url: '/slow', remoteAddress })).statusCode;
    expect(await ask('203.0.113.7')).toBe(200);
    expect(await ask('203.0.113.7')).toBe(429);
    expect(await ask('203.0.113.8')).toBe(200);
  });

  test('limits how many requests of one client are open', async t => {
    const rates = new RateGate({ perSecond: 1000, burst: 1000, maxOpen: 2, trustedProxies: [] });
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const { app } = await startShell(t, tip, {
      rates,
      routes: async routes => {
        routes.get('/held', async () => {
          await held;
          return {};
        });
      },
    });
    const ask = async (remoteAddress: string, url = '/held') => await app.inject({ url, remoteAddress });
    const first = [ask('203.0.113.7'), ask('203.0.113.7')];
    const refused = await ask('203.0.113.7');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await ask('203.0.113.8', '/healthz')).statusCode).toBe(200);
    release();
    expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await ask('203.0.113.7', '/healthz')).statusCode).toBe(200);
  });

  test('warns once of a proxy that is not trusted', async t => {
    const reported: string[] = [];
    const onUntrustedProxy = (address: string) => reported.push(address);
    const rates = new RateGate({ perSecond: 9, burst: 9, trustedProxies: ['10.0.0.1'], onUntrustedProxy });
    const { app } = await startShell(t, tip, { rates });
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    for (const remoteAddress of ['10.0.0.1', '203.0.113.7', '203.0.113.7', '203.0.113.8']) {
      await app.inject({ url: '/healthz', remoteAddress, headers });
    }
    expect(reported).toEqual(['203.0.113.7']);
  });

  test('takes more for what costs more', async t => {
    const ask = await start(t, 9);
    expect((await ask('/dear', '203.0.113.7')).statusCode).toBe(200);
    expect((await ask('/dear', '203.0.113.7')).statusCode).toBe(200);
    expect((await ask('/dear', '203.0.113.7')).statusCode).toBe(429);
  });

  test('tells a client on every response what it may still use, and nobody else', async t => {
    const ask = await start(t, 9);
    const limitsOf = async (url: string, address = '203.0.113.7') => {
      const { headers, statusCode } = await ask(url, address);
      const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'x-ratelimit-cost-stacks': cost } = headers;
      return [statusCode, limit, remaining, cost];
    };
    expect(await limitsOf('/plain')).toEqual([200, '9', '8', '1']);
    expect(await limitsOf('/unknown')).toEqual([404, '9', '7', '1']);
    expect(await limitsOf('/dear')).toEqual([200, '9', '3', '4']);
    expect(await limitsOf('/dear')).toEqual([429, '9', '2', '4']);
    const { headers } = await ask('/plain', '203.0.113.7');
    expect(headers).toMatchObject({
      'x-ratelimit-limit-stacks-second': '1',
      'x-ratelimit-remaining-stacks-second': '1',
      'access-control-expose-headers': 'X-API-Version, *',
    });
    const reset = Number(headers['ratelimit-reset']);
    expect(reset).toBeGreaterThan(Date.now() / 1000);
    expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 9);
    expect(await limitsOf('/plain', '203.0.113.8')).toEqual([200, '9', '8', '1']);
    expect(await limitsOf('/plain', '127.0.0.1')).toEqual([200, undefined, undefined, undefined]);
  });

  test('keeps the standing of one client out of responses that others share', async t => {
    const rates = new RateGate({ perSecond: 1, burst: 9, trustedProxies: [] });
    const { app } = await startShell(
      t,
      { current: chainTip },
      {
        rates,
        routes: async routes => {
          routes.get('/shared', { config: { freshness: 'tip' } }, async () => ({}));
        },
      },
    );
    const ask = async (remoteAddress: string) => (await app.inject({ url: '/shared', remoteAddress })).headers;
    for (let i = 8; i >= 5; i--) expect((await ask('203.0.113.7'))['ratelimit-remaining']).toBe(String(i));
    expect((await ask('203.0.113.8'))['ratelimit-remaining']).toBe('8');
    expect((await ask('127.0.0.1'))['ratelimit-remaining']).toBeUndefined();
  });
});
