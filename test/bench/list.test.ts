import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { smallest } from './sizes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { listBenches } = await import(`${root}scripts/run/bench.mjs`);

test('the long tier runs every bench at its smallest size', () => {
  expect(Object.values(smallest).flatMap(Object.keys).sort()).toEqual(listBenches(root));
  for (const file of Object.keys(smallest)) {
    expect(existsSync(new URL(`./${file}.long.test.ts`, import.meta.url)), file).toBe(true);
  }
});
