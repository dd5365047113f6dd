import type { Pool } from '../db/client.ts';
import { backOffMs, endJobs, holdJobs, type Job, returnJobs } from './job-queue.ts';
import type { MetadataCounts } from './metadata-counts.ts';
import type { FetchedMetadata, FetchFailure, MetadataSource } from './metadata-source.ts';
import { maxAttempts } from './read-jobs.ts';
import { type RefreshAges, storeFetch } from './token-results.ts';
import { writeTokens } from './token-writes.ts';

export type FetchOptions = {
  sql: Pool;
  source: MetadataSource;
  lease: string;
  signal: AbortSignal;
  ages: RefreshAges;
  counts?: Partial<MetadataCounts> | undefined;
};

/** Fetches the URI of a token; the result and the end of the job are written in one transaction. */
export async function runFetch(job: Job, { sql, source, lease, signal, ages, counts }: FetchOptions): Promise<void> {
  const { uri } = job;
  // The contract names no URI any more.
  if (uri === null) return await writeTokens(sql, tx => endJobs(tx, lease, [job]));
  const result = await fetched(source, uri, job.number, signal);
  if (signal.aborted) return await returnJobs(sql, lease, [job], 0);
  const failure = 'failure' in result ? result.failure : undefined;
  // A host that asks to wait has not failed: such a try does not count.
  const waitMs = failure?.transient ? failure.retryAfterMs : undefined;
  const again = failure?.transient === true && job.attempts < maxAttempts;
  const retryMs = waitMs ?? (again ? backOffMs(job.attempts) : undefined);
  await writeTokens(sql, async tx => {
    const held = await holdJobs(tx, lease, [job]);
    if (held.size === 0) return;
    await storeFetch(tx, { contract: job.contract, number: job.number, uri, result, retryMs }, ages);
    if (waitMs !== undefined) await returnJobs(tx, lease, [job], waitMs);
    else await endJobs(tx, lease, [{ ...job, ...(retryMs !== undefined && { retryMs }) }]);
  });
  counts?.fetches?.(failure?.code ?? 'fetched');
}

/** A source that throws has a fault of its own: the token must not wait for ever because of it. */
async function fetched(
  source: MetadataSource,
  uri: string,
  number: bigint,
  signal: AbortSignal,
): Promise<FetchedMetadata | { failure: FetchFailure }> {
  try {
    return await source(uri, number, signal);
  } catch (error) {
    return { failure: { code: 'unknown', message: (error as Error).message, transient: true } };
  }
}
