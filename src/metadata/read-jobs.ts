import type { Pool } from '../db/client.ts';
import type { CallReadOnly } from '../node/read-only-call.ts';
import { backOffMs, endJobs, holdJobs, type Job, type JobEnd, jobKinds, keyOf, returnJobs } from './job-queue.ts';
import type { MetadataCounts } from './metadata-counts.ts';
import { type ReadFailure, readLastTokenId, readSupply, readToken, type TokenRead } from './token-reader.ts';
import { type Fetching, type ReadResult, type RefreshAges, storeCount, storeReads } from './token-results.ts';
import { writeTokens } from './token-writes.ts';

export type ReadOptions = {
  sql: Pool;
  call: CallReadOnly;
  lease: string;
  /** Height that the called nodes have not passed. */
  height: number;
  concurrency: number;
  fetching: Fetching;
  ages: RefreshAges;
  counts?: Partial<MetadataCounts> | undefined;
};

/** Tries after which a failure that may pass is treated like one that stays. */
export const maxAttempts = 10;

/** Pause after calls to which no node responded, although one is healthy. */
const noResponseMs = 10_000;

type Read = { job: Job; read: TokenRead };
type Count = { job: Job; last: bigint };

/** Calls the contracts of some jobs; results and the ends of the jobs are written in one transaction. */
export async function runReads(jobs: readonly Job[], options: ReadOptions): Promise<void> {
  const { sql, lease, height, concurrency, counts } = options;
  const reads: Read[] = [];
  const countings: Count[] = [];
  const untried: Job[] = [];
  await inParallel(jobs, concurrency, async job => {
    const result = await runRead(job, options.call);
    if (result === undefined) untried.push(job);
    else if ('last' in result) countings.push({ job, last: result.last });
    else reads.push({ job, read: result });
  });
  const ends: JobEnd[] = [
    ...reads.map(({ job, read }) => endOf(job, read.failure)),
    ...countings.map(({ job }) => endOf(job, undefined)),
  ];
  await writeTokens(sql, async tx => {
    const held = await holdJobs(tx, lease, ends);
    const stored = reads.filter(({ job }) => held.has(keyOf(job)));
    const results = stored.map(({ job, read }) => resultOf(job, read, height)).filter(result => result !== undefined);
    await storeReads(tx, results, options.fetching, options.ages);
    for (const { job, last } of countings) {
      if (held.has(keyOf(job))) await storeCount(tx, job.contract, last, height);
    }
    await endJobs(tx, lease, ends);
    if (untried.length > 0) await returnJobs(tx, lease, untried, noResponseMs);
  });
  const retried = ends.filter(end => end.retryMs !== undefined).length;
  const failed = reads.filter(({ read }) => read.failure).length - retried;
  counts?.reads?.('read', ends.length - retried - failed);
  counts?.reads?.('failed', failed);
  counts?.reads?.('retried', retried);
}

async function runRead(job: Job, call: CallReadOnly): Promise<TokenRead | { last: bigint } | undefined> {
  const { principal, number } = job;
  if (job.kind === jobKinds.count) {
    const counted = await readLastTokenId(call, principal);
    if (counted === undefined) return undefined;
    return 'failure' in counted ? { facts: {}, failure: counted.failure } : { last: counted.last };
  }
  if (job.kind === jobKinds.supply) return await readSupply(call, principal);
  return await readToken(call, { principal, tokenClass: job.class, number });
}

function endOf(job: Job, failure: ReadFailure | undefined): JobEnd {
  const again = failure?.transient === true && job.attempts < maxAttempts;
  return { ...job, ...(again && { retryMs: backOffMs(job.attempts) }) };
}

/** What a job says about its token; counts and failed supplies say nothing. */
function resultOf(job: Job, read: TokenRead, height: number): ReadResult | undefined {
  if (job.kind === jobKinds.count || (job.kind === jobKinds.supply && read.failure)) return undefined;
  return { ...read, contract: job.contract, number: job.number, height, retryMs: endOf(job, read.failure).retryMs };
}

/** Runs work for each item, at most so many at once. */
async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const next = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, next));
}
