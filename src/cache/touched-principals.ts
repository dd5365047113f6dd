import { bareHex } from '@cairn-stacks/codec/hex';
import { journalKinds } from '../chain/journal.ts';
import type { Sql } from '../db/client.ts';
import { areAllKnown, listTouchedByBlocks, listTouchedByPending } from './change-queries.ts';
import { listSteps } from './journal-queries.ts';
import type { Tip } from './tip-queries.ts';

/** Maximum number of journal steps to follow one by one; beyond it, any principal may have been touched. */
const MAX_STEPS = 1_000;
/** Maximum number of cached principals; those that were touched longest ago are dropped first. */
const MAX_PRINCIPALS = 100_000;
/** Bytes of a transaction id. */
const ID = 32;

/** The last journal step that touched a principal, for the cached principals. */
class LastSteps {
  readonly #steps = new Map<string, number>();
  /** Principals that are not cached were not touched after this step. */
  #since = 0;

  forgetAll(since: number): void {
    this.#steps.clear();
    this.#since = since;
  }

  touch(name: string, step: number): void {
    this.#steps.delete(name);
    this.#steps.set(name, step);
    if (this.#steps.size <= MAX_PRINCIPALS) return;
    const [oldest, last] = this.#steps.entries().next().value!;
    this.#steps.delete(oldest);
    this.#since = Math.max(this.#since, last);
  }

  of(name: string): number {
    return Math.max(this.#steps.get(name) ?? 0, this.#since);
  }
}

/**
 * Follows the journal and caches which step touched which principal, so that a response about a principal can be confirmed
 * as current without a query.
 */
export class TouchedPrincipals {
  readonly #byChain = new LastSteps();
  readonly #byMempool = new LastSteps();

  /** The last step that may have changed responses about a principal, with or without pending transactions. */
  lastStep(name: Uint8Array, pending: boolean): number {
    const key = bareHex(name);
    const step = this.#byChain.of(key);
    return pending ? Math.max(step, this.#byMempool.of(key)) : step;
  }

  /** Reads the steps between two tips. */
  async follow(sql: Sql, before: Tip | undefined, now: Tip): Promise<void> {
    if (before?.seq === now.seq && before.revision === now.revision) return;
    const steps = before && isNext(before, now) ? await listSteps(sql, before.seq, MAX_STEPS) : [];
    const between = steps.filter(step => step.seq <= now.seq);
    // A step that is not followed, or that is not about principals, may have touched any principal.
    if (!before || between.at(-1)?.seq !== now.seq || between.some(step => !followed.has(step.kind))) {
      this.#byChain.forgetAll(now.seq);
      this.#byMempool.forgetAll(now.seq);
      return;
    }
    const { height } = before;
    const touched = now.height > height ? await listTouchedByBlocks(sql, height, now.height, MAX_PRINCIPALS + 1) : [];
    if (touched.length > MAX_PRINCIPALS) this.#byChain.forgetAll(now.seq);
    else for (const { name } of touched) this.#byChain.touch(bareHex(name), now.seq);
    const ids = between.flatMap(step => (step.tx_ids ? idsOf(step.tx_ids) : []));
    if (ids.length === 0) return;
    const pending = await listTouchedByPending(sql, ids);
    if (!(await areAllKnown(sql, ids))) return this.#byMempool.forgetAll(now.seq);
    for (const { name } of pending) this.#byMempool.touch(bareHex(name), now.seq);
  }
}

const followed: ReadonlySet<number> = new Set([
  journalKinds.apply,
  journalKinds.mempool,
  journalKinds.burnBlock,
  journalKinds.nonCanonicalBlock,
  journalKinds.signers,
]);

/** Whether one tip follows another by blocks and pending transactions alone; microblocks come and go with no step. */
const isNext = (before: Tip, now: Tip) =>
  before.revision === now.revision &&
  now.seq > before.seq &&
  now.seq - before.seq <= MAX_STEPS &&
  before.microblock === undefined;

const idsOf = (joined: Buffer) =>
  Array.from({ length: joined.length / ID }, (_, i) => joined.subarray(i * ID, (i + 1) * ID));
