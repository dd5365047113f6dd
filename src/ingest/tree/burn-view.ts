import { bareHex } from '../../codec/hex.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Table } from '../../db/table.ts';
import type { BurnBlock } from '../../node/messages.ts';
import { isNode } from './burn-source.ts';

export const burnTreeTable: Table = {
  name: 'burn_tree',
  columns: { hash: 'bytea', parent: 'bytea', event_id: 'int8', height: 'int4', canonical: 'bool', source: 'text' },
};

/** A burn block as far as the choice between Bitcoin branches needs it. */
export type BurnNode = { hash: Buffer; parent: Buffer; height: number; eventId: bigint; source: string };

type BurnTip = { height: number; hash: Buffer };

/** The newest announcement of a source. */
export type SourceTip = BurnTip & { source: string };

/** Another Bitcoin branch has become the one to follow. */
export type BurnSwitch = {
  /** The last burn height that both branches share. */
  forkHeight: number;
  /** The burn blocks above it, lowest first; the block just announced is among them when it is new. */
  branch: BurnNode[];
  /** Canonical burn blocks that lose their place. */
  replaced: BurnNode[];
};

/** What an announcement means. */
export type BurnChange =
  /** Known already: at most the tip of its source has moved. */
  | { kind: 'known'; burnSwitch?: BurnSwitch }
  /** It takes a free height of the canonical branch. */
  | { kind: 'fits'; node: BurnNode }
  /** It stands beside the canonical branch, or the tables switch to its branch. */
  | { kind: 'fork'; node: BurnNode; burnSwitch?: BurnSwitch };

const none = Buffer.alloc(0);

/**
 * Which Bitcoin branch the nodes follow, decided by their announcements alone, in the order of the log.
 *
 * Within one source the newest announcement wins: a node announces the blocks of a new branch one by one, lowest first, and has
 * left the old branch with the first of them. Between nodes that disagree the taller branch wins. A repetition changes
 * nothing, and neither does a block that came later than its child, but for its own place. A child of a replaced block brings its
 * branch back.
 */
export class BurnView {
  readonly #sql: Sql;
  /** Announced burn blocks that are not canonical; Bitcoin forks are rare, so there are few. */
  readonly #replaced = new Map<string, BurnNode>();
  /** The newest announcement of each source. */
  readonly #sources = new Map<string, BurnTip>();
  readonly #moved = new Set<string>();
  #top: BurnTip | undefined;

  private constructor(sql: Sql) {
    this.#sql = sql;
  }

