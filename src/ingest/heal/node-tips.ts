import type { Pool } from '../../db/client.ts';

/** The tip of a healthy node that Cairn has not received. */
export type NodeTip = {
  /** The index hash, as bare hex. */
  id: string;
  height: number;
  /** Since when the node has had such tips, in milliseconds of the clock. */
  missingSince: number;
};

/** Blocks above the highest known one that can be fetched; a longer gap needs an archive of events. */
const MAX_ABOVE = 100_000;

type Standing = { folded: bigint; logged: bigint; height: number; top_height: number; top_event: bigint };

/**
 * Tells which tips of nodes must be fetched. A tip may only be late: it is fetched when it has been missing for a while, the
 * fold has seen all that was logged before, and no other blocks arrive that lead to it.
 */
export class NodeTips {
  readonly #sql: Pool;
  readonly #tips: () => readonly NodeTip[];
  readonly #patienceMs: number;
  /** The head of the log when a tip was first missing. */
  #logged = new Map<string, bigint>();
  #top = { event: -1n, since: Date.now() };

  constructor(sql: Pool, tips: () => readonly NodeTip[], patienceMs: number) {
    this.#sql = sql;
    this.#tips = tips;
    this.#patienceMs = patienceMs;
  }

  /** The ids of the tips that must be fetched, the lowest first. */
  async listDue(): Promise<NodeTip[]> {
    const tips = this.#tips();
    if (tips.length === 0) {
      this.#logged.clear();
      return [];
    }
    const standing = await this.#findStanding();
    // Without a chain there is nothing that a tip could be connected with.
    if (!standing) return [];
    if (standing.top_event !== this.#top.event) this.#top = { event: standing.top_event, since: Date.now() };
    this.#logged = new Map(tips.map(({ id }) => [id, this.#logged.get(id) ?? standing.logged]));
    const unknown = await this.#listUnknown(tips);
    return unknown.filter(tip => this.#isDue(tip, standing)).sort((a, b) => a.height - b.height);
  }

  #isDue({ id, height, missingSince }: NodeTip, { folded, top_height }: Standing): boolean {
    const now = Date.now();
    if (now - missingSince < this.#patienceMs || folded < this.#logged.get(id)!) return false;
    if (height - top_height > MAX_ABOVE) return false;
    return height <= top_height || now - this.#top.since >= this.#patienceMs;
  }

  async #findStanding(): Promise<Standing | undefined> {
    const [row] = await this.#sql<Standing[]>`
      select p.event_id as folded, h.last_id as logged, p.height, top.height as top_height, top.event_id as top_event
      from fold_position p
      cross join event_log_head h
      cross join lateral (
        select t.height, t.event_id
        from block_tree t
        where not t.parked
        order by t.height desc, t.event_id desc
        limit 1
      ) top
      where p.height >= 1
    `;
    return row;
  }

  /** The comparison with the nodes is some seconds old: a tip may have arrived meanwhile. */
  async #listUnknown(tips: readonly NodeTip[]): Promise<NodeTip[]> {
    const rows = await this.#sql<{ index_hash: Buffer }[]>`
      select t.index_hash
      from unnest(${tips.map(({ id }) => id)}::text[]) as u (hex)
      join block_tree t on t.index_hash = decode(u.hex, 'hex')
    `;
    const known = new Set(rows.map(({ index_hash }) => index_hash.toString('hex')));
    return tips.filter(({ id }) => !known.has(id));
  }
}
