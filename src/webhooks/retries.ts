const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When a request that failed is sent again. */
export type Retries = {
  /** Milliseconds after the first, second, … failure in a row; the last one repeats. */
  delaysMs: readonly number[];
  /** A hook that has failed for so long is paused. */
  giveUpMs: number;
  random: () => number;
};

/** The schedule of Standard Webhooks 1.0. A hook is paused after a day, so that its last delays are never reached whole. */
export const standardRetries: Retries = {
  delaysMs: [
    ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
    ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  ],
  giveUpMs: 24 * HOUR,
  random: Math.random,
};

/** Delays are longer by up to this share, so that hooks that failed together do not return together. */
const JITTER = 0.2;

/**
 * Milliseconds until the next attempt, and at least those that the receiver asked for; undefined if the hook has failed for too
 * long. The last attempt is made when the time is over.
 */
export function nextDelay(retries: Retries, failures: number, failingMs: number, askedMs = 0): number | undefined {
  const { delaysMs, giveUpMs, random } = retries;
  const leftMs = giveUpMs - failingMs;
  if (leftMs <= 0) return undefined;
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1]! * (1 + random() * JITTER);
  return Math.ceil(Math.min(Math.max(delayMs, askedMs), leftMs));
}
