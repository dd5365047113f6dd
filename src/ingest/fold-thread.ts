import { Worker } from 'node:worker_threads';
import type { LoggedEvent } from './event-reader.ts';
import type { FoldLog } from './step.ts';
import type { FoldThreadData, FoldThreadMessage, HandedEvent } from './worker.ts';

export type FoldThread = {
  /** Hands over events that are in the log by now; those it has no room for it will read there. */
  hand(events: LoggedEvent[]): void;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  stop(): Promise<void>;
};

/** Bytes of events on their way to the fold. */
const mostBytes = 24 << 20;

/** Most of what the fold makes lives no longer than a batch: with the usual 16 MB it was copied about first. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/** Runs the fold in a thread of its own, so that neither the observer nor an answer waits for it. */
export function startFoldThread(data: FoldThreadData, log: FoldLog, onCrash: (error: Error) => void): FoldThread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), { workerData: data, resourceLimits });
  let stopping = false;
  let handed = 0;
  let waiting: (() => void)[] = [];
  const admit = () => {
    if (handed >= mostBytes && !stopping) return;
    for (const go of waiting) go();
    waiting = [];
  };
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  worker.on('message', (message: FoldThreadMessage) => {
    if (message.kind === 'log') return log[message.level](message.details, message.message);
    handed -= message.bytes;
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
      if (stopping || handed >= mostBytes) return;
      const copies: HandedEvent[] = events.map(event => ({ ...event, body: new Uint8Array(event.body) }));
      for (const { body } of copies) handed += body.length;
      worker.postMessage(
        copies,
        copies.map(({ body }) => body.buffer as ArrayBuffer),
      );
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
      worker.postMessage('stop');
      await exited;
    },
  };
}
