import type { Pool } from '../../db/client.ts';
import type { NodeRpc } from '../../node/rpc.ts';
import { Pause } from '../../pause.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import type { EventLog } from '../log/event-log.ts';
import { GapFiller } from './gap-filler.ts';

export type HealerOptions = {
  sql: Pool;
  events: Pick<EventLog, 'append'>;
  /** Nodes to ask, best first, and to close at the end; those whose secret is not known refuse. */
  nodes: readonly NodeRpc[];
  log: FoldLog;
  /** How often to look for gaps. */
  everyMs?: number;
  /** How long a block may be waited for before it is asked of a node: its event may only be late. */
  patienceMs?: number;
};

const longestPauseMs = 300_000;

/** A block that is missing: when to ask for it next, and how often that was in vain. */
type Gap = { dueAt: number; failures: number };

/** Asks nodes for blocks that parked ones wait for, and puts them into the log as if their events had come. */
export class Healer {
  readonly #options: HealerOptions;
  readonly #gaps = new Map<string, Gap>();
  readonly #pause = new Pause();
  readonly #filler: GapFiller;
  #loop: Promise<void> | undefined;
  #complaint = '';

  constructor(options: HealerOptions) {
    this.#options = options;
    const { sql, events, nodes } = options;
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

  async #run(): Promise<void> {
    const { everyMs = 5_000 } = this.#options;
    while (!this.#pause.over) {
      try {
        await this.#heal(everyMs);
      } catch (error) {
        this.#complain((error as Error).message, 'cannot look for missing blocks; it is tried again');
      }
      await this.#pause.for(everyMs);
    }
  }

  /** Asks for every block that has been missing for a while; one that nobody has is asked for more and more rarely. */
  async #heal(everyMs: number): Promise<void> {
    const { patienceMs = 10_000 } = this.#options;
    const missing = await this.#missing();
    for (const hash of this.#gaps.keys()) if (!missing.includes(hash)) this.#gaps.delete(hash);
    for (const hash of missing) {
      const gap = this.#gaps.get(hash) ?? { dueAt: performance.now() + patienceMs, failures: 0 };
      this.#gaps.set(hash, gap);
      if (this.#pause.over || performance.now() < gap.dueAt) continue;
      try {
        const { blocks, incomplete } = await this.#filler.fill(hash);
        if (blocks > 0) this.#tell(blocks, incomplete);
      } catch (error) {
        if (this.#pause.over) return;
        if (gap.failures++ === 0) this.#complain((error as Error).message, cannotBeHad);
      }
      // What was found has to be folded first; what was not may be there later.
      const pauseMs = Math.min(everyMs * 2 ** Math.min(gap.failures, 6), longestPauseMs);
      gap.dueAt = performance.now() + Math.max(pauseMs, patienceMs);
    }
  }

  /** Parents of parked blocks that the tree has not, the lowest first: what stands above them is told by what is below. */
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

  #tell(blocks: number, incomplete: number): void {
    const { log } = this.#options;
    if (incomplete === 0) log.info({ blocks }, 'a gap in the log was filled from a node');
    else log.warn({ blocks, incomplete }, 'a gap in the log was filled from a node, but not all of it could be known');
  }

  #complain(reason: string, message: string): void {
    if (reason === this.#complaint) return;
    this.#complaint = reason;
    this.#options.log.warn({ reason }, message);
  }
}

const cannotBeHad =
  'blocks are missing and could not be asked of a node; those of epochs 2.x cannot be had this way: replay an archive';
