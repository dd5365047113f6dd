import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { handOver, hasRoom, noPendingBytes, type PendingBytes } from '../log/event-handover.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { FoldLog } from './fold-log.ts';
import type { FoldThreadData, FoldThreadMessage, FoldThreadOrder } from './fold-worker.ts';

export type FoldThread = {
  /** Hands over events that are in the log by now; those it has no room for it will read there. */
  hand(events: LoggedEvent[]): void;
  /** A way for another thread to hand over what it appends. */
  openInlet(): { port: MessagePort; pending: PendingBytes };
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  stop(): Promise<void>;
};

/** Most of what the fold makes lives no longer than a batch: with the usual 16 MB it was copied about first. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/** Runs the fold in a thread of its own, so that neither the observer nor an answer waits for it. */
export function startFoldThread(
  data: Omit<FoldThreadData, 'pending'>,
  log: FoldLog,
  onCrash: (error: Error) => void,
): FoldThread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pending = noPendingBytes();
  const workerData: FoldThreadData = { ...data, pending };
  const worker = new Worker(new URL(`./fold-worker.${extension}`, import.meta.url), { workerData, resourceLimits });
  const order = (message: FoldThreadOrder, transfer: MessagePort[] = []) => worker.postMessage(message, transfer);
  let stopping = false;
  let waiting: (() => void)[] = [];
  const admit = () => {
    if (!hasRoom(pending) && !stopping) return;
    for (const go of waiting) go();
    waiting = [];
  };
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  worker.on('message', (message: FoldThreadMessage) => {
    if (message.kind === 'log') return log[message.level](message.details, message.message);
    admit();
  });
  worker.on('error', error => onCrash(error as Error));
  worker.on('exit', code => {
    if (!stopping) onCrash(new Error(`the fold thread ended with code ${code}`));
    stopping = true;
    admit();
  });
  return {
    hand(events) {
      if (!stopping) handOver({ port: worker, pending }, events);
    },
    openInlet() {
      const { port1, port2 } = new MessageChannel();
      order({ inlet: port1 }, [port1]);
      return { port: port2, pending };
    },
    room() {
      return new Promise(resolve => {
        waiting.push(resolve);
        admit();
      });
    },
    async stop() {
      stopping = true;
      admit();
      order('stop');
      await exited;
    },
  };
}
