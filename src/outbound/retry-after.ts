const DEFAULT_WAIT_MS = 60_000;
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 6 * 3_600_000;

/** Milliseconds that a host asks to wait: seconds or a date, within bounds; a minute if it does not say. */
export function readRetryAfter(value: string | undefined, now = Date.now()): number {
  if (value === undefined) return DEFAULT_WAIT_MS;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? DEFAULT_WAIT_MS : Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}
