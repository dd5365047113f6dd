import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext, test, vi } from 'vitest';
import { FoldWatch } from '../../src/app/fold-watch.ts';
import type { Pool } from '../../src/db/client.ts';
import { Breaker } from '../../src/proxy/pool/breaker.ts';
import { Stickiness } from '../../src/proxy/pool/stickiness.ts';

/** The time of day is set back by an hour. */
function setBack(t: TestContext): void {
  const before = Date.now;
  const now = vi.spyOn(Date, 'now').mockImplementation(() => before() - 3_600_000);
  t.onTestFinished(() => now.mockRestore());
}

test('a wait for the fold does not get longer when the clock is set back', async t => {
  const sql = (async () => [{ event_id: 1n }]) as unknown as Pool;
  const reached = new FoldWatch(sql).reach(2n);
  setBack(t);
  await reached;
});

test('a node that was avoided returns when the clock is set back', async t => {
  const breaker = new Breaker({ strikes: 1, firstMs: 20 });
  breaker.strike();
  setBack(t);
  await sleep(30); // the time that it stays open
  breaker.checked(performance.now());
  expect(breaker.open).toBe(false);
});

test('a sender is not sent to one node for longer when the clock is set back', async t => {
  const sticky = new Stickiness<string>(20);
  sticky.remember(['A'], 'one');
  setBack(t);
  await sleep(30); // the time that it is remembered
  expect(sticky.find('/v2/accounts/A')).toBe(undefined);
});
