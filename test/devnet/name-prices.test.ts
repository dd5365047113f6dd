import { callReadOnly } from '@cairn-stacks/devnet/rpc/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallReadOnly, readOnlyCaller } from '../../src/node/read-only-call.ts';
import { findNamePrice, findNamespacePrice } from '../../src/read/names/price-view.ts';
import { testDatabase } from '../support/database.ts';
import { namingDevnet, type Terms, usual } from '../support/naming-devnet.ts';
import { foldAll } from '../support/service.ts';

/** Namespaces that price in every way that matters: no discount, one that is larger, exponents that overflow a uint. */
const spread: Record<string, Terms> = {
  plain: usual,
  flat: { base: 1, coeff: 7, buckets: Array.from({ length: 16 }, () => 9), nonalpha: 1, noVowel: 1 },
  vowels: { ...usual, nonalpha: 2, noVowel: 10 },
  digits: { ...usual, nonalpha: 15, noVowel: 3 },
  steep: { base: 15, coeff: 999, buckets: Array.from({ length: 16 }, (_, i) => 40 - 2 * i), nonalpha: 4, noVowel: 4 },
  none: { ...usual, base: 0, buckets: Array.from({ length: 16 }, (_, i) => i % 2) },
};

const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_');
const names = fc.oneof(
  fc.string({ unit: letters, minLength: 1, maxLength: 48 }),
  fc.string({ unit: fc.constantFrom(...'bcd'), minLength: 1, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'aeiouy'), minLength: 1, maxLength: 20 }),
);

test('the price that the contract of a node tells is the one that is computed without it', async t => {
  const devnet = namingDevnet();
  for (const [namespace, terms] of Object.entries(spread)) devnet.launch('v1', namespace, 1_000, terms);
  const { sql, ...db } = await testDatabase(t);
  await foldAll({ sql, ...db }, devnet.posted);
  let asked = 0;
  const ask: CallReadOnly = readOnlyCaller(async (path, json) => {
    asked++;
    const [, , , address, name, functionName] = path.slice(1).split('/');
    const answer = callReadOnly(devnet.node, `${address}.${name}`, functionName!, Buffer.from(json));
    return 'json' in answer ? JSON.stringify(answer.json) : undefined;
  });
  const both = { fromNode: { sql, mainnet: false, callReadOnly: ask }, computed: { sql, mainnet: false } };
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom(...Object.keys(spread), 'nowhere'), async (name, namespace) => {
      const price = await findNamePrice(name, namespace, both.fromNode);
      expect(price, `${name}.${namespace}`).toBe(await findNamePrice(name, namespace, both.computed));
    }),
    { numRuns: 300 },
  );
  for (let length = 1; length <= 20; length++) {
    const namespace = 'n'.repeat(length);
    expect(await findNamespacePrice(namespace, both.fromNode)).toBe(await findNamespacePrice(namespace, both.computed));
  }
  expect(asked).toBe(320);
  expect(await findNamePrice('abc', 'plain', both.fromNode)).toBe(250n * 4n ** 4n * 10n);
  expect(await findNamePrice('a', 'steep', both.fromNode)).toBeUndefined();
});
