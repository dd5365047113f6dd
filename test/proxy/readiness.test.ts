import { bareHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { beforeEach, expect, test } from 'vitest';
import { NodeComparison, type NodeComparisonOptions } from '../../src/app/following/node-comparison.ts';
import { node as nodeKind } from '../../src/config/setting.ts';
import { BranchWatch } from '../../src/proxy/pool/branch-watch.ts';
import { NodePool } from '../../src/proxy/pool/node-pool.ts';
import { renderPool } from '../../src/proxy/pool/status.ts';
import { listWarnings, noConditions } from '../../src/read/status/conditions-schema.ts';
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
function watchNodes(
  t: Ending,
  stubs: readonly StubNode[],
  maxBehind = 10,
  { auth, ...options }: Partial<NodeComparisonOptions> & { auth?: string } = {},
) {
  const pool = new NodePool({
    nodes: stubs.map(({ url }) => nodeKind.parse(auth === undefined ? url : `${url}|auth=${auth}`)!),
    ...{
      chainId: 0x8000_0000,
      timeoutMs: 600_000,
      hedgeDelayMs: 60,
      maxLag: 5,
      connections: 4,
      responseLimit: 1_000_000,
    },
    ...{ checkMs: 600_000, checkTimeoutMs: 600_000 },
  });
  t.onTestFinished(() => pool.stop(0));
  const watch = new BranchWatch(db.sql);
  const comparison = new NodeComparison({ pool, maxBehind, offChainMs: 0, ...options });
  const judge = async () => {
    for (const node of pool.nodes) {
      await pool.check(node);
      await watch.compare(node);
      comparison.note(node);
    }
    return judgeReadiness(await findIngestStatus(db.sql), 60, comparison.checks);
  };
  return { pool, judge, comparison };
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
    reason: expect.stringMatching(
      /^the served chain ends at block 4, 4 blocks behind the nodes, more than the 3 allowed; block 8 \(0x.* it cannot be fetched/,
    ),
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

/** Lets a node give the blocks of a branch by their height. */
function giveBlocks(stub: StubNode, blocks: readonly BuiltBlock[]): void {
  for (const block of blocks) {
    stub.answers[`/v3/blocks/height/${block.height}`] = () => ({
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(blockBytes(block)!),
    });
  }
}

test('a served branch that the nodes have left is told from the first comparison on, also if they are higher', async t => {
  const [stub] = await startNodes(t, 1);
  await foldAll(db, [chain.genesis, ...main.slice(0, 10)]);
  stand(stub!, side[4]!);
  giveBlocks(stub!, [...main.slice(0, 8), ...side]);
  const reason = 'the served chain is on another branch than all healthy nodes (node-1 at block 13)';
  const { judge, comparison } = watchNodes(t, [stub!], 10, { offChainMs: 60_000 });
  expect(await judge()).toEqual({ ready: false, reason });
  expect(comparison.report(10)).toMatchObject({ best_height: 13, blocks_behind: 3, on_their_branch: false });
  // Once a node was on the served branch, a difference may be the propagation time of a block.
  stand(stub!, main[11]!);
  giveBlocks(stub!, main);
  expect(await judge()).toEqual({ ready: true });
  expect(comparison.report(10)).toMatchObject({ on_their_branch: true });
  stand(stub!, side[4]!);
  giveBlocks(stub!, side);
  expect(await judge()).toEqual({ ready: true });
});

test('the branch of a tip that was received and not applied yet is told from the tree of blocks', async t => {
  const [stub] = await startNodes(t, 1);
  await foldAll(db, [chain.genesis, ...main.slice(0, 10)]);
  const { judge, comparison } = watchNodes(t, [stub!], 10, { offChainMs: 60_000 });
  await foldAll(db, side);
  // As if the fold had not moved to the better branch: the tip of the tables is still that of the first one.
  await db.sql`
    update fold_position
    set height = 10, index_hash = ${Buffer.from(main[9]!.indexHash.slice(2), 'hex')}
  `;
  stand(stub!, side[4]!);
  expect((await judge()).ready).toBe(false);
  expect(comparison.report(10)).toMatchObject({ on_their_branch: false, missing: null });
});

test('the tip of a node that was never received is named, and what to do about it', async t => {
  const [stub] = await startNodes(t, 1);
  await foldAll(db, [chain.genesis, ...main.slice(0, 9)]);
  stand(stub!, main[9]!);
  giveBlocks(stub!, main);
  const { judge, comparison } = watchNodes(t, [stub!]);
  expect(await judge()).toEqual({ ready: true });
  const missing = {
    block_height: 10,
    index_block_hash: main[9]!.indexHash,
    since: expect.any(String),
    reason: 'it cannot be fetched, because no node of CAIRN_NODES has the option auth=TOKEN',
  };
  expect(comparison.report(9)).toMatchObject({ blocks_behind: 1, on_their_branch: true, missing });
  expect(listWarnings({ ...noConditions, nodes: comparison.report(9) })).toEqual([
    expect.stringMatching(/^block 10 \(0x[0-9a-f]{64}\) of a node was not received since .*: it cannot be fetched/),
  ]);
  expect(comparison.missingTips()).toEqual([
    { id: main[9]!.indexHash.slice(2), height: 10, missingSince: expect.any(Number) },
  ]);
  await foldAll(db, [main[9]!]);
  await judge();
  expect(comparison.report(10)).toMatchObject({ blocks_behind: 0, on_their_branch: true, missing: null });
  expect(comparison.missingSeconds).toBe(0);
});

test('a tip is said to be fetched where a node gives blocks', async t => {
  const [stub] = await startNodes(t, 1);
  await foldAll(db, [chain.genesis, ...main.slice(0, 9)]);
  stand(stub!, main[9]!);
  let failed = false;
  const { judge, comparison } = watchNodes(t, [stub!], 10, { auth: 'secret', fetchFailed: () => failed });
  await judge();
  expect(comparison.report(9).missing).toMatchObject({ reason: 'it is being fetched' });
  failed = true;
  expect(comparison.report(9).missing).toMatchObject({ reason: 'it could not be fetched; the log has the reason' });
});
