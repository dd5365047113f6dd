import { expect, test } from 'vitest';
import { lifetimeOf, readPath } from '../../src/proxy/paths.ts';
import { Breaker } from '../../src/proxy/pool/breaker.ts';
import { Stickiness } from '../../src/proxy/pool/stickiness.ts';

test('a breaker opens after failures in a row, waits longer each time, and closes after a check since', () => {
  let now = 1000;
  const breaker = new Breaker({ strikes: 3, firstMs: 100, longestMs: 300, now: () => now });
  const strikes = (count: number) => Array.from({ length: count }, () => breaker.strike());
  expect(strikes(2)).toEqual([false, false]);
  breaker.succeed();
  expect(strikes(3)).toEqual([false, false, true]);
  breaker.checked(now + 1);
  expect(breaker.open).toBe(true);
  now += 101;
  breaker.checked(900);
  expect(breaker.open).toBe(true);
  breaker.checked(now);
  expect(breaker.open).toBe(false);
  const waits = [2, 3, 4].map(() => {
    strikes(3);
    const wait = breaker.retryAt - now;
    now = breaker.retryAt;
    breaker.checked(now);
    return wait;
  });
  expect(waits).toEqual([200, 300, 300]);
  expect(breaker.opened).toBe(4);
  now += 10_000;
  strikes(3);
  expect(breaker.retryAt - now).toBe(100);
});

test('stickiness ends after its time and has a bound', () => {
  const sticky = new Stickiness<string>(1000, 3);
  expect(sticky.find('/v2/accounts/A', 0)).toBe(undefined);
  sticky.remember(['A', 'ff'], 'one', 0);
  expect(sticky.find('/v2/accounts/A?proof=0', 999)).toBe('one');
  expect(sticky.find('/v3/transaction/0xff', 999)).toBe('one');
  expect(sticky.find('/v2/accounts/A', 1000)).toBe(undefined);
  sticky.remember(['B', 'C', 'D'], 'two', 500);
  expect(['A', 'B', 'D'].map(key => sticky.find(key, 600))).toEqual([undefined, 'two', 'two']);
});

test('contracts may be named in one piece or in two', () => {
  const target = (url: string) => readPath(url, []).target;
  expect(target('/v2/contracts/call-read/ST1.a-b/f?tip=x')).toBe('/v2/contracts/call-read/ST1/a-b/f?tip=x');
  expect(target('/v2/contracts/source/ST1.a-b')).toBe('/v2/contracts/source/ST1/a-b');
  expect(target('/v2/contracts/call-read/ST1/a.b/f')).toBe('/v2/contracts/call-read/ST1/a.b/f');
  expect(target('/v2/accounts/ST1.a')).toBe('/v2/accounts/ST1.a');
});

test('what is named by its hash is immutable', () => {
  const hash = 'a'.repeat(64);
  expect([`/v3/blocks/${hash}`, `/v3/tenures/${hash}`].map(lifetimeOf)).toEqual(['immutable', 'immutable']);
  expect(['/v3/blocks/height/5', '/v2/pox', '/v3/tenures/info'].map(lifetimeOf)).toEqual(['tip', 'tip', 'tip']);
  expect(['/v2/neighbors', '/v3/health', '/v2/infos'].map(lifetimeOf)).toEqual(['none', 'none', 'none']);
});
