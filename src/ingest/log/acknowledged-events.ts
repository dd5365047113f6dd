import type { Payload } from './payload.ts';

/** An event as it was appended. */
type AppendedEvent = { path: string; source: string; at: Date | string; body: Payload };

/** An event that a node was told is stored. */
export type AcknowledgedEvent = AppendedEvent & { id: bigint; acknowledgedAt: number };

export type AcknowledgedLimits = { maxBytes: number; maxEvents: number; maxAgeMs: number };

/** Replication that is further behind than this loses more than can be restored from memory. */
const usualLimits: AcknowledgedLimits = { maxBytes: 32 << 20, maxEvents: 5_000, maxAgeMs: 120_000 };

/**
 * The events that were acknowledged last, with their bodies. If a standby is promoted that had not received them, they are not
 * in its log, and the node will not send them again.
 */
export class AcknowledgedEvents {
  readonly #limits: AcknowledgedLimits;
  #events: AcknowledgedEvent[] = [];
  #bytes = 0;
  /** True if ids began again at a lower one: the log has lost events. */
  wentBack = false;

  constructor(limits: AcknowledgedLimits = usualLimits) {
    this.#limits = limits;
  }

  get events(): readonly AcknowledgedEvent[] {
    return this.#events;
  }

  get newest(): AcknowledgedEvent | undefined {
    return this.#events.at(-1);
  }

  /** Adds events in the order of their ids, right after their commit. */
  add(firstId: bigint, events: readonly AppendedEvent[]): void {
    const last = this.newest;
    if (last && firstId <= last.id) this.wentBack = true;
    const acknowledgedAt = performance.now();
    for (const [i, { path, source, at, body }] of events.entries()) {
      this.#events.push({ id: firstId + BigInt(i), path, source, at, body, acknowledgedAt });
      this.#bytes += body.storedBytes;
    }
    this.#dropOld(acknowledgedAt);
  }

  /** Removes events, to append them again. */
  remove(gone: ReadonlySet<AcknowledgedEvent>): void {
    this.#events = this.#events.filter(event => !gone.has(event));
    this.#bytes = this.#events.reduce((sum, { body }) => sum + body.storedBytes, 0);
  }

  #dropOld(now: number): void {
    const { maxBytes, maxEvents, maxAgeMs } = this.#limits;
    let count = 0;
    for (const { acknowledgedAt, body } of this.#events) {
      const old = now - acknowledgedAt > maxAgeMs;
      if (!old && this.#bytes <= maxBytes && this.#events.length - count <= maxEvents) break;
      this.#bytes -= body.storedBytes;
      count++;
    }
    this.#events.splice(0, count);
  }
}
