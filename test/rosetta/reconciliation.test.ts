import { parseNetwork } from '@cairn-stacks/codec/network';
import { describe, expect, test } from 'vitest';
import { storeIdentity } from '../../src/app/identity.ts';
import { verifyRosetta } from '../../src/commands/verify-rosetta.ts';
import { findBlock } from '../../src/read/blocks/blocks-queries.ts';
import { readBlock } from '../../src/rosetta/blocks.ts';
import { reconcile } from '../../src/rosetta/reconciliation.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { alice, bob, boot, carol, type PoxBlock, type PoxBlockSpec, poxBlock, poxPrint } from '../support/pox-chain.ts';
import { casesOf, foldRecording, needRecordings, recordings } from '../support/recordings.ts';
import { foldAll } from '../support/service.ts';
import { expectReconciled } from './reconciled-devnet.ts';

const network = parseNetwork('testnet')!;

test.each(['2.4', '3.1', '4.0'] as const)(
  'operations of a generated chain of release %s add up to its balances',
  async release => {
    const db = await testDatabase();
    const chain = testChain({ seed: 7, release, accounts: 8 });
    const blocks = mineLine(chain, chain.genesis, 60, { transactions: 6, burnOperations: 2 });
    await foldAll(db, [chain.genesis, ...blocks].flatMap(messagesOf));
    const { disagreements, ...counts } = await reconcile({ sql: db.sql, network });
    expect(disagreements).toEqual([]);
    expect(counts.blocks).toBe(60);
    expect(counts.operations).toBeGreaterThan(300);
    await db.drop();
  },
);

test('a devnet of 100 blocks with forks adds up', async () => await expectReconciled(100));

test('a devnet with microblocks adds up', async () => {
  const db = await testDatabase();
  const { node, posted, live } = testDevnet({ seed: 4, release: '2.4' });
  live(60);
  node.fork(2);
  live(20);
  await foldAll(db, posted);
  const { disagreements, blocks } = await reconcile({ sql: db.sql, network });
  expect(disagreements).toEqual([]);
  expect(blocks).toBe(node.tip.height);
  await db.drop();
});

test('what nobody executed may overspend, and the command says why', async () => {
  const db = await testDatabase();
  const lock = { lock: alice, amount: 5, unlock: 300, contract: `${boot}.pox-4` };
  await foldAll(db, [poxBlock(undefined, { events: [lock] })]);
  await storeIdentity(db.sql, network, false);
  const findings = await verifyRosetta(db.sql);
  expect(findings).toMatchObject([{ check: 'Rosetta negative balance', message: '-5', reason: expect.any(String) }]);
  await db.drop();
});

test('a fork under way is taken back and followed', async () => {
  const db = await testDatabase();
  const chain = testChain({ seed: 5 });
  const left = mineLine(chain, chain.genesis, 20, { transactions: 4 });
  const right = mineLine(chain, left[11]!, 12, { transactions: 4 });
  await foldAll(db, [chain.genesis, ...left].flatMap(messagesOf));
  let forked = false;
  const { disagreements, removed, blocks } = await reconcile({
    ...{ sql: db.sql, network, together: 4 },
    async onBlock({ height }) {
      if (height !== 16 || forked) return;
      forked = true;
      await foldAll(db, right.flatMap(messagesOf));
    },
  });
  expect(disagreements).toEqual([]);
  expect(removed).toBe(4);
  expect(blocks).toBe(24 + 4);
  await db.drop();
});

