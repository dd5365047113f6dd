import { expect } from 'vitest';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, positionOf, startFold, until } from '../support/service.ts';
import { startHealer, startNode } from './replaying-node.ts';

type Context = { onTestFinished(work: () => Promise<void>): void };

/** Heals a gap between the log and a node; the tables are then those of a chain without one. */
export async function expectHealed(t: Context, missing: number): Promise<void> {
  const db = await testDatabase(t);
  const chain = testChain({ seed: 31, maturity: 100_000 });
  const blocks = mineLine(chain, chain.genesis, missing + 5, { transactions: 1 });
  await foldAll(db, [chain.genesis, ...blocks.slice(0, 3)].flatMap(messagesOf));
  const node = await startNode(t, blocks);
  const fold = startFold(db);
  t.onTestFinished(() => fold.stop());
  await append(db, messagesOf(blocks.at(-1)!));
  startHealer(t, db, node.url, 'secret');
  await until(async () => (await positionOf(db.sql)).height === missing + 5, 550_000);

  const plain = await testDatabase(t);
  await foldAll(plain, [chain.genesis, ...blocks].flatMap(messagesOf));
  const sums = 'select principal, sent, received, fees from stx_balances order by principal, height';
  expect((await db.sql.unsafe(sums)).length).toBe((await plain.sql.unsafe(sums)).length);
  const [healed, whole] = [await dump(db.sql), await dump(plain.sql)];
  expect(healed.transactions).toEqual(whole.transactions);
  expect(healed.events).toEqual(whole.events);
  expect(healed.holders).toEqual(whole.holders);
}
