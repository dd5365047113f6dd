import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/ingest/fold/decide.ts';
import type { Decision, Facts, IncomingEvent } from '../../src/ingest/fold/decision.ts';
import type { FoldState } from '../../src/ingest/fold/state.ts';
import type { TreeBlock } from '../../src/ingest/tree/block-tree.ts';
import { type BurnBranch, type BurnNode, withReplaced } from '../../src/ingest/tree/burn-branch.ts';
import { fetchedSource } from '../../src/ingest/tree/fetched-block.ts';
import { type BestBranch, moveToBest } from '../../src/ingest/tree/fork-choice.ts';
import { type ConnectedBlock, reclassify } from '../../src/ingest/tree/ruled-out-blocks.ts';
import { MessageError, parseMessage } from '../../src/node/json.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { testNetwork } from '../support/service.ts';

const chain = testChain({ seed: 77 });
const [one, two, three, four] = mineLine(chain, chain.genesis, 4, { transactions: 1 }) as [
  BuiltBlock,
  BuiltBlock,
  BuiltBlock,
  BuiltBlock,
];
const fork = chain.mine(one, { transactions: 2 });

/** The hash of a block that its message names. */
const named = (block: BuiltBlock, field: 'parent_index_block_hash' | 'burn_block_hash') =>
  bytes((block.body as Record<typeof field, string>)[field]);

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const key = (hex: string) => hex.slice(2);
const hashOf = (byte: string) => Buffer.from(byte.repeat(32), 'hex');

/** The event of a message, as the log numbers it. */
function incoming(message: Message, id = 100n, source = 'node 127.0.0.1'): IncomingEvent {
  const body = Buffer.from(messageText(message.body));
  return { event: { id, at: new Date(0), path: message.path, source, body }, message: parseMessage(body) };
}

const treeBlock = (block: BuiltBlock, more: Partial<TreeBlock> = {}): TreeBlock => ({
  indexHash: bytes(block.indexHash),
  parent: named(block, 'parent_index_block_hash'),
  eventId: 1n,
  height: block.height,
  parked: false,
  empty: false,
  fetched: false,
  burnHash: named(block, 'burn_block_hash'),
  burnView: Buffer.alloc(0),
  ...more,
});

/** A burn block of the tree; its consensus hash is not told unless given. */
const burnNode = (facts: Partial<BurnNode>): BurnNode => ({
  hash: hashOf('00'),
  parent: hashOf('01'),
  height: 9,
  eventId: 5n,
  source: 'node 127.0.0.1',
  consensusHash: Buffer.alloc(0),
  ...facts,
});

/** A Bitcoin branch that has left these burn blocks behind. */
const branchWithout = (...replaced: BurnNode[]): BurnBranch =>
  withReplaced(
    { sources: new Map(), top: undefined },
    new Map(replaced.map(node => [node.hash.toString('hex'), node])),
  );

/** A block of the tree that is not ruled out. */
const connected = (block: BuiltBlock, burnHash: Buffer, burnView = Buffer.alloc(0)): ConnectedBlock => ({
  indexHash: bytes(block.indexHash),
  parent: named(block, 'parent_index_block_hash'),
  burnHash,
  burnView,
  ruledOut: false,
});

/** What is known after these blocks; the last one is the tip. */
function stateAfter(blocks: BuiltBlock[], more: Partial<FoldState> & { others?: TreeBlock[] } = {}): FoldState {
  const { others = [], ...rest } = more;
  const known = new Map(
    [...blocks.map(block => treeBlock(block)), ...others].map(b => [b.indexHash.toString('hex'), b]),
  );
  const tip = blocks.at(-1);
  return {
    network: testNetwork,
    tip:
      tip && tip.height > 0
        ? { height: tip.height, indexHash: bytes(tip.indexHash) }
        : { height: -1, indexHash: Buffer.alloc(0) },
    blocks: { get: hash => known.get(hash.toString('hex')) },
    awaited: new Set(),
    genesis: { empty: false, full: true },
    ruledOut: new Set(),
    burnBranch: branchWithout(),
    ...rest,
  };
}

const trunk = [chain.genesis, one, two];

function expectWrite(decision: Decision): Extract<Decision, { kind: 'write' }> {
  expect(decision.kind).toBe('write');
  return decision as Extract<Decision, { kind: 'write' }>;
}

