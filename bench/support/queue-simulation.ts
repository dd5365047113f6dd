/** Microseconds of CPU time of one kind of request in a process, and its share of all requests. */
export type RequestKind = { share: number; cpuUs: number };

const REQUESTS = 40_000;

/** A generator of numbers from 0 to 1 that gives the same numbers for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The p99 of the time that a request spends in one process, in milliseconds. Requests arrive independently of each other, as a
 * load balancer spreads them, and are served in order by one core; the time of one kind varies exponentially around its mean.
 */
export function simulateProcess(perSecond: number, kinds: readonly RequestKind[], seed = 1): number {
  const random = randomFrom(seed);
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const times: number[] = [];
  let arrival = 0;
  let free = 0;
  for (let i = 0; i < REQUESTS; i++) {
    arrival += exponential(1e6 / perSecond);
    free = Math.max(free, arrival) + exponential(drawKind(kinds, random()).cpuUs);
    times.push(free - arrival);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(REQUESTS * 0.99)]! / 1000;
}

function drawKind(kinds: readonly RequestKind[], draw: number): RequestKind {
  let sum = 0;
  for (const kind of kinds) {
    sum += kind.share;
    if (draw < sum) return kind;
  }
  return kinds.at(-1)!;
}

/** The smallest number of processes, one core each, that keep the p99 within a limit at this rate. */
export function processesFor(perSecond: number, kinds: readonly RequestKind[], p99Ms: number): number {
  const mean = kinds.reduce((sum, { share, cpuUs }) => sum + share * cpuUs, 0);
  let processes = Math.max(1, Math.ceil((perSecond * mean) / 1e6));
  while (simulateProcess(perSecond / processes, kinds) > p99Ms) processes = Math.ceil(processes * 1.02 + 0.5);
  return processes;
}
