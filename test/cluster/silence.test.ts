import { expect, test } from 'vitest';
import { isSilentDuring } from '../../src/app/reading/silence.ts';

const never = new Promise<never>(() => {});

test('a server that does not respond to a ping while a read waits for it is silent', async () => {
  expect(await isSilentDuring(never, async () => false)).toBe(true);
});

test('a server that responds to pings is only slow, however long the read takes', async () => {
  let pings = 0;
  let finish = () => {};
  const work = new Promise<void>(resolve => {
    finish = resolve;
  });
  const ping = async () => {
    if (++pings === 3) finish();
    return true;
  };
  expect(await isSilentDuring(work, ping)).toBe(false);
  expect(pings).toBe(3);
});

test('a read that ends, or fails, before a ping is answered decides', async () => {
  expect(await isSilentDuring(Promise.resolve(1), async () => false)).toBe(false);
  expect(await isSilentDuring(Promise.reject(new Error('lost')), async () => false)).toBe(false);
});
