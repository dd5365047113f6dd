import { bareHex } from '@cairn-stacks/codec/hex';
import type { BurnBlock } from '../../node/messages.ts';
import { isNode } from './burn-source.ts';

/** A burn block as far as the choice between Bitcoin branches needs it. */
export type BurnNode = {
  hash: Buffer;
  parent: Buffer;
  height: number;
  eventId: bigint;
  source: string;
  /** The name that Stacks blocks give it as their burn view; empty where the node did not say (before 3.1.0.0.4). */
  consensusHash: Buffer;
};

export type BurnTip = { height: number; hash: Buffer };

/** The newest announcement of a source. */
export type SourceTip = BurnTip & { source: string };

/**
 * Which Bitcoin branch the nodes follow, decided by their announcements alone, in the order of the log. A value: functions
 * return the next one.
 *
 * Within one source the newest announcement wins: a node announces the blocks of a new branch one by one, lowest first, and has
 * left the old branch with the first of them. Between nodes that disagree the taller branch wins. A repetition changes
 * nothing. A block that arrives after its child takes its place below it. A child of a replaced block brings its branch back.
 */
export type BurnBranch = {
  /** Announced burn blocks that are not canonical, by hash; Bitcoin forks are rare, so there are few. */
  readonly replaced: ReadonlyMap<string, BurnNode>;
  /** Their consensus hashes. */
  readonly replacedViews: ReadonlySet<string>;
  /** The newest announcement of each source. */
  readonly sources: ReadonlyMap<string, BurnTip>;
  /** The highest canonical burn block. */
  readonly top: BurnTip | undefined;
};

/** Another Bitcoin branch has become canonical. */
export type BurnSwitch = {
  /** The last burn height that both branches share. */
  forkHeight: number;
  /** The burn blocks above it, lowest first; the block just announced is among them when it is new. */
  branch: readonly BurnNode[];
  /** Canonical burn blocks that lose their place. */
  replaced: readonly BurnNode[];
};

export type Announcement = { burn: BurnBlock; eventId: bigint; source: string };

/** What an announcement changes. */
export type BurnChange = {
  burnBranch: BurnBranch;
  /** Sources whose newest announcement has changed. */
  moved: readonly SourceTip[];
  /** The burn block where it is new. */
  node?: BurnNode;
  /** The burn block takes a free height of the canonical branch. */
  canonical?: boolean;
  burnSwitch?: BurnSwitch;
};

/** Canonical burn blocks that a decision needs; what is missing is named by `BurnLookUp`. */
export type BurnFacts = {
  /** Those at the height of the announcement, one below and one above. */
  burnNeighbours?: readonly BurnNode[];
  /** The height at which the branch leaves the canonical one, and the canonical blocks above it. */
  burnFork?: { forkHeight: number; above: readonly BurnNode[] };
};

export type BurnLookUp = { kind: 'burn_neighbours'; height: number } | { kind: 'burn_fork'; lowest: BurnNode };

const none = Buffer.alloc(0);

/** True when this burn block was announced and another one has taken its place. */
export const isReplaced = ({ replaced }: BurnBranch, hash: Uint8Array): boolean =>
  replaced.size > 0 && replaced.has(bareHex(hash));

/** True when the burn block with this consensus hash was announced and another one has taken its place. */
export const isReplacedView = ({ replacedViews }: BurnBranch, consensusHash: Uint8Array): boolean =>
  replacedViews.size > 0 && replacedViews.has(bareHex(consensusHash));

/** A branch with these replaced burn blocks. */
export const withReplaced = (
  burnBranch: Pick<BurnBranch, 'sources' | 'top'>,
  replaced: ReadonlyMap<string, BurnNode>,
): BurnBranch => ({
  ...burnBranch,
  replaced,
  replacedViews: new Set(
    [...replaced.values()].flatMap(({ consensusHash }) => (consensusHash.length > 0 ? [bareHex(consensusHash)] : [])),
  ),
});

