import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { forward, hasCapacity, noPendingBytes, type PendingBytes } from '../log/event-forwarding.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import type { FoldLog } from './fold-log.ts';
import { foldMemory } from './fold-memory.ts';
import type { FoldThreadData, FoldThreadMessage, FoldThreadOrder } from './fold-worker.ts';
import type { LeaseLoss } from './lease/lease-loss.ts';
import { newPulse, watchPulse } from './pulse.ts';

export type FoldThread = {
  /** Hands over events that are in the log; without capacity for them the fold reads them from the log. */
  hand(events: LoggedEvent[]): void;
  /** A port through which another thread hands over the events it appends. */
  openPort(): { port: MessagePort; pending: PendingBytes };
  /** Leaves events in the log until it is called with false: the disk is nearly full. */
  suspend(suspended: boolean): void;
  /** Resolves when the fold can take more events. */
  waitForCapacity(): Promise<void>;
  stop(): Promise<void>;
};

/** What the thread tells besides its log. */
export type FoldThreadEvents = {
  onCrash: (error: Error) => void;
  onLeaseLoss?: (loss: LeaseLoss) => void;
};

/** Runs the fold in a thread of its own, so that neither the observer nor the API waits for it. */
export function startFoldThread(
  data: Omit<FoldThreadData, 'memory' | 'pending' | 'pulse'> & { memory: number },
  log: FoldLog,
  { onCrash, onLeaseLoss }: FoldThreadEvents,
): FoldThread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const memory = foldMemory(data.memory);
  const pending = noPendingBytes(memory.pendingBytes);
  const pulse = newPulse();
  const workerData: FoldThreadData = { ...data, memory, pending, pulse };
  const resourceLimits = { maxYoungGenerationSizeMb: memory.youngMb, maxOldGenerationSizeMb: memory.oldMb };
  const worker = new Worker(new URL(`./fold-worker.${extension}`, import.meta.url), { workerData, resourceLimits });
  const stopWatching = watchPulse(pulse, log);
  const order = (message: FoldThreadOrder, transfer: MessagePort[] = []) => worker.postMessage(message, transfer);
  let stopping = false;
  let waiting: (() => void)[] = [];
  const admit = () => {
    if (!hasCapacity(pending) && !stopping) return;
    for (const go of waiting) go();
    waiting = [];
  };
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  worker.on('message', (message: FoldThreadMessage) => {
    if (message.kind === 'log') return log[message.level](message.details, message.message);
    if (message.kind === 'lease_lost') return onLeaseLoss?.(message.loss);
    admit();
  });
  worker.on('error', error => onCrash(error as Error));
  worker.on('exit', code => {
    if (!stopping) onCrash(new Error(`the fold thread ended with code ${code}`));
    stopping = true;
    stopWatching();
    admit();
  });
  return {
    hand(events) {
      if (!stopping) forward({ port: worker, pending }, events);
    },
    openPort() {
      const { port1, port2 } = new MessageChannel();
      order({ foldPort: port1 }, [port1]);
      return { port: port2, pending };
    },
    suspend(suspended) {
      if (!stopping) order(suspended ? 'suspend' : 'resume');
    },
    waitForCapacity() {
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
