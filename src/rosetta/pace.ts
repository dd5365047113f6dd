import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Milliseconds of continuous work before it yields to the event loop. */
const SLICE_MS = 10;

/** Makes long work yield to the event loop regularly. */
export class Pace {
  #since = performance.now();

  isDue(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  async rest(): Promise<void> {
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}

/** Maps a long list, and yields to the event loop in between. */
export async function mapPaced<T, R>(list: readonly T[], pace: Pace, map: (entry: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const entry of list) {
    mapped.push(map(entry));
    if (pace.isDue()) await pace.rest();
  }
  return mapped;
}
