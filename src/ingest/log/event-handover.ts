import type { MessagePort } from 'node:worker_threads';
import type { LoggedEvent } from './event-reader.ts';

/** An event on its way to another thread. */
export type HandedEvent = Omit<LoggedEvent, 'body'> & { body: Uint8Array };

/** The way by which a thread hands over the events it has appended. */
export type FoldInlet = {
  /** Leads to the thread of the fold. */
  port: Pick<MessagePort, 'postMessage'>;
  /** Bytes on their way to the fold, counted by all threads together. */
  pending: PendingBytes;
};

/** One number that threads share. */
export type PendingBytes = Int32Array<SharedArrayBuffer>;

/** Bytes of events on their way to the fold. */
const MAX_PENDING = 24 << 20;

export const noPendingBytes = (): PendingBytes => new Int32Array(new SharedArrayBuffer(4));

export const hasCapacity = (pending: PendingBytes): boolean => Atomics.load(pending, 0) < MAX_PENDING;

/** Larger ones are read from the log: a copy would be held beside the original. */
const MAX_HANDED = 8 << 20;

/** Hands over events that are in the log by now; without capacity they are read from the log. */
export function handOver({ port, pending }: FoldInlet, events: LoggedEvent[]): void {
  const small = events.filter(({ body }) => body.length <= MAX_HANDED);
  if (small.length === 0 || !hasCapacity(pending)) return;
  const copies: HandedEvent[] = small.map(event => ({ ...event, body: new Uint8Array(event.body) }));
  Atomics.add(pending, 0, bytesOf(copies));
  port.postMessage(
    copies,
    copies.map(({ body }) => body.buffer as ArrayBuffer),
  );
}

/** The events as the fold takes them. */
export const receive = (events: HandedEvent[]): LoggedEvent[] =>
  events.map(event => ({ ...event, body: Buffer.from(event.body.buffer) }));

const bytesOf = (events: HandedEvent[]) => events.reduce((sum, { body }) => sum + body.length, 0);
