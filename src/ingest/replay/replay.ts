import type { Pool, Tx } from '../../db/client.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import { appendRows } from '../log/event-rows.ts';
import { compressBody, type Payload, PayloadWriter } from '../log/payload.ts';
import { type RecordedParts, readRecordedParts } from './recorded-events.ts';
import { joined } from './recorded-lines.ts';
import { findMark, moveMark, type ReplayFile, type ReplayMark } from './replay-mark.ts';

/** Takes replayed events: those added since the last flush become durable together with the mark, or not at all. */
export type ReplaySink = {
  add(event: RecordedParts): void;
  /** Runs `mark` in the transaction that makes the events durable; later events may be added while it works. */
  flush(mark: (tx: Tx) => Promise<void>): Promise<void>;
};

/** A fold in this process. */
export type Follower = { hand(events: LoggedEvent[]): void; waitForCapacity(): Promise<void> };

/** Appends to the log, whose fold follows by itself. */
export class LogSink implements ReplaySink {
  readonly #sql: Pool;
  readonly #log: EventLog;
  readonly #fold: Follower | undefined;
  #added: Added[] = [];
  /** The id of the last event that is in the log. */
  lastId = 0n;

  /** `fold` gets the events that are in the log; the sink waits while the fold has no capacity. */
  constructor(sql: Pool, log: EventLog, fold?: Follower) {
    this.#sql = sql;
    this.#log = log;
    this.#fold = fold;
  }

  add({ at, path, parts, size }: RecordedParts): void {
    const large = size > LARGE_BYTES;
    const payload = large ? compressParts(parts) : compressBody(joined(parts));
    payload.catch(() => {}); // Rises in flush, which awaits it later.
    this.#added.push({ at, path, source: 'replay', body: large ? undefined : joined(parts), payload });
  }

  async flush(mark: (tx: Tx) => Promise<void>): Promise<void> {
    const added = this.#added;
    this.#added = [];
    const rows = await this.#log.rowsOf(
      await Promise.all(added.map(async event => ({ ...event, body: await event.payload }))),
    );
    await this.#sql.begin(async tx => {
      // The mark first: two replays of one file meet here, before either holds the lock that all appenders need.
      await mark(tx);
      if (rows.length > 0) this.lastId = await appendRows(tx, rows);
    });
    if (!this.#fold || added.length === 0) return;
    const firstId = this.lastId - BigInt(added.length - 1);
    // The fold reads large events from the log.
    const handed = added.flatMap(({ at, path, source, body }, i) =>
      body === undefined ? [] : [{ id: firstId + BigInt(i), at: new Date(at), path, source, body }],
    );
    this.#fold.hand(handed);
    await this.#fold.waitForCapacity();
  }
}

/** An event that waits for the next flush; one that is large has no body, only what it is compressed to. */
type Added = { at: string; path: string; source: string; body: Buffer | undefined; payload: Promise<Payload> };

const LARGE_BYTES = 8 << 20;

/** Takes the parts one by one, so that a large body is given up as it is compressed. */
async function compressParts(parts: Buffer[]): Promise<Payload> {
  const writer = new PayloadWriter();
  for (let part = parts.shift(); part; part = parts.shift()) await writer.write(part);
  return await writer.finish();
}

export type ReplayOptions = {
  sql: Pool;
  file: ReplayFile;
  sink: ReplaySink;
  /** Called as the file is read and as its events become durable. */
  onProgress?: (progress: { fileBytes: number; events: number }) => void;
  /** Ends the replay after the events in hand; it can be continued. */
  signal?: AbortSignal;
};

/** One transaction: small enough that a post of a node that waits for it gets its response in time. */
const BATCH_BYTES = 4 << 20;
const BATCH_EVENTS = 1000;

/** Replays a file from its last mark; resolves with the progress. */
export async function replayFile({ sql, file, sink, onProgress, signal }: ReplayOptions): Promise<ReplayMark> {
  let mark = await findMark(sql, file);
  if (mark.finished) return mark;
  let fileBytes = 0;
  let flushing: Promise<void> = Promise.resolve();
  let batch = { events: 0, bytes: 0 };
  let last = mark.place;

  // One batch is written while the next is read and compressed, never more.
  const flush = async (finished: boolean) => {
    await flushing;
    const from = mark;
    const to = { place: last, events: from.events + batch.events, finished };
    mark = to;
    batch = { events: 0, bytes: 0 };
    flushing = sink.flush(tx => moveMark(tx, file, from, to));
    flushing.then(() => onProgress?.({ fileBytes, events: to.events })).catch(() => {});
  };

  const onRead = (bytes: number) => {
    fileBytes = bytes;
    onProgress?.({ fileBytes, events: mark.events });
  };
  let complete = false;
  try {
    for await (const event of readRecordedParts(file.path, { after: mark.place, onRead })) {
      if (batch.events > 0 && batch.bytes + event.size > BATCH_BYTES) await flush(false);
      sink.add(event);
      batch.events += 1;
      batch.bytes += event.size;
      last = { line: event.line, end: event.end, id: event.id };
      if (batch.events >= BATCH_EVENTS) await flush(false);
      if (signal?.aborted) break;
    }
    complete = !signal?.aborted;
  } finally {
    // The complete events of a truncated file are stored.
    await flush(complete);
    await flushing;
  }
  return mark;
}
