import { bareHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { Following } from '../../src/app/following/following.ts';
import { Suspension } from '../../src/app/suspension.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { judgeReadiness } from '../../src/read/status/health.ts';
import { findIngestStatus } from '../../src/read/status/status-queries.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldAll, testNetwork } from '../support/service.ts';
import { type StubNode, startNodes } from '../support/stub-node.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const chain = testChain({ seed: 63 });
const main = mineLine(chain, chain.genesis, 6);
/** Leaves the main chain at block 3, and is lower. */
const side = mineLine(chain, main[2]!, 2);

/** The start of a service that serves the main chain, behind a node that stands at a block; whether it is ready right after. */
async function startBehind(t: Ending, db: TestDatabase, stub: StubNode, { height, hash, tenure }: BuiltBlock) {
  Object.assign(stub, { height, tip: hash.slice(2), consensusHash: bareHex(tenure.consensusHash) });
  const { config } = readConfig({ CAIRN_NODES: stub.url, CAIRN_NETWORK: 'testnet' });
  const following = await Following.open({
    ...{ config, nodes: config.nodes, network: testNetwork, sql: db.sql },
    ...{ log: createLog({ level: 'silent', format: 'json' }), suspension: new Suspension(), fetchFailed: () => false },
  });
  t.onTestFinished(() => following.stop());
  const readiness = judgeReadiness(await findIngestStatus(db.sql), 60, following.checks);
  return { ...readiness, nodes: following.conditions().nodes };
}

test('the start compares the served chain with a slow node before anything is ready, and never waits for a silent one', async t => {
  const db = await testDatabase(t);
  await foldAll(db, [chain.genesis, ...main].flatMap(messagesOf));
  const [stub] = await startNodes(t, 1);
  stub!.faultyChecks = true;

  stub!.fault = { delayMs: 300 };
  expect(await startBehind(t, db, stub!, side[1]!)).toMatchObject({
    ready: false,
    reason: 'the served chain is on another branch than all healthy nodes (node-1 at block 5)',
    nodes: { on_their_branch: false },
  });
  expect(await startBehind(t, db, stub!, main[5]!)).toMatchObject({ ready: true, nodes: { on_their_branch: true } });
  stub!.fault = 'hang';
  expect(await startBehind(t, db, stub!, side[1]!)).toMatchObject({ ready: true, nodes: { compared_at: null } });
});
