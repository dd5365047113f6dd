import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect } from 'vitest';
import { reconcile } from '../../src/rosetta/reconciliation.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { foldAll } from '../support/service.ts';

const network = parseNetwork('testnet')!;

/** Folds a devnet with forks and adds up the operations of its blocks. */
export async function expectReconciled(height: number): Promise<void> {
  const db = await testDatabase();
  const { node, posted, live } = testDevnet({ seed: 3 });
  while (node.tip.height < height) {
    live(25);
    node.fork(1 + (node.tip.height % 4));
  }
  await foldAll(db, posted);
  const { disagreements, blocks, accounts } = await reconcile({ sql: db.sql, network });
  expect(disagreements).toEqual([]);
  expect(blocks).toBe(node.tip.height);
  expect(accounts).toBeGreaterThan(10);
  await db.drop();
}
