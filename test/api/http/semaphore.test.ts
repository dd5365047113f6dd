import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { Semaphore } from '../../../src/http/semaphore.ts';

/** Holds a slot during the work. */
async function run<T>(semaphore: Semaphore, client: string, work: () => Promise<T>): Promise<T> {
  await semaphore.take(() => client);
  try {
    return await work();
  } finally {
    semaphore.release();
  }
}

test('so many work at once, the others in the order they came', async () => {
  const semaphore = new Semaphore({ atOnce: 2, waiting: 10 });
  let working = 0;
  let most = 0;
  const ended: number[] = [];
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const work = (n: number) =>
    run(semaphore, 'a client', async () => {
      most = Math.max(most, ++working);
      await (n === 0 ? released : turn());
      working--;
      ended.push(n);
      if (n === 5) release();
    });
  await Promise.all([0, 1, 2, 3, 4, 5].map(work));
  expect(most).toBe(2);
  // The slow one has one of the two places; the others never wait for it.
  expect(ended).toEqual([1, 2, 3, 4, 5, 0]);
});

test('work that fails releases the semaphore', async () => {
  const semaphore = new Semaphore({ atOnce: 1, waiting: 10 });
  const failing = run(semaphore, 'a client', () => Promise.reject(new Error('no')));
  const next = run(semaphore, 'a client', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await run(semaphore, 'a client', async () => 'again')).toBe('again');
});

test('a call beyond the maximum queue length is rejected', async () => {
  const semaphore = new Semaphore({ atOnce: 1, waiting: 1 });
  const all = [1, 2, 3].map(n => run(semaphore, 'a client', () => turn(n)));
  await expect(all[2]).rejects.toMatchObject({ status: 503 });
  expect(await Promise.all(all.slice(0, 2))).toEqual([1, 2]);
});

test('clients take turns: a call does not wait behind all calls of another client', async () => {
  const semaphore = new Semaphore({ atOnce: 1, waiting: 1000 });
  const ended: string[] = [];
  const call = (client: string) => run(semaphore, client, async () => void ended.push(client));
  const many = Array.from({ length: 200 }, () => call('many'));
  const others = ['one', 'two', 'one'].map(call);
  await Promise.all([...many, ...others]);
  expect(ended.slice(0, 7)).toEqual(['many', 'many', 'one', 'two', 'many', 'one', 'many']);
  expect(ended).toHaveLength(203);
});