test('locks that grow, last longer, end early, by time or by force add up; so do burn heights that go back', async () => {
  const db = await testDatabase();
  const pox = (version: number) => `${boot}.pox-${version}`;
  const lock = (who: string, amount: number, unlock: number, version = 2) => ({
    ...{ lock: who, amount, unlock, contract: pox(version) },
  });
  const specs: PoxBlockSpec[] = [
    { burnHeight: 100, events: [lock(alice, 1000, 106), lock(bob, 500, 300, 3), lock(carol, 300, 103)] },
    { burnHeight: 101, events: [lock(alice, 1500, 106)] },
    { burnHeight: 102, events: [lock(alice, 1500, 110)] },
    { burnHeight: 103 },
    { burnHeight: 102 },
    { burnHeight: 104, events: [lock(carol, 50, 400, 3), lock(carol, 60, 400, 3)] },
    {
      burnHeight: 106,
      events: [{ contract: pox(3), value: poxPrint('handle-unlock', bob, {}, { locked: 500, unlock: 300 }) }],
    },
    { burnHeight: 111, events: [lock(alice, 70, 500, 4)] },
    { burnHeight: 120 },
    { burnHeight: 121 },
  ];
  const blocks: PoxBlock[] = [];
  for (const spec of specs) blocks.push(poxBlock(blocks.at(-1), spec));
  for (const { body } of blocks) {
    Object.assign(body, { pox_v1_unlock_height: 1000, pox_v2_unlock_height: 1000, pox_v3_unlock_height: 120 });
  }
  await foldAll(db, blocks);
  const { disagreements } = await reconcile({ sql: db.sql, network });
  // Nobody gave these accounts what they lock.
  expect(disagreements.filter(({ check }) => check !== 'negative balance')).toEqual([]);
  const moves = await Promise.all(
    specs.map(async (_, i) => {
      const row = await findBlock(db.sql, { height: i + 1 });
      const { block } = await readBlock(db.sql, row!, { network, compat: false });
      return block.transactions
        .flatMap(({ operations }) => operations)
        .flatMap(({ type, account, amount }) =>
          amount ? [`${type} ${account!.address.slice(0, 5)} ${amount.value}`] : [],
        );
    }),
  );
  const [a, b, c] = [alice, bob, carol].map(who => who.slice(0, 5));
  expect(moves).toEqual([
    [`stx_lock ${a} -1000`, `stx_lock ${b} -500`, `stx_lock ${c} -300`],
    [`stx_lock ${a} -500`],
    [`stx_lock ${a} 0`],
    [`stx_unlock ${c} 300`],
    [`stx_lock ${c} -300`],
    [`stx_lock ${c} -50`, `stx_lock ${c} -10`, `stx_unlock ${c} 300`],
    [`stx_unlock ${b} 500`],
    [`stx_lock ${a} -70`, `stx_unlock ${a} 1500`],
    [`stx_unlock ${c} 60`],
    [],
  ]);
  await db.drop();
});

test('an operation that is missing and a balance that is wrong are found', async () => {
  const db = await testDatabase();
  const chain = testChain({ seed: 9 });
  await foldAll(db, [chain.genesis, ...mineLine(chain, chain.genesis, 10, { transactions: 4 })].flatMap(messagesOf));
  await db.sql`update stx_balances set received = received + 1 where height = 5 and received is not null`;
  await db.sql`update blocks set parent_hash = hash where height = 7`;
  const { disagreements } = await reconcile({ sql: db.sql, network });
  expect(new Set(disagreements.map(({ check }) => check))).toEqual(new Set(['balance', 'parent']));
  expect(disagreements.find(({ check }) => check === 'parent')?.height).toBe(7);
  await db.drop();
});

describe('recorded chains', () => {
  needRecordings();
  test.each(casesOf(recordings))('operations of %s add up to its balances', async name => {
    const db = await testDatabase();
    try {
      const recorded = await foldRecording(db, name);
      const { disagreements, blocks } = await reconcile({ sql: db.sql, network: recorded });
      expect(blocks).toBeGreaterThan(0);
      // Recorded blocks need not have been executed, or begin mid-way: some spend what nobody gave them.
      expect(disagreements.filter(({ check }) => check !== 'negative balance')).toEqual([]);
    } finally {
      await db.drop();
    }
  });
});
