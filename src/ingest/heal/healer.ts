import type { Pool } from '../../db/client.ts';
import type { NodeRpc } from '../../node/rpc.ts';
import { Pause } from '../../pause.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import type { EventLog } from '../log/event-log.ts';
import { GapFiller } from './gap-filler.ts';
import { type NodeTip, NodeTips } from './node-tips.ts';

export type HealerOptions = {
  sql: Pool;
  events: Pick<EventLog, 'append'>;
  /** Nodes to fetch from, best first, closed at the end; those whose secret is not known refuse. */
  nodes: readonly NodeRpc[];
  log: FoldLog;
  /** How often to look for gaps. */
  everyMs?: number;
  /** How long a block may be missing before it is fetched from a node: its event may only be late. */
  patienceMs?: number;
  /** Tips of healthy nodes that were not received; without it only missing ancestors are fetched. */
  tips?: () => readonly NodeTip[];
  /** How long the tip of a node may be missing before it is fetched. */
  tipPatienceMs?: number;
};

const longestPauseMs = 300_000;

/** A missing block: when to fetch it next, and how often that failed. */
type Gap = { dueAt: number; failures: number };

/** Fetches blocks from nodes and appends them to the log like events: those that parked ones wait for, and tips of nodes. */
export class Healer {
  readonly #options: HealerOptions;
  readonly #gaps = new Map<string, Gap>();
  readonly #pause = new Pause();
  readonly #filler: GapFiller;
  readonly #tips: NodeTips;
  /** The tips that must be fetched; they share one entry, because a node gets a new tip every few seconds. */
  #tipGap: Gap = { dueAt: 0, failures: 0 };
  #loop: Promise<void> | undefined;
  #lastReason = '';

  constructor(options: HealerOptions) {
    this.#options = options;
    const { sql, events, nodes, tips = () => [], tipPatienceMs = 3_000 } = options;
    this.#tips = new NodeTips(sql, tips, tipPatienceMs);
    this.#filler = new GapFiller({ sql, events, nodes, pause: this.#pause });
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Ends calls under way: a node may think about a block for a minute. */
  async stop(): Promise<void> {
    this.#pause.end();
    await Promise.all(this.#options.nodes.map(node => node.close()));
    await this.#loop;
  }

  /** True while the tip of a node could not be fetched. */
  get tipFailed(): boolean {
    return this.#tipGap.failures > 0;
  }

  async #run(): Promise<void> {
    const { everyMs = 1_000 } = this.#options;
    while (!this.#pause.over) {
      try {
        await this.#heal(everyMs);
        await this.#fetchTips();
      } catch (error) {
        this.#logOnce((error as Error).message, 'cannot look for missing blocks; it is tried again');
      }
      await this.#pause.for(everyMs);
    }
  }

  /** Fetches every block that has been missing for a while; one that no node has is tried less and less often. */
  async #heal(everyMs: number): Promise<void> {
    const { patienceMs = 10_000 } = this.#options;
    const missing = await this.#missing();
    for (const hash of this.#gaps.keys()) if (!missing.includes(hash)) this.#gaps.delete(hash);
    for (const hash of missing) {
      const gap = this.#gaps.get(hash) ?? { dueAt: performance.now() + patienceMs, failures: 0 };
      this.#gaps.set(hash, gap);
      if (this.#pause.over || performance.now() < gap.dueAt) continue;
      await this.#fill(hash, gap);
      // Fetched blocks must be folded first; missing ones may be available later.
      gap.dueAt = performance.now() + Math.max(pauseAfter(gap, 5 * everyMs), patienceMs);
    }
  }

  /** Fetches what nodes have at their tips and did not post, with the blocks below. */
  async #fetchTips(): Promise<void> {
    const gap = this.#tipGap;
    const due = await this.#tips.listDue();
    if (due.length === 0) gap.failures = 0;
    for (const { id } of due) {
      if (this.#pause.over || performance.now() < gap.dueAt) return;
      await this.#fill(id, gap);
      gap.dueAt = performance.now() + (gap.failures === 0 ? 0 : pauseAfter(gap, 5_000));
    }
  }

  async #fill(hash: string, gap: Gap): Promise<void> {
    try {
      const { blocks, incomplete } = await this.#filler.fill(hash);
      gap.failures = 0;
      if (blocks > 0) this.#logHealed(blocks, incomplete);
    } catch (error) {
      if (this.#pause.over) return;
      if (gap.failures++ === 0) this.#logOnce((error as Error).message, cannotBeHad);
    }
  }

  /** Parents of parked blocks that are not in the tree, the lowest first: facts about a block come from the blocks below it. */
  async #missing(): Promise<string[]> {
    const { sql } = this.#options;
    const rows = await sql<{ parent: Buffer }[]>`
      select t.parent
      from block_tree t
      where t.parked and not exists (select 1 from block_tree p where p.index_hash = t.parent)
      group by t.parent
      order by max(t.height) desc
      limit 200
    `;
    return rows.map(({ parent }) => parent.toString('hex')).reverse();
  }

  #logHealed(blocks: number, incomplete: number): void {
    const { log } = this.#options;
    if (incomplete === 0) log.info({ blocks }, 'a gap in the log was filled from a node');
    else log.warn({ blocks, incomplete }, 'a gap in the log was filled from a node, with some facts unknown');
  }

  #logOnce(reason: string, message: string): void {
    if (reason === this.#lastReason) return;
    this.#lastReason = reason;
    this.#options.log.warn({ reason }, message);
  }
}

/** How long to wait after a number of failures. */
const pauseAfter = ({ failures }: Gap, firstMs: number) =>
  Math.min(firstMs * 2 ** Math.min(failures, 6), longestPauseMs);

const cannotBeHad =
  'blocks are missing and could not be fetched from a node; blocks of epochs 2.x cannot be fetched: replay an archive';
