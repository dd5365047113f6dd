import { describe, expect, test, vi } from 'vitest';
import { Lanes } from '../../src/db/lanes.ts';

function deferred() {
  let resolve = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lanes whose statements are answered by hand. */
function openLanes(count: number, steady: number) {
  const lanes = new Lanes(
    Array.from({ length: count }, (_, index) => index),
    steady,
  );
  const send = () => {
    const query = deferred();
    let on = -1;
    lanes
      .send(driver => {
        on = driver;
        return query.promise;
      })
      .catch(() => {});
    return { on, answer: query.resolve, fail: query.reject };
  };
  return { lanes, send };
}

const settle = () => new Promise(resolve => setImmediate(resolve));

describe('a statement goes', () => {
  test('to the steady lane where fewest wait', async () => {
    const { send } = openLanes(4, 2);
    const sent = [send(), send(), send()];
    expect(sent.map(statement => statement.on)).toEqual([0, 1, 0]);
    sent[0]!.answer();
    sent[2]!.answer();
    await settle();
    expect(send().on).toBe(0);
  });

  test('past a lane that a slow one holds up, and back when that was answered', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { send } = openLanes(3, 1);
      const slow = send();
      vi.advanceTimersByTime(6);
      expect([send().on, send().on]).toEqual([1, 2]);
      slow.answer();
      await settle();
      expect(send().on).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('to another lane when the steady ones are full, and to the shortest when all are', () => {
    const { send } = openLanes(3, 1);
    const sent = Array.from({ length: 25 }, () => send().on);
    expect(sent.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 0));
    expect(sent.slice(8, 24).filter(on => on === 1)).toHaveLength(8);
    expect(sent[24]).toBe(0);
  });

  test('on after one that failed', async () => {
    const { send } = openLanes(2, 1);
    const failed = Array.from({ length: 8 }, send);
    for (const statement of failed) statement.fail(new Error('no such table'));
    await settle();
    expect(send().on).toBe(0);
  });
});

test('a transaction has a lane for itself, one that statements use last', async () => {
  const { lanes, send } = openLanes(3, 1);
  const done = deferred();
  const taken: number[] = [];
  const begin = () =>
    lanes.begin(driver => {
      taken.push(driver);
      return done.promise;
    });
  const transactions = [begin(), begin()];
  expect(taken).toEqual([1, 2]);
  expect(Array.from({ length: 10 }, () => send().on)).toEqual(Array.from({ length: 10 }, () => 0));
  done.resolve();
  await Promise.all(transactions);
  expect(send().on).toBe(1);
});