describe('a block', () => {
  test('that is the child of the tip is queued, and is the tip of the next decision', () => {
    const decision = decide(stateAfter(trunk), incoming(three));
    expect(decision).toMatchObject({ kind: 'queue', step: { kind: 'block', reference: { height: 3 } } });
    expect(decision).toMatchObject({ change: { tip: { height: 3, indexHash: bytes(three.indexHash) } } });
  });

  test('that is known already changes nothing', () => {
    const decision = decide(stateAfter([...trunk, three]), incoming(two));
    expect(decision).toEqual({ kind: 'queue', step: { kind: 'nothing', event: incoming(two).event } });
  });

  test('whose parent is missing is parked without a look-up, and its parent is awaited', () => {
    const { plans, next, change, notices } = expectWrite(decide(stateAfter(trunk), incoming(four)));
    expect(plans).toMatchObject([{ steps: [{ kind: 'tree', parked: true, nonCanonical: false }] }]);
    expect([next, change?.awaited]).toEqual([undefined, [bytes(three.indexHash)]]);
    expect(notices).toMatchObject([{ level: 'warn' }]);
  });

  test('that others wait for looks these up, and connects them', () => {
    const parked = treeBlock(four, { parked: true });
    const state = stateAfter(trunk, { awaited: new Set([key(three.indexHash)]), others: [parked] });
    expect(decide(state, incoming(three))).toEqual({
      kind: 'look_up',
      lookUp: { kind: 'waiting', indexHash: bytes(three.indexHash), height: 3 },
    });
    const { plans, next, change } = expectWrite(decide(state, incoming(three), { waiting: [parked] }));
    expect(plans).toMatchObject([
      {
        treeChanges: [{ kind: 'connect', blocks: [bytes(four.indexHash)], ruledOut: [] }],
        steps: [{ kind: 'tree', parked: false, nonCanonical: false }],
      },
    ]);
    expect(next).toEqual(['move_to_best']);
    expect(change?.blocks?.map(block => [block.height, block.parked])).toEqual([
      [3, false],
      [4, false],
    ]);
    expect(change?.arrived).toEqual([bytes(three.indexHash), bytes(four.indexHash)]);
  });

  test('off the chain and not higher than the tip is non-canonical', () => {
    const { plans, next } = expectWrite(decide(stateAfter(trunk), incoming(fork), { waiting: [] }));
    expect(plans).toMatchObject([{ steps: [{ kind: 'tree', parked: false, nonCanonical: true, ruledOut: false }] }]);
    expect(next).toEqual(['move_to_best']);
  });

  test('of a replaced burn block is ruled out, though it is the child of the tip', () => {
    const burnHash = named(three, 'burn_block_hash');
    const burnBranch = branchWithout(burnNode({ hash: burnHash }));
    const { plans, change } = expectWrite(decide(stateAfter(trunk, { burnBranch }), incoming(three), { waiting: [] }));
    expect(plans).toMatchObject([{ steps: [{ kind: 'tree', nonCanonical: true, ruledOut: true }] }]);
    expect(change?.ruledOut).toEqual(new Set([key(three.indexHash)]));
  });

  test('on a ruled-out block is ruled out, and so are the blocks that waited for it', () => {
    const parked = treeBlock(four, { parked: true });
    const state = stateAfter(trunk, { ruledOut: new Set([key(two.indexHash)]) });
    const { plans, change } = expectWrite(decide(state, incoming(three), { waiting: [parked] }));
    expect(plans[0]?.treeChanges).toEqual([
      { kind: 'connect', blocks: [bytes(four.indexHash)], ruledOut: [bytes(four.indexHash)] },
    ]);
    expect(change?.ruledOut).toEqual(new Set([two, three, four].map(block => key(block.indexHash))));
  });

  test('with a height that does not follow its parent is quarantined', () => {
    const wrong = { path: three.path, body: { ...three.body, block_height: 7 } };
    expect(decide(stateAfter(trunk), incoming(wrong))).toMatchObject({
      kind: 'queue',
      step: { kind: 'quarantine', reason: `block height 7 does not follow its parent's 2` },
    });
  });

  test('of another chain is quarantined', () => {
    const network = { name: 'mainnet', chainId: 1, mainnet: true } as const;
    expect(decide(stateAfter(trunk, { network }), incoming(three))).toMatchObject({
      kind: 'queue',
      step: { kind: 'quarantine', reason: expect.stringContaining('another chain') },
    });
  });

  test('may be the root above height 1 only where an empty block 0 is all there is', () => {
    const state = (genesis: FoldState['genesis']) => stateAfter([], { genesis });
    const root = expectWrite(decide(state({ empty: true, full: false }), incoming(three), { waiting: [] }));
    expect(root.plans).toMatchObject([{ rootMidChain: true, steps: [{ parked: false }] }]);
    for (const genesis of [
      { empty: false, full: false },
      { empty: true, full: true },
    ]) {
      const { plans } = expectWrite(decide(state(genesis), incoming(three)));
      expect(plans).toMatchObject([{ steps: [{ parked: true }] }]);
    }
  });

  test('0 with content takes the place of an empty one, and the chain is looked at again', () => {
    const empty = treeBlock(chain.genesis, { empty: true });
    const state = stateAfter([one, two], { others: [empty] });
    const { plans, next, change } = expectWrite(decide(state, incoming(chain.genesis)));
    expect(plans).toMatchObject([
      { treeChanges: [{ kind: 'fill_genesis', eventId: 100n }], steps: [{ kind: 'nothing' }] },
    ]);
    expect([next, change?.blocks?.[0]?.empty]).toEqual([['include_genesis'], false]);
    const first = expectWrite(decide(stateAfter([]), incoming(chain.genesis), { waiting: [] }));
    expect(first.next).toEqual(['include_genesis', 'move_to_best']);
  });
});

