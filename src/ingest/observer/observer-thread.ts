import { type MessagePort, Worker } from 'node:worker_threads';
import { UsageError } from '../../errors.ts';
import type { PendingBytes } from '../log/event-forwarding.ts';
import type { Observer } from './observer.ts';
import type { ObserverThreadData, ObserverThreadMessage, ObserverThreadOrder } from './observer-worker.ts';
import type { Logger, ObservedPost } from './post.ts';

export type ObserverThread = Observer & {
  /** From now on appended events are also handed over to this port. */
  forwardTo(foldPort: { port: MessagePort; pending: PendingBytes }): void;
};

export type ObserverThreadOptions = ObserverThreadData & {
  logger: Logger;
  onPost: (post: ObservedPost) => void;
  /** Called with the number of acknowledged events that the log has lost, and of those that were appended again. */
  onLoss: (lost: number, restored: number) => void;
  /** Called when the thread ends by itself after it has started to listen. */
  onCrash: (error: Error) => void;
};

/** Runs the observer and its log in a thread of its own, so that no node waits for work of the API. */
export async function startObserverThread(threadOptions: ObserverThreadOptions): Promise<ObserverThread> {
  const { url, options, acknowledgedFile, logger, onPost, onLoss, onCrash } = threadOptions;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workerData: ObserverThreadData = { url, options, acknowledgedFile };
  const worker = new Worker(new URL(`./observer-worker.${extension}`, import.meta.url), { workerData });
  const order = (message: ObserverThreadOrder, transfer: MessagePort[] = []) => worker.postMessage(message, transfer);
  let stopping = false;
  let fail = onCrash;
  let failedStop: Error | undefined;
  const end = (error: Error) => {
    if (stopping) failedStop = error;
    else fail(error);
    stopping = true;
  };
  worker.on('error', error => end(error as Error));
  const exited = new Promise<void>(resolve => {
    worker.once('exit', code => {
      if (!stopping) end(new Error(`the observer thread ended with code ${code}`));
      resolve();
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    fail = reject;
    worker.on('message', (message: ObserverThreadMessage) => {
      if (message.kind === 'posts') message.posts.forEach(onPost);
      else if (message.kind === 'loss') onLoss(message.lost, message.restored);
      else if (message.kind === 'log') logger[message.level](message.details, message.message);
      else if (message.kind === 'listening') resolve(message.port);
      else reject(new UsageError(message.reason));
    });
  });
  fail = onCrash;
  return {
    port,
    forwardTo({ port, pending }) {
      order({ kind: 'foldPort', port, pending }, [port]);
    },
    suspend(reason) {
      if (!stopping) order({ kind: 'suspend', reason });
    },
    async stop(graceMs = 10_000) {
      stopping = true;
      order({ kind: 'stop', graceMs });
      await exited;
      if (failedStop) throw failedStop;
    },
  };
}
