import { expect, test } from 'vitest';
import { Landmarks } from '../../src/queries/pages/landmarks.ts';

const mark = (passed: number) => ({ passed, key: `row ${passed}` });

test('the last landmark before an offset is found, whatever the order they were learnt in', () => {
  const landmarks = new Landmarks<string>();
  for (const passed of [300, 100, 900, 500]) landmarks.learn('a', mark(passed));
  const found = [0, 99, 100, 101, 499, 500, 10_000].map(offset => landmarks.before(offset)?.key);
  expect(found).toEqual([undefined, undefined, 'row 100', 'row 100', 'row 300', 'row 500', 'row 900']);
});

test('a new state of the list forgets the landmarks of the old one', () => {
  const landmarks = new Landmarks<string>();
  landmarks.learn('a', mark(100));
  landmarks.learn('b', mark(200));
  expect(landmarks.before(150)).toBeUndefined();
  expect(landmarks.before(250)).toEqual({ ...mark(200), state: 'b' });
});

test('landmarks keep their distance and do not grow without end', () => {
  const landmarks = new Landmarks<string>();
  for (let passed = 1; passed <= 100_000; passed++) landmarks.learn('a', mark(passed));
  expect(landmarks.before(149)).toEqual({ ...mark(100), state: 'a' });
  expect(landmarks.before(99_999)).toEqual({ ...mark(50_000), state: 'a' });
});