describe('the event of a fetched block', () => {
  const fetched = treeBlock(two, { fetched: true });
  const state = stateAfter([chain.genesis, one, three], { others: [fetched, treeBlock(three, { fetched: true })] });
  const events = [incoming(two, 50n), incoming(three, 51n)];

  test('replaces it together with those of the same batch, from the lowest of them on', () => {
    const wanted = decide(state, events[0]!, {}, events);
    const hashes = [bytes(two.indexHash), bytes(three.indexHash)];
    expect(wanted).toEqual({ kind: 'look_up', lookUp: { kind: 'above_fetched', hashes } });
    const facts: Facts = {
      aboveFetched: {
        kind: 'canonical',
        lowest: 2,
        chain: [...hashes, bytes(four.indexHash)].map((indexHash, i) => ({ indexHash, eventId: BigInt(10 + i) })),
      },
    };
    const { plans, next } = expectWrite(decide(state, events[0]!, facts, events));
    expect(plans).toMatchObject([
      {
        rollback: 1,
        branch: [50n, 51n, 12n],
        treeChanges: [{ eventId: 50n }, { eventId: 51n }],
        steps: [{ kind: 'nothing' }],
      },
    ]);
    expect(next).toEqual(['find_microblocks']);
  });

  test('only marks a block that is not canonical, and nothing where the log was pruned above it', () => {
    const facts = (aboveFetched: Facts['aboveFetched']): Facts => (aboveFetched ? { aboveFetched } : {});
    const marked = expectWrite(decide(state, events[0]!, facts({ kind: 'non_canonical' })));
    expect(marked.plans).toEqual([
      {
        treeChanges: [{ kind: 'replace_fetched', indexHash: bytes(two.indexHash), eventId: 50n }],
        steps: [{ kind: 'nothing', event: events[0]!.event }],
      },
    ]);
    const pruned = expectWrite(decide(state, events[0]!, facts({ kind: 'pruned', lowest: 2, pruned: 3 })));
    expect(pruned.plans).toEqual([{ steps: [{ kind: 'nothing', event: events[0]!.event }] }]);
    expect(pruned.notices).toMatchObject([{ level: 'warn', details: { height: 2, pruned: 3 } }]);
  });

  test('that was fetched itself says nothing new', () => {
    expect(decide(state, incoming(two, 50n, fetchedSource))).toMatchObject({
      kind: 'queue',
      step: { kind: 'nothing' },
    });
  });
});

