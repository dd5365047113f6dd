import type { Pool } from '../../db/client.ts';
import { isBadValue } from '../../db/database-error.ts';
import { messageOf } from '../../errors.ts';
import { ByteBudget } from '../observer/byte-budget.ts';
import type { AcknowledgedEvents } from './acknowledged-events.ts';
import { EventNames } from './event-names.ts';
import type { LoggedEvent } from './event-reader.ts';
import { BATCH_BYTES, BATCH_EVENTS, type EventRow, insertLarge, insertRows, lastIdOf } from './event-rows.ts';
import { compressBody, type Payload } from './payload.ts';

/** An event to be appended; a body that was compressed while it arrived comes as a payload. */
export type NewEvent = { path: string; source: string; at: Date | string; body: Buffer | Payload };

/** The log could not store an event for certain, so the sender must repeat it. */
export class EventLogError extends Error {
  override name = 'EventLogError';
}

export type EventLogOptions = {
  /** Bytes of events that may wait for their commit; beyond it `append` waits. */
  queueBytes?: number;
  /** How long one commit may take before its events are rejected. */
  commitTimeoutMs?: number;
  /** Called with events right after their commit, in order; not with those whose body arrived compressed. */
  onAppend?: (events: LoggedEvent[]) => void;
  /** Keeps the last acknowledged events. */
  acknowledged?: AcknowledgedEvents;
};

type Entry = {
  event: NewEvent;
  payload: Payload | undefined;
  /** Settles when the payload is there or `reject` was called; never rejects itself. */
  ready: Promise<void>;
  resolve: (id: bigint) => void;
  reject: (error: Error) => void;
  failed: boolean;
};

/** The append side of the log: one queue, in order of arrival, where events that wait share the next commit. */
export class EventLog {
  readonly #sql: Pool;
  readonly #acknowledged: AcknowledgedEvents | undefined;
  #names = new EventNames();
  readonly #budget: ByteBudget;
  readonly #commitTimeoutMs: number;
  readonly #onAppend: EventLogOptions['onAppend'];
  readonly #queue: Entry[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(sql: Pool, options: EventLogOptions = {}) {
    this.#sql = sql;
    this.#budget = new ByteBudget(options.queueBytes ?? 128 << 20);
    this.#commitTimeoutMs = options.commitTimeoutMs ?? 15_000;
    this.#onAppend = options.onAppend;
    this.#acknowledged = options.acknowledged;
  }

  /** Events that wait for their commit. */
  get pending(): number {
    return this.#queue.length + this.#budget.waiting;
  }

  /** Resolves with the id after a durable commit; rejects with an EventLogError when there was none. */
  async append(event: NewEvent): Promise<bigint> {
    if (this.#closed) throw new EventLogError('the event log is closed');
    const release = await this.#budget.acquire('parts' in event.body ? event.body.storedBytes : event.body.length);
    try {
      return await new Promise((resolve, reject) => this.#enqueue(event, resolve, reject));
    } finally {
      release();
    }
  }

  /** Reads the numbers of paths and sources again, as after a failover. */
  forgetNames(): void {
    this.#names = new EventNames();
  }

  /** Rejects further events and waits for those already accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #enqueue(event: NewEvent, resolve: Entry['resolve'], reject: Entry['reject']): void {
    const entry: Entry = { event, payload: undefined, ready: Promise.resolve(), resolve, reject, failed: false };
    if ('parts' in event.body) entry.payload = event.body;
    else entry.ready = compressInto(entry, event.body);
    // The place in the queue is taken before the compression ends: ids follow arrival, not size.
    this.#queue.push(entry);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      await first.ready;
      await this.#settle(this.#takeBatch());
    }
  }

  /** Everything at the front that is compressed by now, up to a bound; a huge event goes alone. */
  #takeBatch(): Entry[] {
    let bytes = 0;
    let count = 0;
    for (const entry of this.#queue) {
      if (count === BATCH_EVENTS || !(entry.payload || entry.failed)) break;
      bytes += entry.payload?.storedBytes ?? 0;
      if (count > 0 && bytes > BATCH_BYTES) break;
      count++;
    }
    return this.#queue.splice(0, count).filter(entry => !entry.failed);
  }

  async #settle(batch: Entry[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const lastId = await this.#commit(batch);
      const firstId = lastId - BigInt(batch.length - 1);
      this.#acknowledged?.add(
        firstId,
        batch.map(({ event, payload }) => ({ ...event, body: payload! })),
      );
      this.#onAppend?.(
        loggedEvents(
          batch.map(entry => entry.event),
          firstId,
        ),
      );
      batch.forEach((entry, i) => {
        entry.resolve(firstId + BigInt(i));
      });
    } catch (error) {
      if (batch.length > 1 && isBadValue(error)) {
        for (const entry of batch) await this.#settle([entry]);
        return;
      }
      const failure = new EventLogError(`appending ${batch.length} events: ${messageOf(error)}`, { cause: error });
      for (const entry of batch) entry.reject(failure);
    }
  }

  async #commit(batch: Entry[]): Promise<bigint> {
    const large = batch.some(entry => entry.payload!.storedBytes > BATCH_BYTES);
    const timeoutMs = large ? this.#commitTimeoutMs * 20 : this.#commitTimeoutMs;
    const abort = new AbortController();
    const work = this.#write(batch, large, abort.signal);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        abort.abort();
        reject(new Error(`no commit within ${timeoutMs} ms`));
      }, timeoutMs);
    });
    try {
      return await Promise.race([work, deadline]);
    } finally {
      clearTimeout(timer);
      work.catch(() => {});
    }
  }

  async #write(batch: Entry[], large: boolean, signal: AbortSignal): Promise<bigint> {
    const rows = await this.rowsOf(batch.map(entry => ({ ...entry.event, body: entry.payload! })));
    // The senders got an error and will repeat them.
    signal.throwIfAborted();
    if (large) return this.#sql.begin(tx => insertLarge(tx, rows[0]!, signal));
    const query = insertRows(this.#sql, rows);
    signal.addEventListener('abort', () => query.cancel(), { once: true });
    return lastIdOf(await query);
  }

  /** Rows for `appendRows`, for callers that append in a transaction of their own. */
  async rowsOf(events: { path: string; source: string; at: Date | string; body: Payload }[]): Promise<EventRow[]> {
    const rows: EventRow[] = [];
    for (const { path, source, at, body } of events) {
      rows.push({
        path: await this.#names.pathId(this.#sql, path),
        source: await this.#names.sourceId(this.#sql, source),
        at: typeof at === 'string' ? at : at.toISOString(),
        payload: body,
      });
    }
    return rows;
  }
}

/** Events as the log has them from now on, without those that exist only compressed. */
function loggedEvents(events: NewEvent[], firstId: bigint): LoggedEvent[] {
  return events.flatMap(({ path, source, at, body }, i) =>
    'parts' in body ? [] : [{ id: firstId + BigInt(i), at: new Date(at), path, source, body }],
  );
}

async function compressInto(entry: Entry, body: Buffer): Promise<void> {
  try {
    entry.payload = await compressBody(body);
  } catch (error) {
    entry.failed = true;
    entry.reject(new EventLogError(`compressing an event: ${messageOf(error)}`, { cause: error }));
  }
}
