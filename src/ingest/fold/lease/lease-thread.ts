import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { LeaseKeeper, type LeaseOrder } from './lease-keeper.ts';

/** The thread has one connection or two and nothing to remember. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** A thread needs compiled files; a test that runs the sources keeps the lock in its own thread. */
const isCompiled = import.meta.url.endsWith('.js');

let thread: Worker | undefined;

/** Asks the lease thread of this thread for a lock; its reports come by the port, which closes with the lease. */
export function requestLease(order: Omit<LeaseOrder, 'port'>): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const whole: LeaseOrder = { ...order, port: port2 };
  if (isCompiled) {
    thread ??= startThread();
    thread.postMessage(whole, [port2]);
  } else void new LeaseKeeper(whole).run();
  return port1;
}

/** One thread serves all leases; it lives as long as the thread that asked first. */
function startThread(): Worker {
  const worker = new Worker(new URL('./lease-worker.js', import.meta.url), { resourceLimits });
  worker.unref();
  const forget = () => {
    if (thread === worker) thread = undefined;
  };
  // Its ports close with it: each lease fails, and the next one starts another thread.
  worker.on('error', forget).on('exit', forget);
  return worker;
}
