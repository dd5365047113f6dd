import { parentPort, workerData } from 'node:worker_threads';
import type { Network } from '../chain/network.ts';
import { EventFeed } from './event-feed.ts';
import type { LoggedEvent } from './event-reader.ts';
import { Fold } from './fold.ts';

/** What the thread is started with. */
export type FoldThreadData = { url: string; network: Network; batchBlocks?: number; bulk?: boolean };

/** What the thread is told: to stop, or of events that have just been appended. */
export type FoldThreadOrder = 'stop' | HandedEvent[];
export type HandedEvent = Omit<LoggedEvent, 'body'> & { body: Uint8Array };

/** Log lines travel to the main thread, which owns the logger; so does the news that handed events have left the feed. */
export type FoldThreadMessage =
  | { kind: 'released'; bytes: number }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; details: object; message: string };

const port = parentPort;
if (!port) throw new Error('the fold thread is started by the service, not by hand');
const send = (message: FoldThreadMessage) => port.postMessage(message);
const line = (level: 'info' | 'warn' | 'error') => (details: object, message: string) =>
  send({ kind: 'log', level, details: details instanceof Error ? describe(details) : details, message });

const feed = new EventFeed();
feed.onRelease = bytes => send({ kind: 'released', bytes });
const fold = new Fold({
  ...(workerData as FoldThreadData),
  feed,
  log: { info: line('info'), warn: line('warn'), error: line('error') },
});
fold.start();

port.on('message', async (order: FoldThreadOrder) => {
  if (order !== 'stop') {
    feed.offer(order.map(event => ({ ...event, body: Buffer.from(event.body.buffer) })));
    return;
  }
  await fold.stop();
  port.close();
});

/** An error loses its class on the way to another thread, so it travels as text. */
function describe(error: Error): object {
  const causes: string[] = [];
  for (let e: unknown = error; e instanceof Error; e = e.cause) causes.push(e.message);
  return { error: causes.join(': '), stack: error.stack };
}
