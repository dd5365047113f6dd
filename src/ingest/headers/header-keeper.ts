import { encodeNakamotoHeader, type NakamotoHeader } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { Pool } from '../../db/client.ts';
import { Pause } from '../../pause.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import {
  type BlockPlace,
  findBlockAt,
  findTip,
  listBlocksWithoutHeader,
  removeHeadersBelow,
  storeHeaders,
} from './header-rows.ts';

export type HeaderKeeperOptions = {
  sql: Pool;
  /** The header of a block from a node, which its id proves; undefined if every node responds without it. */
  readHeader: (id: string) => Promise<NakamotoHeader | undefined>;
  /** Number of newest blocks whose headers are kept. */
  keep: number;
  log: FoldLog;
  /** Milliseconds between two looks when there is nothing to do, and the first after a failure. */
  everyMs?: number;
};

/** Blocks that one look is about: what is read and stored at once stays small. */
const WINDOW = 50;
const LONGEST_PAUSE_MS = 300_000;

/** Heights of the canonical chain that were looked at, up to the block `top`. */
type Range = { from: number; top: BlockPlace };

/**
 * Reads the headers of the newest blocks from nodes, after the blocks are folded, and stores them: new blocks first, then older
 * ones. It asks for one block at a time and rests as long as that took. After a fork it looks again at all.
 */
export class HeaderKeeper {
  readonly #options: Required<HeaderKeeperOptions>;
  readonly #pause = new Pause();
  #range: Range | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: HeaderKeeperOptions) {
    this.#options = { everyMs: 1_000, ...options };
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#pause.end();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { everyMs, log } = this.#options;
    let failures = 0;
    while (!this.#pause.over) {
      try {
        const found = await this.#look();
        failures = 0;
        if (!found) await this.#pause.for(everyMs);
      } catch (error) {
        if (this.#pause.over) return;
        const reason = (error as Error).message;
        if (failures++ === 0)
          log.warn({ reason }, 'headers of blocks cannot be read from the nodes; it is tried again');
        await this.#pause.for(Math.min(everyMs * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS));
      }
    }
  }

  /** Looks at the next few blocks; false if all were looked at. */
  async #look(): Promise<boolean> {
    const { sql, keep } = this.#options;
    const tip = await findTip(sql);
    if (!tip) return false;
    const lowest = Math.max(1, tip.height - keep + 1);
    const range = await this.#rangeOn(tip);
    if (range.top.height < tip.height) {
      const to = Math.min(tip.height, range.top.height + WINDOW);
      // Before the blocks below it are listed: if a fork comes between, the next look finds this one gone.
      const top = await findBlockAt(sql, to);
      if (!top) return false;
      await this.#fill(range.top.height + 1, to);
      range.top = top;
      await removeHeadersBelow(sql, lowest);
      return true;
    }
    if (range.from <= lowest) return false;
    const from = Math.max(lowest, range.from - WINDOW);
    await this.#fill(from, range.from - 1);
    range.from = from;
    return true;
  }

  /** What was looked at on this chain; nothing at first and after a fork, when what is stored is only passed by. */
  async #rangeOn(tip: BlockPlace): Promise<Range> {
    const range = this.#range;
    const known = range && (await findBlockAt(this.#options.sql, range.top.height));
    if (range && known?.index_hash.equals(range.top.index_hash)) return range;
    this.#range = { from: tip.height + 1, top: tip };
    return this.#range;
  }

  /** Stores the missing headers of some heights; also those read before one cannot be read. */
  async #fill(from: number, to: number): Promise<void> {
    const { sql, readHeader } = this.#options;
    const rows: (BlockPlace & { header: Uint8Array })[] = [];
    try {
      for (const block of await listBlocksWithoutHeader(sql, from, to)) {
        const startedAt = performance.now();
        const header = await readHeader(bareHex(block.index_hash));
        if (header) rows.push({ ...block, header: encodeNakamotoHeader(header) });
        await this.#pause.for(performance.now() - startedAt);
        if (this.#pause.over) throw new Error('stopped');
      }
    } finally {
      if (rows.length > 0) await storeHeaders(sql, rows);
    }
  }
}
