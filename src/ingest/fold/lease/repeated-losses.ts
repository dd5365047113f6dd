import type { FoldLog } from '../fold-log.ts';
import type { LeaseLoss } from './lease-loss.ts';

/** So many losses in a row at one event are no accident. */
const suspicious = 3;

/** Tells the operator of lost locks and databases, and names the event at which the same loss comes again and again. */
export class RepeatedLosses {
  readonly #log: FoldLog;
  #last = { what: '', event: 0n, times: 0 };

  constructor(log: FoldLog) {
    this.#log = log;
  }

  /** The lock was lost while this event was in hand. */
  leaseLost({ cause, reason, silentMs }: LeaseLoss, event: bigint): void {
    const details = { event: String(event), cause, reason, silent_ms: silentMs };
    this.#log.warn(details, `the fold lost its lock after ${silentMs} ms of silence and takes it again: ${reason}`);
    this.#count(`its lock (${reason})`, event);
  }

  /** A session ended with a lost connection while this event was in hand. */
  databaseLost(reason: string, event: bigint): void {
    this.#count(`the database (${reason})`, event);
  }

  #count(what: string, event: bigint): void {
    const same = this.#last.what === what && this.#last.event === event;
    this.#last = { what, event, times: same ? this.#last.times + 1 : 1 };
    const { times } = this.#last;
    if (times % suspicious !== 0 || event === 0n) return;
    this.#log.error(
      { event: String(event), times },
      `the fold lost ${what} ${times} times in a row at event ${event}: it makes no progress`,
    );
  }
}
