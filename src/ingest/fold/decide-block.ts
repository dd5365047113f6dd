import { toHex } from '@cairn-stacks/codec/hex';
import { findBurnView } from '../../chain/block.ts';
import { MessageError } from '../../node/json.ts';
import { type BlockReference, readBlockReference } from '../../node/messages.ts';
import type { UnknownItem } from '../../node/unknown-items.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { TreeBlock } from '../tree/block-tree.ts';
import { type BlockEvent, isFetched } from '../tree/fetched-block.ts';
import { refold } from '../tree/fork-choice.ts';
import { isExcluded, isRuledOut, ruleOutNew } from '../tree/ruled-out-blocks.ts';
import type { TreeChange } from '../tree/tree-change.ts';
import type { Decision, Effects, Facts, IncomingEvent } from './decision.ts';
import { assertNames, decodeBlock, InvalidEvent, reading, UnsupportedEvent } from './decode.ts';
import type { Step } from './plan.ts';
import type { FoldState } from './state.ts';

/** `/new_block`: most are the child of the tip, which is applied, or a repetition, which changes nothing. */
export function decideBlock(
  state: FoldState,
  incoming: IncomingEvent,
  facts: Facts,
  batch: readonly IncomingEvent[],
): Decision {
  const { event, message } = incoming;
  const { tip, network } = state;
  const reference = reading(() => readBlockReference(message));
  const known = state.blocks.get(reference.indexHash);
  if (known) return decideKnown(state, { ...incoming, reference }, known, facts, batch);
  const parent = state.blocks.get(reference.parentIndexHash);
  const isChild = tip.height >= 1 && reference.parentIndexHash.equals(tip.indexHash);
  const below = isChild ? tip.height : parent?.height;
  if (below !== undefined && reference.height !== below + 1) {
    throw new InvalidEvent(`block height ${reference.height} does not follow its parent's ${below}`);
  }
  const { indexHash, height, burnHash, parentIndexHash } = reference;
  const isAwaited = state.awaited.has(indexHash.toString('hex'));
  if (isChild && !isAwaited) {
    const { block, items } = decodeBlock(message, network, true);
    const burnView = findBurnView(block);
    if (!isExcluded(state.ruledOut, state.burnBranch, { burnHash, burnView, parent: parentIndexHash })) {
      return {
        kind: 'queue',
        step: { kind: 'block', event, block, reference },
        change: { tip: { height, indexHash }, blocks: [treeBlock(event, reference, burnView, false)] },
        unknown: [{ eventId: event.id, items }],
      };
    }
  }
  return decideOther(state, { ...incoming, reference }, parent !== undefined && !parent.parked, facts);
}

/** The burn view of a block without a tenure change. */
const noView: Buffer = Buffer.alloc(0);

type IncomingBlock = IncomingEvent & { reference: BlockReference };

/** A new block that is not the plain child of the tip enters the tree; then the best branch is chosen. */
function decideOther(state: FoldState, incoming: IncomingBlock, hasParent: boolean, facts: Facts): Decision {
  const { event, message, reference } = incoming;
  const { indexHash, parentIndexHash, height, empty } = reference;
  const parked = !hasParent && !mayBeRoot(state, reference);
  if (!parked && !facts.waiting) return { kind: 'look_up', lookUp: { kind: 'waiting', indexHash, height } };
  let items: readonly UnknownItem[] = [];
  let burnView = noView;
  if (height > 0 || !empty) {
    // A block that cannot be applied later is refused now, while its event is known.
    const decoded = decodeBlock(message, state.network, hasParent);
    assertNames(decoded.block, state.network);
    items = decoded.items;
    burnView = findBurnView(decoded.block);
  }
  const unknown = [{ eventId: event.id, items }];
  const own = treeBlock(event, reference, burnView, parked);
  if (parked) {
    return {
      kind: 'write',
      plans: [{ steps: [{ kind: 'tree', event, reference, parked, nonCanonical: false, ruledOut: false, burnView }] }],
      change: { blocks: [own], awaited: [parentIndexHash] },
      unknown,
      notices: [waitsForParent(reference)],
    };
  }
  const freed = facts.waiting ?? [];
  const { added, ruledOut } = ruleOutNew(state.ruledOut, state.burnBranch, [own, ...freed]);
  const isOut = isRuledOut(ruledOut, indexHash);
  // A block that is higher than the tip is applied next.
  const loses = height <= state.tip.height || isOut;
  const nonCanonical = freed.length === 0 && height > 0 && loses;
  const step: Step = { kind: 'tree', event, reference, parked, nonCanonical, ruledOut: isOut, burnView };
  const treeChanges: TreeChange[] =
    freed.length === 0
      ? []
      : [{ kind: 'connect', blocks: freed.map(block => block.indexHash), ruledOut: isOut ? added.slice(1) : added }];
  return {
    kind: 'write',
    plans: [{ steps: [step], treeChanges, rootMidChain: height > 1 && state.tip.height < 0 }],
    next: height === 0 && !empty ? ['include_genesis', 'move_to_best'] : ['move_to_best'],
    change: {
      blocks: [own, ...freed.map(block => ({ ...block, parked: false }))],
      arrived: [indexHash, ...freed.map(block => block.indexHash)],
      ruledOut,
    },
    unknown,
  };
}

