import { journalChannel } from '../chain/journal.ts';
import type { Pool, Reader } from '../db/client.ts';
import type { Log } from '../log.ts';
import { listRollbacks, type Rollback } from './change-queries.ts';
import { RepeatedRead } from './repeated-read.ts';
import { findTip, type Tip } from './tip-queries.ts';
import { TouchedPrincipals } from './touched-principals.ts';

/** The source of the versions of responses. */
export type TipSource = {
  /** Waits until the tip has, or once had, a height; false if it does not get there in time. Absent if tips are not followed. */
  reachHeight?(height: number, withinMs: number): Promise<boolean>;
  /** The tip as of now; undefined while the database cannot be read. */
  readonly current: Tip | undefined;
  /** Calls back after every change of the tip; the result ends it. Absent if tips are not followed. */
  watch?(callback: () => void): () => void;
  /** The rollbacks that still matter, oldest first; undefined if they are not followed. */
  readonly rollbacks?: readonly Rollback[] | undefined;
  /** The last step that touched each principal; undefined if steps are not followed. */
  readonly touched?: TouchedPrincipals | undefined;
};

export type TipCacheOptions = {
  /** Reads the tip, from the same server as the rows, so that no tip is announced before its rows. */
  sql: Pool;
  /** Receives the notifications of the fold; the primary, since replicas send none. */
  primary: Pool;
  log: Log;
  /** Runs the reads of one tip on one server; by default they run on `sql`. */
  read?: <T>(work: (sql: Reader) => Promise<T>) => Promise<T>;
  /** Called with each step that the fold announces. */
  onAnnounce?: (seq: number) => void;
  /** How often to read without a notification. */
  pollMs?: number;
};

/** How long a response waits for the tip to reach the step that it shows. */
const REACH_MS = 2000;
/** How often to look again for a step that was announced but is not here yet. */
const CHASE_MS = 25;
/** A replica that is further behind than this is polled at the default interval. */
const CHASE_FOR_MS = 5000;

/** Holds the tip: read again after each NOTIFY of the fold, and periodically in case a notification got lost. */
export class TipCache implements TipSource {
  readonly #options: TipCacheOptions;
  readonly touched = new TouchedPrincipals();
  #current: Tip | undefined;
  /** The last tip that was followed, and the steps back up to it. */
  #followed: Tip | undefined;
  #rollbacks: readonly Rollback[] = [];
  #newest = -1;
  /** The greatest height that was the tip's. */
  #peak = -1;
  #announced = 0;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #unlisten: (() => Promise<void>) | undefined;
  readonly #watchers = new Set<() => void>();

