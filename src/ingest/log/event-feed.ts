import type { BatchLimits, LoggedEvent } from './event-reader.ts';

/**
 * Events that the process itself has just appended, on their way to its fold: they need not be read back from the
 * log and unpacked. The log is authoritative; events that are missing here are read from it.
 */
export class EventFeed {
  #events: LoggedEvent[] = [];
  #open = false;
  /** Called when events arrive, and with the bytes that have left the feed, used or not. */
  onOffer: () => void = () => {};
  onRelease: (bytes: number) => void = () => {};

  /** Takes events in the order of their ids; events that arrive while no fold is running are dropped. */
  offer(events: LoggedEvent[]): void {
    const last = this.#events.at(-1)?.id ?? 0n;
    const wanted = this.#open ? events.filter(event => event.id > last) : [];
    this.#events.push(...wanted);
    const usedBytes = bytesOf(wanted);
    const offered = bytesOf(events);
    if (usedBytes < offered) this.onRelease(offered - usedBytes);
    if (wanted.length > 0) this.onOffer();
  }

  /** The events that follow `afterId` without a gap; none when the next one is not here. */
  take(afterId: bigint, { maxBytes = 16 << 20, maxCount = 1000 }: BatchLimits = {}): LoggedEvent[] {
    const start = this.#events.findIndex(event => event.id > afterId);
    this.#drop(start < 0 ? this.#events.length : start);
    let bytes = 0;
    let count = 0;
    for (const event of this.#events) {
      if (count === maxCount || event.id !== afterId + BigInt(count + 1)) break;
      bytes += event.body.length;
      if (count > 0 && bytes > maxBytes) break;
      count++;
    }
    return this.#drop(count);
  }

  /** True when the event that follows `afterId` is here. */
  hasNext(afterId: bigint): boolean {
    return this.#events.some(event => event.id === afterId + 1n);
  }

  /** True when events up to `id` are here and all of them came by this path. */
  hasOnly(path: string, id: bigint): boolean {
    return (this.#events.at(-1)?.id ?? -1n) >= id && this.#events.every(event => event.path === path);
  }

  /** A fold reads the feed from now on. */
  open(): void {
    this.#open = true;
  }

  /** Drops all events, for a fold that cannot use them. */
  clear(): void {
    this.#drop(this.#events.length);
  }

  close(): void {
    this.#open = false;
    this.clear();
  }

  #drop(count: number): LoggedEvent[] {
    if (count === 0) return [];
    const dropped = this.#events.splice(0, count);
    this.onRelease(bytesOf(dropped));
    return dropped;
  }
}

const bytesOf = (events: LoggedEvent[]) => events.reduce((sum, { body }) => sum + body.length, 0);
