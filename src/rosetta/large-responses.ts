import { RosettaError, UNAVAILABLE } from './errors.ts';

/** Events beyond which an answer takes a second and hundreds of megabytes: a first block with all its accounts. */
const MANY = 20_000;

let busy = false;

/** Lets one answer about so many events be made at a time; who asks meanwhile is told to come again. */
export async function oneIfLarge<T>(events: number, work: () => Promise<T>): Promise<T> {
  if (events <= MANY) return await work();
  if (busy) throw new RosettaError(UNAVAILABLE, 'a very large block is being read: ask again in a moment', 503);
  busy = true;
  try {
    return await work();
  } finally {
    busy = false;
  }
}

/** How many events some transactions have. */
export const eventsOf = (rows: readonly { event_count: number }[]): number =>
  rows.reduce((sum, row) => sum + row.event_count, 0);