/** Takes the next burn block of the canonical branch; undefined when the announcement may be anything else. */
export function extendBurnBranch(
  burnBranch: BurnBranch,
  { burn, eventId, source }: Announcement,
): BurnChange | undefined {
  const { top } = burnBranch;
  const { height, hash, parentHash, consensusHash } = burn;
  if (top && height <= top.height) return undefined;
  if (isReplaced(burnBranch, hash) || isReplaced(burnBranch, parentHash)) return undefined;
  if (newestOn(burnBranch, hash, source)) return undefined;
  const follows = top !== undefined && height === top.height + 1;
  if (follows && parentHash.length > 0 && !parentHash.equals(top.hash)) return undefined;
  const node = { hash, parent: follows ? top.hash : parentHash, height, eventId, source, consensusHash };
  const tip = { height, hash };
  return { ...moveSource(burnBranch, source, tip, tip), node, canonical: true };
}

/** Decides about an announcement that is not the next burn block; a look-up where facts are missing. */
export function announceBurnBlock(
  burnBranch: BurnBranch,
  { burn, eventId, source }: Announcement,
  facts: BurnFacts,
): BurnChange | BurnLookUp {
  const tip = { height: burn.height, hash: burn.hash };
  const before = burnBranch.sources.get(source);
  const replaced = burnBranch.replaced.get(bareHex(burn.hash));
  if (replaced) {
    if (replaced.source === source || replacedChain(burnBranch, before).includes(replaced))
      return { burnBranch, moved: [] };
    return followBest(burnBranch, source, tip, facts);
  }
  if (!facts.burnNeighbours) return { kind: 'burn_neighbours', height: burn.height };
  const at = (height: number) => facts.burnNeighbours?.find(node => node.height === height);
  if (at(burn.height)?.hash.equals(burn.hash)) {
    if (before && !isReplaced(burnBranch, before.hash) && before.height >= burn.height)
      return { burnBranch, moved: [] };
    return followBest(burnBranch, source, tip, facts);
  }
  // Nodes before release 3.1.0.0.9 name no parent: it is the block below on the branch that the node followed.
  const below = replacedChain(burnBranch, before).find(node => node.height === burn.height - 1) ?? at(burn.height - 1);
  const parent = burn.parentHash.length > 0 ? burn.parentHash : (below?.hash ?? none);
  const { hash, height, consensusHash } = burn;
  const node = { hash, parent, height, eventId, source, consensusHash };
  const isBelowCanonical = at(burn.height + 1)?.parent.equals(node.hash) ?? false;
  // It arrived late: its source has already announced blocks on it.
  const newest = isBelowCanonical ? undefined : newestOn(burnBranch, node.hash, source);
  if (!newest && fits(burnBranch, node, at)) {
    const top = !burnBranch.top || burnBranch.top.height < burn.height ? tip : burnBranch.top;
    const moves = !before || before.height < burn.height;
    return {
      ...(moves ? moveSource(burnBranch, source, tip, top) : { burnBranch: { ...burnBranch, top }, moved: [] }),
      node,
      canonical: true,
    };
  }
  const withNode = withReplaced(burnBranch, new Map(burnBranch.replaced).set(bareHex(node.hash), node));
  if (isBelowCanonical) {
    const moves = !before || before.height < burn.height || isReplaced(withNode, before.hash);
    const next = moves ? moveSource(withNode, source, tip, withNode.top) : { burnBranch: withNode, moved: [] };
    return withAnnounced(node, switchTo(next, node, facts, 'keep blocks above'));
  }
  if (replacedChain(withNode, before).includes(node)) return { burnBranch: withNode, moved: [], node };
  return withAnnounced(node, followBest(withNode, source, newest ?? tip, facts));
}

const withAnnounced = (node: BurnNode, change: BurnChange | BurnLookUp): BurnChange | BurnLookUp =>
  'kind' in change ? change : { ...change, node };

