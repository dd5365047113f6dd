import type { Pool, Reader } from './client.ts';
import { Cancellation } from './pool/cancellation.ts';
import { ResponseReads } from './response-reads.ts';

/** What is known about one server for API reads. */
export type ReadServerReport = {
  /** Host, port and database. */
  name: string;
  role: 'primary' | 'replica';
  condition: ServerCondition;
  /** Why it is not usable. */
  reason?: string;
  /** True if requests may go there now. */
  in_use: boolean;
  lag_seconds: number;
  height: number;
  in_flight: number;
};

/**
 * `usable`: it gets requests. `behind`: it lags more than allowed. `unreachable`: it does not respond. `refused`: it is not a
 * replica of this primary. `unknown`: it was not checked yet.
 */
export type ServerCondition = 'unknown' | 'usable' | 'behind' | 'unreachable' | 'refused';

export type RunOptions = {
  /** They also write: they do not run again on another server. */
  once?: boolean;
  /** Ends their statements. */
  cancellation?: Cancellation;
};

/** Runs the reads of requests on the servers of the database. */
export type Reads = {
  /** Runs the reads of one request on one server; if that is lost, again on another one. */
  run<T>(work: (sql: Reader) => Promise<T> | T, options?: RunOptions): Promise<T>;
  reports(): ReadServerReport[];
};

/** All reads use one server that nobody checks, and the tip is not followed; for tests. */
export const plainReads = (pool: Pool): Reads => ({
  run: async (work, { cancellation = new Cancellation() } = {}) =>
    await work(pool.forResponse(new ResponseReads(cancellation))),
  reports: () => [],
});