/** Heights 0 and 1 need no parent; another block may be the first one only where an empty block 0 is all there is. */
function mayBeRoot({ tip, genesis }: FoldState, { height }: BlockReference): boolean {
  return height <= 1 || (tip.height < 0 && genesis.empty && !genesis.full);
}

/** A repetition; only a full block 0, or the event of a block that had to be fetched, says more than was known. */
function decideKnown(
  state: FoldState,
  { event, message, reference }: IncomingBlock,
  known: TreeBlock,
  facts: Facts,
  batch: readonly IncomingEvent[],
): Decision {
  const { indexHash } = reference;
  if (reference.height === 0 && known.empty && !reference.empty) {
    const { items } = decodeBlock(message, state.network, true);
    return {
      kind: 'write',
      plans: [
        {
          treeChanges: [{ kind: 'fill_genesis', indexHash, eventId: event.id }],
          steps: [{ kind: 'nothing', event }],
        },
      ],
      next: ['include_genesis'],
      change: { blocks: [{ ...known, empty: false, eventId: event.id }] },
      unknown: [{ eventId: event.id, items }],
    };
  }
  if (known.fetched && !isFetched({ event, reference })) {
    const { block, items } = decodeBlock(message, state.network, true);
    assertNames(block, state.network);
    const others = laterReplacements(state, event, batch);
    return replaceFetched(known.parked, [{ event, reference, burnView: findBurnView(block), items }, ...others], facts);
  }
  return { kind: 'queue', step: { kind: 'nothing', event } };
}

type Replacement = BlockEvent & { burnView: Buffer; items: readonly UnknownItem[] };

/**
 * Later events of this batch that also replace fetched blocks. All are taken at once, since each causes the chain above its
 * block to be applied again. An event that cannot be read is decided later, in the order of the log.
 */
function laterReplacements(state: FoldState, { id }: LoggedEvent, batch: readonly IncomingEvent[]): Replacement[] {
  return batch.flatMap(({ event, message }) => {
    if (event.id <= id || event.path !== '/new_block' || message instanceof MessageError) return [];
    try {
      const reference = reading(() => readBlockReference(message));
      const known = state.blocks.get(reference.indexHash);
      if (!known?.fetched || known.parked || isFetched({ event, reference })) return [];
      const { block, items } = decodeBlock(message, state.network, true);
      assertNames(block, state.network);
      return [{ event, reference, burnView: findBurnView(block), items }];
    } catch (error) {
      if (error instanceof InvalidEvent || error instanceof UnsupportedEvent) return [];
      throw error;
    }
  });
}

/**
 * The events of fetched blocks have arrived. They hold more facts, so the chain from the lowest of these blocks on is applied once
 * more, in the same transaction where it is short.
 */
function replaceFetched(parked: boolean, replaced: readonly Replacement[], { aboveFetched }: Facts): Decision {
  const hashes = replaced.map(({ reference }) => reference.indexHash);
  if (!aboveFetched) return { kind: 'look_up', lookUp: { kind: 'above_fetched', hashes } };
  const { event } = replaced[0]!;
  const steps: Step[] = [{ kind: 'nothing', event }];
  const effects: Effects = {
    change: {
      blocks: replaced.map(({ event, reference, burnView }, i) =>
        treeBlock(event, reference, burnView, i === 0 && parked),
      ),
    },
    unknown: replaced.map(({ event, items }) => ({ eventId: event.id, items })),
  };
  if (aboveFetched.kind === 'pruned') {
    const { lowest, pruned } = aboveFetched;
    const message = 'the event of a fetched block came after events above it were pruned: the block stays incomplete';
    const notices = [{ level: 'warn', details: { height: lowest, pruned }, message } as const];
    return { kind: 'write', plans: [{ steps }], ...effects, notices };
  }
  const treeChanges = replaced.map(
    ({ event, reference }): TreeChange => ({
      kind: 'replace_fetched',
      indexHash: reference.indexHash,
      eventId: event.id,
    }),
  );
  if (aboveFetched.kind === 'non_canonical') return { kind: 'write', plans: [{ treeChanges, steps }], ...effects };
  const newEvents = new Map(replaced.map(({ event, reference }) => [reference.indexHash.toString('hex'), event.id]));
  const { lowest, chain } = aboveFetched;
  const eventIds = chain.map(block => newEvents.get(block.indexHash.toString('hex')) ?? block.eventId);
  return {
    kind: 'write',
    plans: refold(lowest - 1, eventIds, steps, treeChanges),
    next: ['find_microblocks'],
    ...effects,
  };
}

const waitsForParent = ({ height, indexHash, parentIndexHash }: BlockReference) =>
  ({
    level: 'warn',
    details: { height, block: toHex(indexHash), parent: toHex(parentIndexHash) },
    message: 'a block waits for its parent',
  }) as const;

const treeBlock = (event: LoggedEvent, reference: BlockReference, burnView: Buffer, parked: boolean): TreeBlock => ({
  indexHash: reference.indexHash,
  parent: reference.parentIndexHash,
  eventId: event.id,
  height: reference.height,
  parked,
  empty: reference.empty,
  fetched: isFetched({ event, reference }),
  burnHash: reference.burnHash,
  burnView,
});