describe('a burn block', () => {
  const burn = (height: number, byte: string, parent?: string): Message => ({
    path: '/new_burn_block',
    body: {
      burn_block_hash: `0x${byte.repeat(32)}`,
      burn_block_height: height,
      burn_amount: 0,
      reward_recipients: [],
      reward_slot_holders: [],
      ...(parent !== undefined && { parent_burn_block_hash: `0x${parent.repeat(32)}` }),
    },
  });
  const node = (height: number, byte: string, parent: string, eventId: bigint): BurnNode =>
    burnNode({ hash: hashOf(byte), parent: hashOf(parent), height, eventId });
  const [ten, eleven] = [node(10, 'a0', '99', 10n), node(11, 'a1', 'a0', 11n)];
  const burnBranch = {
    ...branchWithout(),
    sources: new Map([['node 127.0.0.1', { height: 11, hash: eleven.hash }]]),
    top: { height: 11, hash: eleven.hash },
  };
  const state = stateAfter(trunk, { burnBranch });

  test('that is the next one is queued', () => {
    const decision = decide(state, incoming(burn(12, 'a2', 'a1')));
    expect(decision).toMatchObject({
      kind: 'queue',
      step: { kind: 'burn', node: { height: 12, parent: eleven.hash } },
    });
    expect(decision).toMatchObject({ burnSources: [{ height: 12 }], change: { burnBranch: { top: { height: 12 } } } });
  });

  test('that is announced again changes nothing', () => {
    const again = incoming(burn(10, 'a0', '99'));
    expect(decide(state, again)).toEqual({ kind: 'look_up', lookUp: { kind: 'burn_neighbours', height: 10 } });
    const { plans, change } = expectWrite(decide(state, again, { burnNeighbours: [ten, eleven] }));
    expect(plans).toEqual([{ steps: [{ kind: 'nothing', event: again.event }], burnSources: [] }]);
    expect(change?.burnBranch).toEqual(burnBranch);
  });

  test('on another branch switches to it: burn blocks are replaced and the blocks that name them ruled out', () => {
    const rival = incoming(burn(11, 'b1', 'a0'));
    let facts: Facts = { burnNeighbours: [ten, eleven] };
    expect(decide(state, rival, facts)).toMatchObject({
      lookUp: { kind: 'burn_fork', lowest: { hash: hashOf('b1') } },
    });
    facts = { ...facts, burnFork: { forkHeight: 10, above: [eleven] } };
    expect(decide(state, rival, facts)).toEqual({ kind: 'look_up', lookUp: { kind: 'events', ids: [] } });
    facts = { ...facts, events: new Map() };
    const burns = [{ hash: hashOf('b1') }, { hash: eleven.hash }];
    expect(decide(state, rival, facts)).toMatchObject({ kind: 'look_up', lookUp: { kind: 'blocks_from_burn', burns } });
    facts = {
      ...facts,
      blocksFromBurn: [connected(one, ten.hash), connected(two, eleven.hash), connected(three, hashOf('77'))],
    };
    const { plans, next, change } = expectWrite(decide(state, rival, facts));
    const lost = [bytes(two.indexHash), bytes(three.indexHash)];
    expect(plans).toMatchObject([
      {
        burnSwitch: { forkHeight: 10, branch: [{ hash: hashOf('b1') }], replaced: [eleven] },
        treeChanges: [{ kind: 'rule_out', blocks: lost, ruledOut: true }],
        steps: [{ kind: 'burn', node: { height: 11 } }, { kind: 'nothing' }],
        burnSources: [{ hash: hashOf('b1') }],
      },
    ]);
    expect(next).toEqual(['move_to_best']);
    expect(change?.ruledOut).toEqual(new Set(lost.map(hash => hash.toString('hex'))));
    expect([...(change?.burnBranch?.replaced.keys() ?? [])]).toEqual(['a1'.repeat(32)]);
  });

  test('that cannot be read is quarantined', () => {
    const decision = decide(state, incoming({ path: '/new_burn_block', body: {} }));
    expect(decision).toMatchObject({ kind: 'queue', step: { kind: 'quarantine' } });
  });
});

describe('any other event', () => {
  test('of an unknown path changes nothing and is counted', () => {
    const decision = decide(stateAfter(trunk), incoming({ path: '/new_thing', body: {} }));
    expect(decision).toMatchObject({ kind: 'queue', step: { kind: 'nothing' } });
    expect(decision).toMatchObject({ unknown: [{ eventId: 100n, items: [{ kind: 'path', name: '/new_thing' }] }] });
  });

  test('whose body cannot be parsed is quarantined with the reason', () => {
    const { event } = incoming(three);
    const decision = decide(stateAfter(trunk), { event, message: new MessageError('not JSON') });
    expect(decision).toEqual({ kind: 'queue', step: { kind: 'quarantine', event, reason: 'not JSON' } });
  });

  test('of the mempool that cannot be read is quarantined and does not block others', () => {
    const decision = decide(stateAfter(trunk), incoming({ path: '/drop_mempool_tx', body: {} }));
    expect(decision).toMatchObject({ kind: 'queue', step: { kind: 'quarantine' } });
  });
});