  readonly #reads = new RepeatedRead(
    () => this.#read(),
    () => this.#pauseMs(),
  );

  constructor(options: TipCacheOptions) {
    this.#options = options;
  }

  get current(): Tip | undefined {
    return this.#current;
  }

  get rollbacks(): readonly Rollback[] {
    return this.#rollbacks;
  }

  /** The step of the last tip that was read, also while the database cannot be read. */
  get newest(): number {
    return this.#newest;
  }

  /** Reads the tip once and goes on following it. */
  async start(): Promise<void> {
    const { primary } = this.#options;
    // The driver listens again by itself after a lost connection; what was missed meanwhile is read then.
    const listening = await primary.listen(
      journalChannel,
      seq => this.#hear(Number(seq)),
      () => void this.refresh(),
    );
    this.#unlisten = () => listening.unlisten();
    await this.refresh();
  }

  /** Reads the tip; calls that arrive meanwhile share the next read. */
  refresh(): Promise<void> {
    return this.#reads.request();
  }

  /** Calls back after every change of the tip; the result ends it. */
  watch(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => void this.#watchers.delete(callback);
  }

  /** Waits until the tip is at this step or a later one; false if it does not get there in time. */
  async reach(seq: number): Promise<boolean> {
    const end = performance.now() + REACH_MS;
    while (this.#newest < seq) {
      const leftMs = end - performance.now();
      if (this.#reads.stopped || leftMs <= 0) return false;
      // While the chain grows fast, a refresh does not end: each step requests the next read.
      const reached = this.#when(() => this.#newest >= seq, leftMs);
      await Promise.race([this.refresh(), reached.promise]).finally(reached.cancel);
      if (this.#current === undefined) return false;
    }
    return true;
  }

  /** Waits until the tip has, or once had, this height; false if it does not get there in time. */
  async reachHeight(height: number, withinMs: number): Promise<boolean> {
    const reached = this.#when(() => this.#peak >= height, withinMs);
    await reached.promise.finally(reached.cancel);
    return this.#peak >= height;
  }

  /** Resolves when a change of the tip fulfils the condition, or after the time. */
  #when(condition: () => boolean, withinMs: number): { promise: Promise<void>; cancel: () => void } {
    let cancel = () => {};
    const promise = new Promise<void>(resolve => {
      if (condition()) return resolve();
      const timer = setTimeout(resolve, withinMs);
      const unwatch = this.watch(() => condition() && resolve());
      cancel = () => {
        clearTimeout(timer);
        unwatch();
      };
    });
    return { promise, cancel };
  }

  /** The database has lost steps: what is known about them is not valid any more. */
  forget(): void {
    this.#followed = undefined;
    this.#current = undefined;
    this.#newest = -1;
  }

  async stop(): Promise<void> {
    this.#reads.stop();
    await this.#unlisten?.().catch(() => {});
    await this.#reads.settled();
  }

  #hear(seq: number): void {
    this.#options.onAnnounce?.(seq);
    this.#announced = seq;
    this.#announcedAt = performance.now();
    if (this.#announced > (this.#current?.seq ?? -1)) void this.refresh();
  }

  async #read(): Promise<void> {
    const before = this.#current?.seq;
    try {
      const { sql, read = work => work(sql) } = this.#options;
      const tip = await read(async reader => {
        const found = await findTip(reader);
        await this.#follow(reader, found);
        return found;
      });
      this.#current = tip;
      this.#newest = tip.seq;
      this.#peak = Math.max(this.#peak, tip.height);
    } catch (error) {
      if (this.#current) this.#options.log.warn({ err: error }, 'the tip cannot be read; will keep trying');
      this.#current = undefined;
    }
    if (this.#current?.seq !== before) for (const callback of this.#watchers) callback();
  }

  #pauseMs(): number {
    const fresh = performance.now() - this.#announcedAt < CHASE_FOR_MS;
    const behind = fresh && this.#current !== undefined && this.#announced > this.#current.seq;
    return behind ? CHASE_MS : (this.#options.pollMs ?? 1000);
  }

  /** Reads the changes since the last tip, before listeners get this one. */
  async #follow(sql: Reader, tip: Tip): Promise<void> {
    const before = this.#followed;
    if (before?.seq === tip.seq && before.revision === tip.revision) return;
    // Another database, or one that was restored: its journal may be another one.
    const known = before !== undefined && before.seq <= tip.seq && before.generation === tip.generation;
    const rollbacks =
      known && before.revision === tip.revision ? [] : await listRollbacks(sql, known ? before.seq : -1);
    await this.touched.follow(sql, before, tip);
    if (!known) this.#rollbacks = lowestSince(rollbacks);
    else if (rollbacks.length > 0) this.#rollbacks = lowestSince([...this.#rollbacks, ...rollbacks]);
    this.#followed = tip;
  }
}

/** The rollbacks that no later one went below: only these decide whether a block was removed since. */
function lowestSince(rollbacks: readonly Rollback[]): Rollback[] {
  const lowest: Rollback[] = [];
  for (const rollback of rollbacks) {
    while (lowest.length > 0 && lowest.at(-1)!.height >= rollback.height) lowest.pop();
    lowest.push(rollback);
  }
  return lowest;
}
