import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Network } from '@cairn-stacks/codec/network';
import { EventFeed } from '../log/event-feed.ts';
import { type ForwardedEvent, type PendingBytes, receive } from '../log/event-forwarding.ts';
import { Fold } from './fold.ts';
import type { FoldMemory } from './fold-memory.ts';
import type { LeaseLoss } from './lease/lease-loss.ts';
import { type Pulse, pulseMs } from './pulse.ts';
import { type ThreadLogLine, threadLog } from './thread-log.ts';

/** What the thread is started with. */
export type FoldThreadData = {
  url: string;
  network: Network;
  batchBlocks?: number;
  bulk?: boolean;
  signerCycles?: number;
  memory: FoldMemory;
  pending: PendingBytes;
  /** A number that the thread counts up while it is free to. */
  pulse: Pulse;
};

/** Messages to the thread: stop, write nothing for a while, events that were just appended, or a port through which another thread sends such events. */
export type FoldThreadOrder = 'stop' | 'suspend' | 'resume' | ForwardedEvent[] | { foldPort: MessagePort };

/** Messages to the main thread: log lines, that handed events have left the feed, and losses of the lock. */
export type FoldThreadMessage = { kind: 'released' } | { kind: 'lease_lost'; loss: LeaseLoss } | ThreadLogLine;

const port = parentPort;
if (!port) throw new Error('the fold thread must be started by the service');
const send = (message: FoldThreadMessage) => port.postMessage(message);

const { pending, pulse, ...options } = workerData as FoldThreadData;
const feed = new EventFeed();
feed.onRelease = bytes => {
  Atomics.sub(pending, 0, bytes);
  send({ kind: 'released' });
};
const onLeaseLoss = (loss: LeaseLoss) => send({ kind: 'lease_lost', loss });
const fold = new Fold({ ...options, feed, log: threadLog(send), onLeaseLoss });
fold.start();
setInterval(() => Atomics.add(pulse, 0, 1), pulseMs).unref();

port.on('message', async (order: FoldThreadOrder) => {
  if (order === 'stop') {
    await fold.stop();
    port.close();
  } else if (order === 'suspend' || order === 'resume') {
    fold.suspended = order === 'suspend';
  } else if ('foldPort' in order) {
    order.foldPort.on('message', (events: ForwardedEvent[]) => feed.offer(receive(events)));
    // The thread lives as long as it takes orders.
    order.foldPort.unref();
  } else {
    feed.offer(receive(order));
  }
});
