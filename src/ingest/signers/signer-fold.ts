import type { Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Step } from '../fold/plan.ts';
import { SignerRows } from './signer-rows.ts';
import { countBlocks, storeRows } from './signer-statements.ts';

/** Steps after which a change is no longer announced. */
const storedChanges = 10_000;

/** A range of heights, both included. */
export type Heights = { from: number; to: number };

/** Writes the tables of signer metrics; it costs nothing where no message of a signer has arrived. */
export class SignerFold {
  /** Proposals may be stored, so that blocks are counted. */
  #active: boolean;

  private constructor(active: boolean) {
    this.#active = active;
  }

  static async open(sql: Sql): Promise<SignerFold> {
    const rows = await sql`select 1 from signer_proposals limit 1`;
    return new SignerFold(rows.length > 0);
  }

  /** Adds the statement for blocks that are removed next, while they are still in the table. */
  removeBlocks(flush: Flush, fork: number, tip: number): void {
    if (this.#active && tip > fork) countBlocks(flush, fork + 1, tip, 'removed');
  }

  /** Adds the statements for new blocks, which are in the table by now, then those for messages of signers. */
  write(flush: Flush, steps: readonly Step[], blocks: Heights | undefined, seq: bigint): void {
    if (this.#active && blocks) countBlocks(flush, blocks.from, blocks.to, 'added');
    const rows = new SignerRows();
    for (const step of steps) {
      if (step.kind === 'signer_messages') rows.add(step.records, step.event.at.getTime());
    }
    if (rows.size === 0) return;
    this.#active = true;
    storeRows(flush, rows.sets, seq);
    if (seq > 0n) flush.query('delete from signer_changes c where c.seq < $1::bigint', [seq - BigInt(storedChanges)]);
  }
}
