import { Worker } from 'node:worker_threads';
import type { FoldLog } from './step.ts';
import type { FoldThreadData, FoldThreadMessage } from './worker.ts';

export type FoldThread = { stop(): Promise<void> };

/** Runs the fold in a thread of its own, so that neither the observer nor an answer waits for it. */
export function startFoldThread(data: FoldThreadData, log: FoldLog, onCrash: (error: Error) => void): FoldThread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), { workerData: data });
  let stopping = false;
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  worker.on('message', (message: FoldThreadMessage) => {
    if (message.kind === 'log') log[message.level](message.details, message.message);
  });
  worker.on('error', error => onCrash(error as Error));
  worker.on('exit', code => {
    if (!stopping) onCrash(new Error(`the fold thread ended with code ${code}`));
  });
  return {
    async stop() {
      stopping = true;
      worker.postMessage('stop');
      await exited;
    },
  };
}
