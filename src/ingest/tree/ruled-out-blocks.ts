import { bareHex } from '../../codec/hex.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { BurnView } from './burn-view.ts';

/** A block as far as this rule needs it. */
type Candidate = { indexHash: Uint8Array; parentIndexHash: Uint8Array; burnHash: Uint8Array };

type TreeRow = { index_hash: Buffer; parent: Buffer; height: number; burn_hash: Buffer; ruled_out: boolean };

/**
 * Blocks that cannot be canonical: their burn block was announced and later replaced, or they stand on such a block. Hashes
 * decide, never heights; a burn block that nobody announced is no evidence.
 */
export class RuledOutBlocks {
  readonly #sql: Sql;
  readonly #burnView: BurnView;
  /** Only branches that a Bitcoin fork left behind are in here. */
  readonly #hashes: Set<string>;

  private constructor(sql: Sql, burnView: BurnView, hashes: Set<string>) {
    this.#sql = sql;
    this.#burnView = burnView;
    this.#hashes = hashes;
  }

  static async load(sql: Sql, burnView: BurnView): Promise<RuledOutBlocks> {
    const rows = await sql<{ index_hash: Buffer }[]>`select t.index_hash from block_tree t where t.ruled_out`;
    return new RuledOutBlocks(sql, burnView, new Set(rows.map(row => bareHex(row.index_hash))));
  }

  has(indexHash: Uint8Array): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(bareHex(indexHash));
  }

  /** Whether a block that is about to enter the tree is ruled out. */
  rulesOut({ burnHash, parentIndexHash }: Omit<Candidate, 'indexHash'>): boolean {
    return this.#burnView.isReplaced(burnHash) || this.has(parentIndexHash);
  }

  /** Remembers those of new blocks that are ruled out, parents first, and gives them back. */
  add<Block extends Candidate>(blocks: readonly Block[]): Block[] {
    return blocks.filter(block => {
      const ruledOut = this.rulesOut(block);
      if (ruledOut) this.#hashes.add(bareHex(block.indexHash));
      return ruledOut;
    });
  }

  /** Judges the tree anew after burn blocks were replaced or came back; gives the statement that stores what changed. */
  async judgeAgain(burnHashes: readonly Buffer[]): Promise<(flush: Flush) => void> {
    const changed: { hash: Buffer; ruledOut: boolean }[] = [];
    for (const row of await this.#aboveFirst(burnHashes)) {
      const ruledOut = this.rulesOut({ burnHash: row.burn_hash, parentIndexHash: row.parent });
      if (ruledOut) this.#hashes.add(bareHex(row.index_hash));
      else this.#hashes.delete(bareHex(row.index_hash));
      if (ruledOut !== row.ruled_out) changed.push({ hash: row.index_hash, ruledOut });
    }
    return flush => {
      for (const ruledOut of [true, false]) {
        const hashes = changed.filter(block => block.ruledOut === ruledOut).map(block => block.hash);
        if (hashes.length === 0) continue;
        flush.query('update block_tree set ruled_out = $1::bool where index_hash = any ($2::bytea[])', [
          String(ruledOut),
          arrayLiteral(hashes),
        ]);
      }
    };
  }

  /** Every connected block from the lowest one of these burn blocks on, parents first. */
  async #aboveFirst(burnHashes: readonly Buffer[]): Promise<TreeRow[]> {
    return await this.#sql<TreeRow[]>`
      select t.index_hash, t.parent, t.height, t.burn_hash, t.ruled_out
      from block_tree t
      where not t.parked and t.height >= (
        select min(f.height)
        from unnest(${arrayLiteral(burnHashes)}::bytea[]) as u (hash)
        join block_tree f on substring(f.burn_hash from 1 for 8) = substring(u.hash from 1 for 8) and f.burn_hash = u.hash
        where not f.parked
      )
      order by t.height
    `;
  }
}
