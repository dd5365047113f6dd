import { expect, test } from 'vitest';
import { ReadServer } from '../../src/app/reading/read-server.ts';
import type { Pool } from '../../src/db/client.ts';

/** A pool whose statements end when the test says so, in any order. */
function controlledPool() {
  const ends: ((seq: number) => void)[] = [];
  const statement = () =>
    new Promise<unknown[]>(resolve => {
      ends.push(seq => resolve([{ seq: BigInt(seq), height: seq * 10 }]));
    });
  return { sql: statement as unknown as Pool, end: (index: number, seq: number) => ends[index]!(seq) };
}

const server = () => new ReadServer('postgres://localhost/cairn', true);

test('a reading that began before a newer one ended is no loss, and does not set the server back', async () => {
  const primary = server();
  const { sql, end } = controlledPool();
  const [first, second] = [primary.state(sql), primary.state(sql)];
  end(1, 8);
  expect(await second).toEqual({ seq: 8, height: 80, lostSteps: false });
  end(0, 7);
  expect(await first).toEqual({ seq: 8, height: 80, lostSteps: false });
  expect([primary.seq, primary.height]).toEqual([8, 80]);
});

test('a reading that is below what was known when it began has lost steps', async () => {
  const primary = server();
  const { sql, end } = controlledPool();
  const before = primary.state(sql);
  end(0, 8);
  await before;
  const after = primary.state(sql);
  end(1, 7);
  expect(await after).toEqual({ seq: 7, height: 70, lostSteps: true });
  expect(primary.seq).toBe(7);
});

test('an announced step counts as known, but not for a reading that began before', async () => {
  const primary = server();
  const { sql, end } = controlledPool();
  const early = primary.state(sql);
  primary.announce(9);
  const late = primary.state(sql);
  end(0, 8);
  expect(await early).toMatchObject({ seq: 8, lostSteps: false });
  expect(primary.seq).toBe(9);
  end(1, 8);
  expect(await late).toMatchObject({ seq: 8, lostSteps: true });
  expect(primary.seq).toBe(8);
});

test('calls of one turn of the event loop share one statement', async () => {
  const primary = server();
  const { sql, end } = controlledPool();
  const readings = [primary.sharedState(sql), primary.sharedState(sql)];
  await Promise.resolve();
  end(0, 3);
  expect(await Promise.all(readings)).toEqual(Array(2).fill({ seq: 3, height: 30, lostSteps: false }));
});
