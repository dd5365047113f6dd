import { beforeEach, expect, test } from 'vitest';
import { nodeReadiness } from '../../src/app/node-readiness.ts';
import { bareHex } from '../../src/codec/hex.ts';
import { node as nodeKind } from '../../src/config/setting.ts';
import type { BuiltBlock } from '../../src/devnet/chain/built-block.ts';
import { BranchWatch } from '../../src/proxy/pool/branch-watch.ts';
import { NodePool } from '../../src/proxy/pool/node-pool.ts';
import { renderPool } from '../../src/proxy/pool/status.ts';
import { judgeReadiness } from '../../src/read/status/health.ts';
import { findIngestStatus } from '../../src/read/status/status-queries.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldAll } from '../support/service.ts';
import { type StubNode, startNodes } from '../support/stub-node.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const chain = testChain({ seed: 51 });
const main = mineLine(chain, chain.genesis, 12);
/** Leaves the main chain at block 8. */
const side = mineLine(chain, main[7]!, 5);

let db: TestDatabase;
beforeEach(async t => {
  db = await testDatabase(t);
});

/** Lets a node stand at a block. */
function stand(stub: StubNode, { height, hash, tenure }: BuiltBlock): void {
  Object.assign(stub, { height, tip: hash.slice(2), consensusHash: bareHex(tenure.consensusHash) });
}

/** A pool whose nodes are checked, and compared with the served chain, when `judge` is called. */
function watchNodes(t: Ending, stubs: readonly StubNode[], maxBehind = 10) {
  const pool = new NodePool({
    nodes: stubs.map(({ url }) => nodeKind.parse(url)!),
    ...{ chainId: 0x8000_0000, timeoutMs: 600, hedgeDelayMs: 60, maxLag: 5, connections: 4, responseLimit: 1_000_000 },
    ...{ checkMs: 600_000, checkTimeoutMs: 500 },
  });
  t.onTestFinished(() => pool.stop(0));
  const watch = new BranchWatch(db.sql);
  const checks = nodeReadiness(pool, maxBehind, 0);
  const judge = async () => {
    for (const node of pool.nodes) {
      await pool.check(node);
      await watch.compare(node);
    }
    return judgeReadiness(await findIngestStatus(db.sql), 60, checks);
  };
  return { pool, judge };
}

test('what is served may be behind the nodes by a setting, and nodes that do not answer never matter', async t => {
  const [stub] = await startNodes(t, 1);
  await foldAll(db, [chain.genesis, ...main.slice(0, 4)]);
  const { judge } = watchNodes(t, [stub!], 3);
  stand(stub!, main[6]!);
  expect(await judge()).toEqual({ ready: true });
  stand(stub!, main[7]!);
  expect(await judge()).toEqual({
    ready: false,
    reason: 'the served chain ends at block 4, 4 blocks behind the nodes, more than the 3 allowed',
  });
  await stub!.stop();
  // A first late answer may be our own delay.
  await judge();
  expect(await judge()).toEqual({ ready: true });
});

test('a chain that all healthy nodes have left is not ready to be served, until it follows them', async t => {
  const [east, west] = await startNodes(t, 2);
  const { pool, judge } = watchNodes(t, [east!, west!]);
  await foldAll(db, [chain.genesis, ...main]);
  stand(east!, main[11]!);
  stand(west!, main[10]!);
  expect(await judge()).toEqual({ ready: true });
  // One of two went to another branch, which is shorter than ours.
  stand(east!, side[1]!);
  expect(await judge()).toEqual({ ready: true });
  stand(west!, side[2]!);
  expect(await judge()).toEqual({
    ready: false,
    reason: 'the served chain is on another branch than all healthy nodes (node-1 at block 10, node-2 at block 11)',
  });
  // They overtake us: nothing can be compared there, and we still serve what they left.
  for (const stub of [east!, west!]) stand(stub, side[4]!);
  expect((await judge()).ready).toBe(false);
  await foldAll(db, side);
  expect(await judge()).toEqual({ ready: true });
  expect(pool.nodes.map(node => node.offChainSince)).toEqual([undefined, undefined]);
});

test('the status of the nodes reports a tip that has been off the served chain for a minute', async t => {
  const [stub] = await startNodes(t, 1);
  const { pool, judge } = watchNodes(t, [stub!]);
  await foldAll(db, [chain.genesis, ...main]);
  stand(stub!, side[0]!);
  await judge();
  const [node] = pool.nodes;
  expect(renderPool(pool).nodes[0]!.off_chain_since).toBeNull();
  const minuteAgo = Date.now() - 60_000;
  node!.offChainSince = minuteAgo;
  await judge();
  expect(renderPool(pool).nodes[0]!.off_chain_since).toBe(new Date(minuteAgo).toISOString());
});
