import type { BuiltBlock, BuiltMicroblock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { BurnBranch } from '@cairn-stacks/devnet/chain/burn-branch';
import type { BurnBlock } from '@cairn-stacks/devnet/chain/burn-chain';
import { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import { type Candidate, chooseChain } from '@cairn-stacks/devnet/chain/fork-choice';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import type { Release } from '@cairn-stacks/devnet/chain/release';
import { Random } from '@cairn-stacks/devnet/random';
import fc from 'fast-check';
import { signerMessages } from '../support/signer-messages.ts';

/** One block of a generated history and how it reaches us. */
type Growth = {
  /** Where it stands: on the newest block, on a leaf, or on any block. */
  on: { where: 'newest' | 'leaf' | 'any'; pick: number };
  /** How many arrivals it comes late. */
  delay: number;
  /** It comes once more, that much later. */
  again: number | undefined;
  transactions: number;
  burnOperations: number;
  /** Bitcoin goes back that far before it. */
  burnFork: number;
  /** Bitcoin returns to the branch that it has left last. */
  burnReturn: boolean;
  /** It extends the tenure of its parent over burn blocks without a winner (Nakamoto). */
  extends: boolean;
  /** How many arrivals its burn blocks come late; undefined when they never come. */
  burnDelay: number | undefined;
  /** Microblocks on top of it (2.x). */
  microblocks: number;
  /** After it the fold ends, when it has caught up or at once. */
  stop: 'none' | 'settled' | 'at once';
};

export type Plan = {
  seed: number;
  release: Release['name'];
  batchBlocks: number;
  /** How block 0 arrives. */
  genesis: 'first' | 'empty, then full' | 'late' | 'never' | 'only empty';
  growth: Growth[];
};

const rarely = <T>(usual: T, other: fc.Arbitrary<T>, weight = 8) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const growth: fc.Arbitrary<Growth> = fc.record({
  on: fc.record({
    where: fc.oneof(
      { weight: 5, arbitrary: fc.constant('newest' as const) },
      { weight: 4, arbitrary: fc.constant('leaf' as const) },
      { weight: 2, arbitrary: fc.constant('any' as const) },
    ),
    pick: fc.nat(100),
  }),
  delay: rarely(0, fc.integer({ min: 1, max: 8 }), 4),
  again: rarely<number | undefined>(undefined, fc.nat(10)),
  transactions: fc.nat(3),
  burnOperations: rarely(0, fc.constant(1), 4),
  burnFork: rarely(0, fc.integer({ min: 1, max: 6 }), 4),
  burnReturn: rarely(false, fc.constant(true), 12),
  extends: rarely(false, fc.constant(true), 3),
  burnDelay: rarely<number | undefined>(0, fc.constantFrom(1, 2, 5, undefined), 8),
  microblocks: fc.nat(2),
  stop: rarely<Growth['stop']>('none', fc.constantFrom('settled', 'at once'), 4),
});

/** Any history: a tree of blocks and the order in which its messages arrive. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.integer(),
  release: fc.constantFrom('2.4', '3.1', '4.0', '4.0'),
  batchBlocks: fc.constantFrom(1, 2, 3, 50),
  genesis: fc.constantFrom('first', 'first', 'empty, then full', 'late', 'never', 'only empty'),
  growth: fc.array(growth, { minLength: 3, maxLength: 20 }),
});

/** A block as the model sees it; block 0 may be an empty one. */
interface AnyBlock extends Candidate<AnyBlock>, Message {}
type Arrival = {
  message: Message;
  block?: AnyBlock;
  burn?: BurnBlock;
  microblock?: { anchor: BuiltBlock; built: BuiltMicroblock };
};

/** A history played out: what arrives, in pieces after which the fold stops, and what should come of it. */
export type History = {
  pieces: { messages: Message[]; stop: 'settled' | 'at once' }[];
  /** The canonical chain, lowest first. */
  canonical: AnyBlock[];
  /** The same chain in the order a quiet node would have told it. */
  replay: Message[];
};

/** Plays a plan. */
export function playPlan(plan: Plan): History {
  // Some begin shortly before a prepare phase, in which burn blocks pay nobody.
  const burnStart = { height: 108 + ((plan.seed >>> 0) % 10), time: 1_750_000_000 };
  const chain = new ChainBuilder({
    ...{ seed: plan.seed, release: plan.release, sign: false, maturity: 2, accounts: 4, burnStart },
  });
  const timed: { time: number; arrival: Arrival; stop: Growth['stop'] }[] = [];
  const arrive = (time: number, arrival: Arrival, stop: Growth['stop'] = 'none') => timed.push({ time, arrival, stop });
  const genesis: AnyBlock = chain.genesis;
  const emptyGenesis: AnyBlock = chain.emptyGenesis();
  if (plan.genesis === 'first') arrive(-1, { message: genesis, block: genesis });
  if (plan.genesis.includes('empty')) arrive(-1, { message: emptyGenesis, block: emptyGenesis });
  if (plan.genesis === 'empty, then full' || plan.genesis === 'late') {
    arrive(plan.seed & 7, { message: genesis, block: genesis });
  }
  // Nodes repeat an empty block 0 at each start, which must take nothing back.
  if (plan.genesis === 'first') arrive(4.5, { message: emptyGenesis, block: emptyGenesis });

  const built: BuiltBlock[] = [];
  const messages: Message[] = [];
  let left: BurnBlock | undefined;
  const hidden = plan.genesis === 'only empty' ? 3 : 0;
  for (let i = 0; i < hidden; i++) built.push(chain.mine(built.at(-1)));
  plan.growth.forEach((grow, i) => {
    const parent = hidden > 0 && i === 0 ? built.at(-1)! : (parentFor(grow, built.slice(hidden)) ?? chain.genesis);
    const before = chain.burnChain.tip;
    if (grow.burnReturn && left) chain.burnChain.tip = left;
    else if (grow.burnFork > 0) chain.burnChain.goBack(grow.burnFork);
    if (chain.burnChain.tip !== before) left = before;
    const { transactions, burnOperations } = grow;
    const tenure = grow.extends ? ({ tenure: 'extend' } as const) : {};
    const block = chain.mine(parent, { transactions, burnOperations, confirms: grow.on.pick % 3, ...tenure });
    built.push(block);
    if (grow.burnDelay !== undefined) {
      for (const burn of block.burnBlocks) arrive(i - 0.5 + grow.burnDelay, { message: burnMessage(burn), burn });
    }
    // On an empty block 0 whatever comes first is the root, and what lies below it never arrives.
    const delay = plan.genesis.includes('empty') && i === 0 ? 0 : grow.delay;
    arrive(i + delay, { message: block, block }, grow.stop);
    if (grow.again !== undefined) {
      arrive(i + delay + grow.again + 0.1, { message: block, block });
      const burn = block.burnBlocks.at(-1);
      if (burn) arrive(i + grow.again, { message: burnMessage(burn), burn });
    }
    if (chain.release.nakamoto) {
      if (plan.seed % 3 !== 0) return;
      const start = 1_750_000_000_000 + i * 600_000;
      const random = new Random(plan.seed + i);
      for (const { delay, message } of signerMessages(block, { cycle: 5 + (i >> 3), signers: 2, random, start })) {
        arrive(i + delay, { message });
        messages.push(message);
      }
      return;
    }
    for (let n = 0; n < grow.microblocks; n++) {
      const microblock = chain.microblock(block);
      arrive(i + n * 0.4 + 0.2, { message: microblock, microblock: { anchor: block, built: microblock } });
    }
  });

  const sorted = timed.toSorted((a, b) => a.time - b.time);
  const arrivals = sorted.map(t => t.arrival);
  const pieces: History['pieces'] = [{ messages: [], stop: 'settled' }];
  for (const { arrival, stop } of sorted) {
    pieces.at(-1)!.messages.push(arrival.message);
    if (stop === 'none') continue;
    pieces.at(-1)!.stop = stop;
    pieces.push({ messages: [], stop: 'settled' });
  }
  const canonical = chooseChain(arrivals);
  const start = plan.genesis === 'only empty' ? [emptyGenesis] : [];
  const replay = [
    ...burnBlocksOf(arrivals).map(burnMessage),
    ...start,
    ...canonical,
    ...streamOf(arrivals, canonical),
    ...messages,
  ];
  return { pieces, canonical, replay };
}

function parentFor({ on }: Growth, built: BuiltBlock[]): BuiltBlock | undefined {
  if (on.where === 'newest') return built.at(-1);
  const parents = new Set(built.map(b => b.parent));
  const choices = on.where === 'leaf' ? built.filter(b => !parents.has(b)) : built;
  return choices[on.pick % choices.length];
}

/** The burn blocks that are canonical in the end, lowest first. */
function burnBlocksOf(arrivals: Arrival[]): BurnBlock[] {
  const branch = new BurnBranch();
  for (const { burn } of arrivals) if (burn) branch.announce(burn);
  return branch.blocks;
}

/** Microblocks on the canonical tip that arrived while it was the tip. */
function streamOf(arrivals: Arrival[], canonical: AnyBlock[]): Message[] {
  const tip = canonical.at(-1);
  return arrivals.flatMap(({ microblock }, i) => {
    if (!microblock || microblock.anchor.indexHash !== tip?.indexHash) return [];
    const then = chooseChain(arrivals.slice(0, i)).at(-1);
    return then?.indexHash === tip.indexHash ? [microblock.built] : [];
  });
}
