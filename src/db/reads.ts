/** Runs the reads of requests on the servers of the database. */
export type Reads = {
  /** Runs the reads of one request on one server; without `once` they may run again on another one. */
  run<T>(work: () => Promise<T>, options?: { once?: boolean }): Promise<T>;
};

/** All reads use one server, and the tip is not followed; for tests. */
export const plainReads: Reads = { run: work => work() };
