import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import type { Pool } from '../../src/db/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { differences, dump, emptyTables } from '../support/dump.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, foldAll, positionOf, startFold } from '../support/service.ts';
import { addUp } from './balances.ts';
import { type Plan, plans, playPlan } from './history.ts';
import { replayJournal } from './journal.ts';

/**
 * The model of the tables is a second fold: of the blocks that `chooseChain` picks, of the burn blocks that are left when each
 * new hash at a known height has taken everything from there on away, and of the microblocks that came on the tip; each
 * once, in order. So rows of the burn chain (`burnTables`, `burnTotalsTable`) are those of a node without Bitcoin forks, late
 * or doubled messages. Balances are summed once more without any fold. The mempool has a model of its own in
 * `test/ingest/mempool.test.ts`: its rows depend on what arrived when, which no replay of a chain can tell.
 */
const histories = historiesOf(1);
/** A fold that is starved for a while on a busy machine has not failed. */

let live: TestDatabase;
let fresh: TestDatabase;

beforeAll(async () => {
  [live, fresh] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(async () => {
  await Promise.all([live.drop(), fresh.drop()]);
});

test(`after any arrivals, the tables equal a fresh replay of the canonical chain (seed ${seed})`, {
  timeout: historyTimeout,
}, async () => {
  await playHistories('tables and replays', fc.asyncProperty(plans, checkHistory), histories);
});

async function checkHistory(plan: Plan): Promise<void> {
  const { pieces, canonical, replay } = playPlan(plan);
  await Promise.all([emptyTables(live.sql), emptyTables(fresh.sql)]);
  const [position, replayed] = await Promise.all([arriveInPieces(pieces, plan.batchBlocks), foldAll(fresh, replay)]);
  expect([position.halt_reason, replayed.halt_reason]).toEqual([null, null]);
  expect(replayed.height).toBe(position.height);

  const chain = canonical.filter(block => block.height > 0).map(block => block.indexHash);
  expect(position.height).toBe(canonical.at(-1)?.height ?? -1);
  expect(`0x${position.index_hash.toString('hex')}`).toBe(chain.at(-1) ?? '0x');
  expect(await replayJournal(live.sql)).toEqual(chain);
  expect(differences(await dump(live.sql), await dump(fresh.sql)).slice(0, 20)).toEqual([]);
  await checkBalances(live.sql, canonical, plan.genesis !== 'first');
  expect((await auditAll(live.sql)).filter(finding => finding.reason === undefined)).toEqual([]);
}

/** Each piece arrives at once; between two the fold ends and another begins. */
async function arriveInPieces(pieces: { messages: Message[]; stop: 'settled' | 'at once' }[], batchBlocks: number) {
  for (const { messages, stop } of pieces) {
    if (stop === 'settled') await foldAll(live, messages, { batchBlocks });
    else {
      await append(live, messages);
      await startFold(live, { batchBlocks }).stop();
    }
  }
  await foldAll(live, [], { batchBlocks });
  return await positionOf(live.sql);
}

/** Compares every balance with a sum made without the fold; only a chain from block 0 on has all the money. */
async function checkBalances(sql: Pool, canonical: Message[], partial: boolean): Promise<void> {
  const { held, supply, unpaidFees } = addUp(canonical);
  const rows = await sql<{ principal: Buffer; asset: string | null; contract: Buffer | null; balance: string }[]>`
    select p.name as principal, a.name as asset, c.name as contract, h.balance
    from holders h
    join principals p on p.id = h.principal
    left join assets a on a.id = h.asset
    left join principals c on c.id = a.contract
    where h.balance <> 0
  `;
  const stored = rows.map(({ principal, asset, contract, balance }) => [
    principalFromBytes(principal) + (contract ? ` ${principalFromBytes(contract)}::${asset}` : ''),
    BigInt(balance),
  ]);
  const expected = [...held].filter(([, amount]) => amount !== 0n);
  expect(stored.sort()).toEqual(expected.sort());
  if (partial || canonical.length === 0) return;
  expect([...held.values()].every(amount => amount >= 0n)).toBe(true);
  const total = [...held].reduce((sum, [key, amount]) => (key.includes(' ') ? sum : sum + amount), 0n);
  expect(total + unpaidFees).toBe(supply);
  const [block] = await sql<{ supply: string }[]>`select b.supply from blocks b order by b.height desc limit 1`;
  if (block) expect(BigInt(block.supply)).toBe(supply);
}