describe('the move to the best branch', () => {
  const branch = (forkHeight: number, blocks: BuiltBlock[]): BestBranch => {
    const way = blocks.map((block, i) => treeBlock(block, { eventId: BigInt(i + 1) }));
    return { best: way.at(-1)!, forkHeight, branch: way };
  };
  const tip = { height: 2, indexHash: bytes(two.indexHash) };

  test('is a plan with the height to go back to and the blocks to apply', () => {
    const move = moveToBest({ height: 3, indexHash: bytes(three.indexHash) }, branch(1, [fork]));
    expect(move).toEqual({
      plan: { rollback: 1, branch: [1n], steps: [] },
      tip: { height: 2, indexHash: bytes(fork.indexHash) },
    });
  });

  test('needs no rollback if the branch starts at the tip', () => {
    expect(moveToBest(tip, branch(2, [three, four]))).toEqual({
      plan: { branch: [1n, 2n], steps: [] },
      tip: { height: 4, indexHash: bytes(four.indexHash) },
    });
  });

  test('takes a long branch without a rollback in parts', () => {
    const long = mineLine(chain, two, 60);
    const { plan, tip: after } = moveToBest(tip, branch(2, long));
    expect([plan.branch?.length, after.height]).toEqual([50, 52]);
  });

  test('to a block of the chain itself only goes back', () => {
    const best = treeBlock(one);
    expect(moveToBest(tip, { best, forkHeight: 1, branch: [] })).toEqual({
      plan: { rollback: 1, branch: [], steps: [] },
      tip: { height: 1, indexHash: bytes(one.indexHash) },
    });
  });
});

describe('a tenure change', () => {
  const start = testChain({ seed: 78 });
  const base = start.mine(start.genesis, { tenure: 'new', transactions: 0 });
  const extension = start.mine(base, { tenure: 'extend', transactions: 0 });
  const above = start.mine(extension, { tenure: 'same', transactions: 0 });
  const view = Buffer.from(extension.view.consensusHash);
  const hash = bytes(extension.view.hash);
  const state = (burnBranch: BurnBranch, more: Partial<FoldState> = {}) =>
    stateAfter([start.genesis, base], { burnBranch, ...more });

  test('whose burn view was replaced rules its block out, though the burn block of the tenure is canonical', () => {
    const burnBranch = branchWithout(burnNode({ hash, consensusHash: view }));
    const { plans, change } = expectWrite(decide(state(burnBranch), incoming(extension), { waiting: [] }));
    expect(plans).toMatchObject([{ steps: [{ kind: 'tree', nonCanonical: true, ruledOut: true, burnView: view }] }]);
    expect(change?.ruledOut).toEqual(new Set([key(extension.indexHash)]));
  });

  test('whose burn view was never announced, or was announced without a name, rules nothing out', () => {
    for (const burnBranch of [branchWithout(), branchWithout(burnNode({ hash })), branchWithout(burnNode({}))]) {
      expect(decide(state(burnBranch), incoming(extension))).toMatchObject({ kind: 'queue', step: { kind: 'block' } });
    }
  });

  test('decides about the later blocks of its tenure too, parked ones included', () => {
    const burnBranch = branchWithout(burnNode({ hash, consensusHash: view }));
    const parked = treeBlock(above, { parked: true });
    const { plans } = expectWrite(decide(state(burnBranch), incoming(extension), { waiting: [parked] }));
    expect(plans[0]?.treeChanges).toEqual([
      { kind: 'connect', blocks: [bytes(above.indexHash)], ruledOut: [bytes(above.indexHash)] },
    ]);
    // A block that waited with its own tenure change is ruled out by that, whatever is below it.
    const late = treeBlock(extension, { parked: true, burnView: view });
    const trunk = stateAfter([start.genesis], { burnBranch });
    expect(expectWrite(decide(trunk, incoming(base), { waiting: [late] })).plans[0]?.treeChanges).toEqual([
      { kind: 'connect', blocks: [bytes(extension.indexHash)], ruledOut: [bytes(extension.indexHash)] },
    ]);
  });

  test('is classified again when its burn view is replaced and when that comes back', () => {
    const blocks = [
      connected(base, hashOf('e0')),
      connected(extension, hashOf('e0'), view),
      connected(above, hashOf('e0')),
    ];
    const dead = [extension, above].map(block => bytes(block.indexHash));
    const left = reclassify(new Set(), branchWithout(burnNode({ hash, consensusHash: view })), blocks);
    expect([left.lost, left.restored]).toEqual([dead, []]);
    const back = reclassify(
      left.ruledOut,
      branchWithout(),
      blocks.map((block, i) => ({ ...block, ruledOut: i > 0 })),
    );
    expect([back.lost, back.restored, back.ruledOut.size]).toEqual([[], dead, 0]);
  });
});
