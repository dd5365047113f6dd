import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { exportEvents } from '../../src/commands/export.ts';
import type { Pool } from '../../src/db/client.ts';
import { finishBulkLoad } from '../../src/ingest/load/bulk-load.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { LogSink, replayFile } from '../../src/ingest/replay/replay.ts';
import { identifyFile } from '../../src/ingest/replay/replay-mark.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { unknownByHeight } from '../support/healing.ts';
import { transfer } from '../support/mempool.ts';
import { addressOf } from '../support/served-chain.ts';
import { append, foldAll, folded, startFold } from '../support/service.ts';

const silent = { info() {}, warn() {}, error() {} };

/** Loads what `from` has in its log into `into`, as `cairn export` and `cairn replay` do. */
async function copyLog(from: TestDatabase, into: TestDatabase, file: string): Promise<void> {
  await exportEvents(from.sql, file, { from: 1n });
  const log = new EventLog(into.sql);
  await replayFile({ sql: into.sql, file: await identifyFile(file), sink: new LogSink(into.sql, log) });
  await log.close();
  await foldAll(into, [], { bulk: true });
  await finishBulkLoad(into.sql, silent);
}

/** The balances by the key that stands for the principal. */
const balancesByKey = (sql: Pool) =>
  sql`select b.principal, b.height, b.received from stx_balances b order by b.principal, b.height`;

test('an exported and replayed log gives the live tables; only the keys that stand for names may differ', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-export-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const chain = testChain({ seed: 61 });
  const pay = (account: number) => ({
    kind: 'transfer' as const,
    from: 0,
    to: addressOf(account),
    amount: BigInt(account),
  });
  const first = chain.mine(chain.genesis, { transactions: [pay(30)] });
  // A fork takes this block and its names back.
  const left = chain.mine(first, { transactions: [pay(21), pay(20)] });
  const second = chain.mine(first, { transactions: 3 });
  const third = chain.mine(second, { transactions: [pay(20), pay(21)] });
  const last = chain.mine(third, { transactions: 3 });
  // It names account 20 before any block does.
  const waiting = mempoolMessage([{ raw: transfer({ from: 2, nonce: 0, to: 20 }).raw }]);
  // A node that had lost the event gave this block, without what its RPC does not tell; the event came after all.
  const fetched = {
    ...third,
    body: { ...third.body, matured_miner_rewards: [], cairn_healed: { unknown: ['matured_miner_rewards'] } },
  };

  const [live, replayed] = await Promise.all([testDatabase(t), testDatabase(t)]);
  const fold = startFold(live, { batchBlocks: 1 });
  t.onTestFinished(() => fold.stop());
  const before = [chain.genesis, first].flatMap(messagesOf);
  const arrivals = [...before, waiting, ...[left, second, fetched, last, third].flatMap(messagesOf)];
  for (const message of arrivals) await folded(live.sql, await append(live, [message]));
  await copyLog(live, replayed, join(folder, 'events.tsv'));

  expect((await unknownByHeight(replayed)).size).toBe(0);
  expect(await dump(replayed.sql)).toEqual(await dump(live.sql));
  const hashes = (sql: Pool) => sql`select b.height, b.state_hash from blocks b order by b.height`;
  expect(await hashes(replayed.sql)).toEqual(await hashes(live.sql));
  // Names take keys in the order in which they are needed, and a replay, which has all blocks at once, needs those of blocks first.
  expect(await balancesByKey(replayed.sql)).not.toEqual(await balancesByKey(live.sql));
});