  static async load(sql: Sql): Promise<BurnView> {
    const view = new BurnView(sql);
    for (const row of await sql<BurnNodeRow[]>`
      select t.hash, t.parent, t.event_id, t.height, t.source from burn_tree t where not t.canonical
    `) {
      view.#replaced.set(bareHex(row.hash), fromRow(row));
    }
    for (const { source, height, hash } of await sql<SourceTip[]>`
      select s.source, s.height, s.hash from burn_sources s
    `) {
      view.#sources.set(source, { height, hash });
    }
    [view.#top] = await sql<BurnTip[]>`
      select t.height, t.hash from burn_tree t where t.canonical order by t.height desc limit 1
    `;
    return view;
  }

  /** True when this burn block was announced and another one has taken its place. */
  isReplaced(hash: Uint8Array): boolean {
    return this.#replaced.size > 0 && this.#replaced.has(bareHex(hash));
  }

  /** Takes the next burn block of the canonical branch without a query; undefined when it may be anything else. */
  extend(burn: BurnBlock, eventId: bigint, source: string): BurnNode | undefined {
    const top = this.#top;
    const { height, parentHash } = burn;
    if (top && height <= top.height) return undefined;
    if (this.isReplaced(burn.hash) || this.isReplaced(parentHash)) return undefined;
    if (this.#newestOn(burn.hash, source)) return undefined;
    const follows = top !== undefined && height === top.height + 1;
    if (follows && parentHash.length > 0 && !parentHash.equals(top.hash)) return undefined;
    const parent = follows ? top.hash : parentHash;
    this.#top = { height, hash: burn.hash };
    this.#setTip(source, this.#top);
    return { hash: burn.hash, parent, height, eventId, source };
  }

  /** Decides about an announcement that `extend` declined. */
  async announce(burn: BurnBlock, eventId: bigint, source: string): Promise<BurnChange> {
    const tip = { height: burn.height, hash: burn.hash };
    const replaced = this.#replaced.get(bareHex(burn.hash));
    if (replaced) {
      if (replaced.source === source || this.#isBelowTip(replaced, source)) return { kind: 'known' };
      return { kind: 'known', ...(await this.#moveSource(source, tip)) };
    }
    if ((await this.#canonicalHash(burn.height))?.equals(burn.hash)) {
      const before = this.#sources.get(source);
      if (before && !this.isReplaced(before.hash) && before.height >= burn.height) return { kind: 'known' };
      return { kind: 'known', ...(await this.#moveSource(source, tip)) };
    }
    const parent = burn.parentHash.length > 0 ? burn.parentHash : await this.#parentOn(source, burn.height);
    const node = { hash: burn.hash, parent, height: burn.height, eventId, source };
    const above = await this.#canonicalOn(node);
    // It came late: its source has told what stands on it.
    const newest = above.length > 0 ? undefined : this.#newestOn(node.hash, source);
    if (!newest && (await this.#fits(node))) {
      const before = this.#sources.get(source);
      if (!before || before.height < burn.height) this.#setTip(source, tip);
      if (!this.#top || this.#top.height < burn.height) this.#top = tip;
      return { kind: 'fits', node };
    }
    this.#replaced.set(bareHex(node.hash), node);
    if (above.length > 0) {
      const before = this.#sources.get(source);
      if (!before || before.height < burn.height || this.isReplaced(before.hash)) this.#setTip(source, tip);
      return { kind: 'fork', node, burnSwitch: await this.#switchTo(node, above) };
    }
    if (this.#isBelowTip(node, source)) return { kind: 'fork', node };
    return { kind: 'fork', node, ...(await this.#moveSource(source, newest ?? tip)) };
  }

  /** Sources whose newest announcement has changed since the last call; the next transaction stores them. */
  takeMovedSources(): SourceTip[] {
    const moved = [...this.#moved].map(source => ({ source, ...this.#sources.get(source)! }));
    this.#moved.clear();
    return moved;
  }

  #setTip(source: string, tip: BurnTip): void {
    this.#sources.set(source, tip);
    this.#moved.add(source);
  }

  /** The canonical hash at a height. */
  async #canonicalHash(height: number): Promise<Buffer | undefined> {
    const [row] = await this.#sql<{ hash: Buffer }[]>`
      select t.hash from burn_tree t where t.canonical and t.height = ${height}
    `;
    return row?.hash;
  }

  /** Nodes before release 3.1.0.0.9 name no parent: it is the block below on the branch that the node followed. */
  async #parentOn(source: string, height: number): Promise<Buffer> {
    const tip = this.#sources.get(source);
    for (
      let node = tip && this.#replaced.get(bareHex(tip.hash));
      node;
      node = this.#replaced.get(bareHex(node.parent))
    ) {
      if (node.height === height - 1) return node.hash;
    }
    return (await this.#canonicalHash(height - 1)) ?? none;
  }

  /** True when the height is free and neither neighbour contradicts: a message that came late, or after a gap. */
  async #fits({ hash, parent, height }: BurnNode): Promise<boolean> {
    if (this.isReplaced(parent)) return false;
    const rows = await this.#sql<{ height: number; hash: Buffer; parent: Buffer }[]>`
      select t.height, t.hash, t.parent from burn_tree t
      where t.canonical and t.height between ${height - 1} and ${height + 1}
    `;
    const at = (wanted: number) => rows.find(row => row.height === wanted);
    if (at(height)) return false;
    const below = at(height - 1);
    const above = at(height + 1);
    if (below && parent.length > 0 && !below.hash.equals(parent)) return false;
    return !above || above.parent.length === 0 || above.parent.equals(hash);
  }

  /** The canonical blocks above one that came late, lowest first: the lowest names it as its parent. Else none. */
  async #canonicalOn({ hash, height }: BurnNode): Promise<BurnNode[]> {
    const rows = await this.#sql<BurnNodeRow[]>`
      select t.hash, t.parent, t.event_id, t.height, t.source
      from burn_tree t
      where t.canonical and t.height > ${height} and exists (
        select 1 from burn_tree c where c.canonical and c.height = ${height + 1} and c.parent = ${hash}
      )
      order by t.height
    `;
    return rows.map(fromRow);
  }

  /** The newest replaced block that a source has announced on this one, itself or through others. */
  #newestOn(hash: Buffer, source: string): BurnTip | undefined {
    let newest: BurnNode | undefined;
    for (let on: Buffer | undefined = hash; on; ) {
      const parent: Buffer = on;
      const children = [...this.#replaced.values()].filter(b => b.source === source && b.parent.equals(parent));
      const [child] = children.sort((a, b) => Number(b.eventId - a.eventId));
      newest = child ?? newest;
      on = child?.hash;
    }
    return newest && { height: newest.height, hash: newest.hash };
  }

  /** True when the tip of a source stands on this replaced block. */
  #isBelowTip(block: BurnNode, source: string): boolean {
    const tip = this.#sources.get(source);
    for (
      let node = tip && this.#replaced.get(bareHex(tip.hash));
      node;
      node = this.#replaced.get(bareHex(node.parent))
    ) {
      if (node === block) return true;
    }
    return false;
  }

  /** Moves a source and switches the branch when the best tip is no longer canonical. */
  async #moveSource(source: string, tip: BurnTip): Promise<{ burnSwitch?: BurnSwitch }> {
    this.#setTip(source, tip);
    let best = tip;
    for (const [name, other] of this.#sources) {
      if (name !== source && !isNode(name)) continue;
      if (other.height > best.height) best = other;
      else if (other.height === best.height && !this.isReplaced(other.hash)) best = other;
    }
    const left = this.#replaced.get(bareHex(best.hash));
    return left ? { burnSwitch: await this.#switchTo(left, []) } : {};
  }

  /** Makes a replaced block and what it stands on canonical again; `above` are canonical blocks that stand on it and stay. */
  async #switchTo(tip: BurnNode, above: readonly BurnNode[]): Promise<BurnSwitch> {
    const branch = [...above];
    let lowest = tip;
    for (let node: BurnNode | undefined = tip; node; node = this.#replaced.get(bareHex(node.parent))) {
      branch.unshift(node);
      lowest = node;
    }
    const [shared] = await this.#sql<{ height: number }[]>`
      select t.height from burn_tree t where t.canonical and t.hash = ${lowest.parent}
    `;
    // A parent that was never announced contradicts whatever stands at its height.
    const forkHeight = shared?.height ?? lowest.height - (lowest.parent.length > 0 ? 2 : 1);
    const rows = await this.#sql<BurnNodeRow[]>`
      select t.hash, t.parent, t.event_id, t.height, t.source
      from burn_tree t
      where t.canonical and t.height > ${forkHeight}
    `;
    const replaced = rows.map(fromRow).filter(({ hash }) => !above.some(block => block.hash.equals(hash)));
    for (const { hash } of branch) this.#replaced.delete(bareHex(hash));
    for (const block of replaced) this.#replaced.set(bareHex(block.hash), block);
    if (above.length === 0) this.#top = { height: tip.height, hash: tip.hash };
    return { forkHeight, branch, replaced };
  }
}

type BurnNodeRow = { hash: Buffer; parent: Buffer; event_id: bigint; height: number; source: string };

const fromRow = ({ hash, parent, event_id, height, source }: BurnNodeRow): BurnNode => ({
  hash,
  parent,
  height,
  eventId: event_id,
  source,
});

/** Adds the statement that stores the newest announcements of sources. */
export function storeSourceTips(flush: Flush, tips: readonly SourceTip[]): void {
  if (tips.length === 0) return;
  flush.query(
    `insert into burn_sources (source, height, hash)
     select * from unnest($1::text[], $2::int[], $3::bytea[])
     on conflict (source) do update set height = excluded.height, hash = excluded.hash`,
    [
      arrayLiteral(tips.map(tip => tip.source)),
      arrayLiteral(tips.map(tip => tip.height)),
      arrayLiteral(tips.map(tip => tip.hash)),
    ],
  );
}
