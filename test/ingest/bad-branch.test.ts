import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { skipEvent } from '../../src/read/status/status-queries.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { append, foldAll, folded, positionOf, startFold, until } from '../support/service.ts';

/** The block with a time that no column takes, which shows only when it is applied. */
const spoilt = (block: BuiltBlock): BuiltBlock => ({ ...block, body: { ...block.body, burn_block_time: 10 ** 12 } });

test('a branch that wins and cannot be applied names its bad block, which can be given up', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 41 });
  const trunk = mineLine(chain, chain.genesis, 6, { transactions: 1 });
  const [one, two, three, four] = mineLine(chain, trunk[2]!, 4, { transactions: 1 }) as BuiltBlock[];
  await foldAll(db, [chain.genesis, ...trunk].flatMap(messagesOf));
  await append(db, messagesOf(one!));
  const bad = await append(db, [spoilt(two!)]);
  const last = await append(db, [three!, four!].flatMap(messagesOf));

  const fold = startFold(db, { retryMs: 20 });
  t.onTestFinished(() => fold.stop());
  const halted = await until(async () => {
    const position = await positionOf(db.sql);
    return position.halted_at === null ? undefined : position;
  });
  expect([halted.halted_at, halted.height]).toEqual([bad, 6]);
  expect(halted.halt_reason).toBeTruthy();
  expect(fold.lines.some(line => line.message.includes(`cairn skip ${bad}`))).toBe(true);
  const restarted = fold.lines.filter(line => line.message === 'the fold starts again');
  expect(restarted.length).toBeLessThan(5);

  await skipEvent(db.sql, bad, 'its time cannot be true');
  await folded(db.sql, last);
  await until(async () => (await positionOf(db.sql)).halted_at === null);
  const next = chain.mine(trunk.at(-1)!, { transactions: 1 });
  const position = await folded(db.sql, await append(db, messagesOf(next)));
  expect([position.halted_at, position.height]).toEqual([null, 7]);
  await fold.stop();

  const fresh = await testDatabase(t);
  await foldAll(fresh, [chain.genesis, ...trunk, next].flatMap(messagesOf));
  const rows = differences(await dump(db.sql), await dump(fresh.sql));
  expect(rows.filter(row => !row.startsWith('burn_'))).toEqual([]);
});

test('a block that is told again after it was given up stays so', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 42 });
  const trunk = mineLine(chain, chain.genesis, 3, { transactions: 1 });
  const [one, two] = mineLine(chain, trunk[1]!, 2, { transactions: 1 }) as [BuiltBlock, BuiltBlock];
  await foldAll(db, [chain.genesis, ...trunk].flatMap(messagesOf));
  const bad = await append(db, [spoilt(one)]);
  await skipEvent(db.sql, bad, 'known before');
  await append(db, messagesOf(two));
  const last = await append(db, [spoilt(one), two]);
  const fold = startFold(db, { retryMs: 20 });
  t.onTestFinished(() => fold.stop());
  const position = await folded(db.sql, last);
  expect([position.halted_at, position.height]).toEqual([null, 3]);
});
