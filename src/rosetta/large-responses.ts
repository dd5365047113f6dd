import { RosettaError, UNAVAILABLE } from './errors.ts';

/** Number of events beyond which a response takes a second and hundreds of megabytes, such as a first block with all accounts. */
const LARGE_RESPONSE_EVENTS = 20_000;

let busy = false;

/** Renders one such large response at a time; concurrent requests get 503. */
export async function oneIfLarge<T>(events: number, work: () => Promise<T>): Promise<T> {
  if (events <= LARGE_RESPONSE_EVENTS) return await work();
  if (busy) throw new RosettaError(UNAVAILABLE, 'a very large block is being read: try again in a moment', 503);
  busy = true;
  try {
    return await work();
  } finally {
    busy = false;
  }
}
