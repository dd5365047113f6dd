import type { FoldLog } from './fold-log.ts';

/** A number that a thread counts up while it is free to; others see by it whether it computes without a break. */
export type Pulse = Int32Array<SharedArrayBuffer>;

export const newPulse = (): Pulse => new Int32Array(new SharedArrayBuffer(4));

/** How often a free thread counts up. */
export const pulseMs = 1_000;
/** A thread that has not counted up for so long is worth a line, and another one each time that has doubled. */
const longMs = 30_000;

/**
 * Watches the pulse of the fold's thread from another one. A step takes as long as it takes, and nobody can tell a long one from
 * an endless one: the lock stays, and the operator is told. Returns the way to stop.
 */
export function watchPulse(pulse: Pulse, log: FoldLog, checkMs = 5_000, worthMs = longMs): () => void {
  let last = Atomics.load(pulse, 0);
  let since = performance.now();
  let next = worthMs;
  const timer = setInterval(() => {
    const now = performance.now();
    const count = Atomics.load(pulse, 0);
    if (count !== last) {
      last = count;
      since = now;
      next = worthMs;
      return;
    }
    const busyMs = Math.round(now - since);
    if (busyMs < next) return;
    next *= 2;
    log.warn(
      { busy_ms: busyMs },
      'the fold computes without a break; if this does not end, restart the process: another one takes over within 5 s',
    );
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}
