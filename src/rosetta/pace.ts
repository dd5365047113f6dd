import { setImmediate as turn } from 'node:timers/promises';

/** How long work may hold the thread before others have their turn. */
const SLICE_MS = 10;

/** Tells long work when to let others have their turn. */
export class Pace {
  #since = performance.now();

  isDue(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  async rest(): Promise<void> {
    await turn();
    this.#since = performance.now();
  }
}

/** Maps a list that may be long, and lets others have their turn in between. */
export async function mapPaced<T, R>(list: readonly T[], pace: Pace, map: (entry: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const entry of list) {
    mapped.push(map(entry));
    if (pace.isDue()) await pace.rest();
  }
  return mapped;
}
