import { isConflict, isConnectionLost, isStalePreparation } from '../database-error.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { Request } from './request.ts';

export type TransactionOptions = {
  /** The options after `begin`. */
  mode: string;
  /** True if it only reads: it may be repeated when its connection is lost. */
  reads: boolean;
  timeoutMs: number;
};

/** Sends a statement of the transaction on its connection. */
export type SendInside = (request: Request) => void;

/** Runs work on one connection between `begin` and `commit`, or `rollback` if it fails. */
export async function runTransaction<T>(
  pool: ConnectionPool,
  options: TransactionOptions,
  work: (send: SendInside) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  try {
    return await attempt(pool, options, work, deadline);
  } catch (error) {
    const again = isConnectionLost(error) || isStalePreparation(error) || isConflict(error);
    if (!options.reads || !again) throw error;
    return await attempt(pool, options, work, deadline, performance.now());
  }
}

async function attempt<T>(
  pool: ConnectionPool,
  { mode, reads, timeoutMs }: TransactionOptions,
  work: (send: SendInside) => Promise<T>,
  deadline: number,
  lostAt?: number,
): Promise<T> {
  // The two attempts share the time to wait for a connection: a server that opens none is told after one time limit, not two.
  const connection = await pool.reserve(Math.max(0, Math.round(deadline - performance.now())), lostAt);
  let over = false;
  const send: SendInside = request => {
    // An invalid prepared statement may be the reason of this second attempt.
    if (lostAt !== undefined) request.prepared = false;
    if (over) request.reject(new Error('the transaction is over'));
    else if (connection.state === 'closed') request.reject(lostInside());
    else connection.send(request);
  };
  const control = (text: string) => {
    const request = new Request(text, [], { simple: true, timeoutMs, inTransaction: true });
    send(request);
    return request;
  };
  try {
    const begun = Promise.resolve(control(`begin ${mode}`));
    begun.catch(() => {}); // reported below, after the work that depends on it
    // A write must not run outside its transaction; a read outside it is discarded.
    if (!reads) await begun;
    const result = await work(send);
    await begun;
    const committed = control('commit');
    over = true;
    await committed;
    if (committed.command !== 'COMMIT')
      throw new Error('the transaction was rolled back: one of its statements had failed');
    pool.release(connection);
    return result;
  } catch (error) {
    if (!over) {
      const rolledBack = control('rollback');
      over = true;
      releaseAfter(pool, connection, rolledBack);
    } else {
      connection.retire();
      pool.release(connection);
    }
    throw error;
  }
}

/** Returns the connection if it is certainly outside the transaction; otherwise closes it. */
function releaseAfter(pool: ConnectionPool, connection: Connection, last: PromiseLike<unknown>): void {
  const release = () => pool.release(connection);
  last.then(release, () => {
    connection.retire();
    release();
  });
}

const lostInside = () =>
  Object.assign(new Error('the connection of the transaction was lost'), { code: 'CONNECTION_LOST' });
