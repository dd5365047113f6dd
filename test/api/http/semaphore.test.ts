import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../../src/api/http/semaphore.ts';

test('so many work at once, the others in the order they came', async () => {
  const turns = new Turns({ atOnce: 2, waiting: 10 });
  let working = 0;
  let most = 0;
  const ended: number[] = [];
  const work = (n: number) =>
    turns.take(async () => {
      most = Math.max(most, ++working);
      await sleep(n === 0 ? 60 : 5);
      working--;
      ended.push(n);
    });
  await Promise.all([0, 1, 2, 3, 4, 5].map(work));
  expect(most).toBe(2);
  // The slow one takes a turn of its own; nobody waits behind it.
  expect(ended).toEqual([1, 2, 3, 4, 5, 0]);
});

test('work that fails gives its turn away', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 10 });
  const failing = turns.take(() => Promise.reject(new Error('no')));
  const next = turns.take(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await turns.take(async () => 'again')).toBe('again');
});

test('who comes when too many wait is refused', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 1 });
  const all = [1, 2, 3].map(n => turns.take(() => sleep(10, n)));
  await expect(all[2]).rejects.toMatchObject({ status: 503 });
  expect(await Promise.all(all.slice(0, 2))).toEqual([1, 2]);
});
