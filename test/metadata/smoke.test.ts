import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { settled, startWorker } from '../support/metadata.ts';
import { foldAll } from '../support/service.ts';

test('smoke', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(50);
  await foldAll(db, devnet.posted);
  startWorker(t, db.sql, devnet.node, {log: {info: console.log, warn: console.log}});
  await settled(db.sql);
  for (const row of await db.sql`select id, class, height, counted_at, principal, asset from token_contracts`) console.log(JSON.stringify(row));
  for (const row of await db.sql`select * from tokens where contract < 4 order by contract, number`) console.log(JSON.stringify(row));
  expect(1).toBe(1);
});
