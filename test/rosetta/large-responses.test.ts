import { expect, test } from 'vitest';
import { oneIfLarge } from '../../src/rosetta/large-responses.ts';

test('one large answer is made at a time; small ones never wait', async () => {
  let finish = () => {};
  const first = oneIfLarge(50_000, () => new Promise<void>(resolve => (finish = resolve)));
  await expect(oneIfLarge(50_000, async () => 1)).rejects.toMatchObject({ code: 646 });
  expect(await oneIfLarge(100, async () => 2)).toBe(2);
  finish();
  await first;
  expect(await oneIfLarge(50_000, async () => 3)).toBe(3);
  await expect(oneIfLarge(50_000, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(await oneIfLarge(50_000, async () => 4)).toBe(4);
});
