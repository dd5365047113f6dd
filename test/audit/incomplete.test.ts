import { expect, test, vi } from 'vitest';
import { command } from '../../src/commands/verify.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { unknownByHeight } from '../support/healing.ts';
import { append, foldAll } from '../support/service.ts';

/** Runs `cairn verify` and gives its exit code and what it printed. */
async function verify(url: string) {
  const lines: string[] = [];
  const keep = (text: unknown) => lines.push(String(text)) > 0;
  const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  for (const spy of spies) spy.mockImplementation(keep);
  try {
    const code = await command.run({ flags: {}, positionals: [], env: { DATABASE_URL: url } });
    return { code, text: lines.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test('verify names incomplete blocks and does not end with 0, also where the log was exported and replayed', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 61 });
  const blocks = mineLine(chain, chain.genesis, 8);
  // An export keeps the body and loses the source.
  const unknown = ['burn_operations', 'miner_txid'];
  const healed = blocks.slice(3, 5).map(block => ({ ...block, body: { ...block.body, cairn_healed: { unknown } } }));
  await append(db, [chain.genesis, ...blocks.slice(0, 3)].flatMap(messagesOf));
  await append(db, healed);
  await foldAll(db, blocks.slice(5).flatMap(messagesOf));
  expect([...(await unknownByHeight(db)).keys()]).toEqual([4, 5]);
  const incomplete = await verify(db.url);
  expect(incomplete.code).toBe(3);
  expect(incomplete.text).toContain('explained: completeness: block 4: unknown: burn_operations, miner_txid');
  expect(incomplete.text).toContain('0 faults, 2 explained findings');
  expect(incomplete.text).toContain('INCOMPLETE: 2 blocks (4, 5)');

  // The same messages again tell nothing new; the real ones do.
  await foldAll(db, healed);
  expect((await verify(db.url)).code).toBe(3);
  await foldAll(db, blocks.slice(3, 5));
  const whole = await verify(db.url);
  expect(whole.code).toBe(0);
  expect(whole.text).toContain('0 faults, 0 explained findings');
  expect(whole.text).not.toContain('INCOMPLETE');
});