/** True when the height is free and neither neighbour contradicts: a message that came late, or after a gap. */
function fits(
  burnBranch: BurnBranch,
  { hash, parent, height }: BurnNode,
  at: (height: number) => BurnNode | undefined,
): boolean {
  if (isReplaced(burnBranch, parent) || at(height)) return false;
  const below = at(height - 1);
  const above = at(height + 1);
  if (below && parent.length > 0 && !below.hash.equals(parent)) return false;
  return !above || above.parent.length === 0 || above.parent.equals(hash);
}

/** The replaced blocks from a tip down to the canonical branch, highest first; none where the tip is canonical. */
function replacedChain({ replaced }: BurnBranch, tip: BurnTip | undefined): BurnNode[] {
  const chain: BurnNode[] = [];
  for (let node = tip && replaced.get(bareHex(tip.hash)); node; node = replaced.get(bareHex(node.parent))) {
    chain.push(node);
  }
  return chain;
}

function moveSource(burnBranch: BurnBranch, source: string, tip: BurnTip, top: BurnTip | undefined) {
  const sources = new Map(burnBranch.sources).set(source, tip);
  return { burnBranch: { ...burnBranch, sources, top }, moved: [{ source, ...tip }] };
}

/** Moves a source, and switches the branch when the best tip is not canonical. */
function followBest(before: BurnBranch, source: string, tip: BurnTip, facts: BurnFacts): BurnChange | BurnLookUp {
  const { burnBranch, moved } = moveSource(before, source, tip, before.top);
  let best = tip;
  for (const [name, other] of burnBranch.sources) {
    if (name !== source && !isNode(name)) continue;
    if (other.height > best.height) best = other;
    else if (other.height === best.height && !isReplaced(burnBranch, other.hash)) best = other;
  }
  const replaced = burnBranch.replaced.get(bareHex(best.hash));
  return replaced ? switchTo({ burnBranch, moved }, replaced, facts, 'replace blocks above') : { burnBranch, moved };
}

/** Makes a replaced block and those below it canonical; canonical blocks above it stay as its descendants, or are replaced. */
function switchTo(
  { burnBranch, moved }: Pick<BurnChange, 'burnBranch' | 'moved'>,
  tip: BurnNode,
  { burnFork }: BurnFacts,
  mode: 'keep blocks above' | 'replace blocks above',
): BurnChange | BurnLookUp {
  const chain = replacedChain(burnBranch, tip).reverse();
  if (!burnFork) return { kind: 'burn_fork', lowest: chain[0]! };
  const { forkHeight, above } = burnFork;
  const keeps = mode === 'keep blocks above';
  const kept = keeps ? above.filter(node => node.height > tip.height).sort((a, b) => a.height - b.height) : [];
  const lost = above.filter(node => !kept.includes(node));
  const branch = [...chain, ...kept];
  const replaced = new Map(burnBranch.replaced);
  for (const { hash } of branch) replaced.delete(bareHex(hash));
  for (const node of lost) replaced.set(bareHex(node.hash), node);
  const top = keeps ? burnBranch.top : { height: tip.height, hash: tip.hash };
  return {
    burnBranch: withReplaced({ ...burnBranch, top }, replaced),
    moved,
    burnSwitch: { forkHeight, branch, replaced: lost },
  };
}

/** The newest replaced block that a source has announced on this one, directly or through others. */
function newestOn({ replaced }: BurnBranch, hash: Buffer, source: string): BurnTip | undefined {
  if (replaced.size === 0) return undefined;
  let newest: BurnNode | undefined;
  for (let parent: Buffer | undefined = hash; parent; ) {
    const of: Buffer = parent;
    const children = [...replaced.values()].filter(node => node.source === source && node.parent.equals(of));
    const [child] = children.sort((a, b) => Number(b.eventId - a.eventId));
    newest = child ?? newest;
    parent = child?.hash;
  }
  return newest && { height: newest.height, hash: newest.hash };
}
