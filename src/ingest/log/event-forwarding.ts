import type { MessagePort } from 'node:worker_threads';
import type { LoggedEvent } from './event-reader.ts';

/** An event on its way to another thread. */
export type ForwardedEvent = Omit<LoggedEvent, 'body'> & { body: Uint8Array };

/** The way by which a thread hands over the events it has appended. */
export type FoldPort = {
  /** Leads to the thread of the fold. */
  port: Pick<MessagePort, 'postMessage'>;
  /** Bytes on their way to the fold, counted by all threads together. */
  pending: PendingBytes;
};

/** Two numbers that threads share: the bytes on their way, and how many there may be. */
export type PendingBytes = Int32Array<SharedArrayBuffer>;

export function noPendingBytes(most: number): PendingBytes {
  const pending = new Int32Array(new SharedArrayBuffer(8));
  pending[1] = most;
  return pending;
}

export const hasCapacity = (pending: PendingBytes): boolean => Atomics.load(pending, 0) < Atomics.load(pending, 1);

/** Larger ones are read from the log: a copy would be held beside the original. */
const MAX_FORWARDED = 8 << 20;

/** Hands over events that are in the log by now; without capacity they are read from the log. */
export function forward({ port, pending }: FoldPort, events: LoggedEvent[]): void {
  const small = events.filter(({ body }) => body.length <= MAX_FORWARDED);
  if (small.length === 0 || !hasCapacity(pending)) return;
  const copies: ForwardedEvent[] = small.map(event => ({ ...event, body: new Uint8Array(event.body) }));
  Atomics.add(pending, 0, bytesOf(copies));
  port.postMessage(
    copies,
    copies.map(({ body }) => body.buffer as ArrayBuffer),
  );
}

/** The events as the fold takes them. */
export const receive = (events: ForwardedEvent[]): LoggedEvent[] =>
  events.map(event => ({ ...event, body: Buffer.from(event.body.buffer) }));

const bytesOf = (events: ForwardedEvent[]) => events.reduce((sum, { body }) => sum + body.length, 0);
