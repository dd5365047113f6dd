import { expect, test } from 'vitest';
import { Generations } from '../../src/ingest/rows/generations.ts';

test('what is used stays, what is not used for two turns is forgotten', () => {
  const memory = new Generations<string, number>(2);
  memory.set('used', 1);
  memory.set('unused', 2);
  memory.turn();
  expect(memory.get('used')).toBe(1);
  memory.set('new', 3);
  memory.turn();
  expect([memory.get('used'), memory.get('unused'), memory.get('new')]).toEqual([1, undefined, 3]);
});

test('a memory of everything says so until it forgets', () => {
  const memory = new Generations<number, number>(2, true);
  for (let key = 0; key < 3; key++) memory.set(key, key);
  memory.turn();
  expect(memory.whole).toBe(true);
  memory.set(3, 3);
  memory.turn();
  expect(memory.whole).toBe(true);
  memory.set(4, 4);
  memory.turn();
  expect(memory.whole).toBe(false);
});

test('a memory that was emptied, or began beside stored values, is no memory of everything', () => {
  const memory = new Generations<number, number>(2, true);
  memory.clear();
  expect(memory.whole).toBe(false);
  expect(new Generations<number, number>(2).whole).toBe(false);
});
