import { isConflict, isConnectionLost, isStalePreparation } from '../database-error.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { Request } from './request.ts';

export type TransactionOptions = {
  /** What stands behind `begin`. */
  mode: string;
  /** It only reads: it may be run again when its connection is lost. */
  reads: boolean;
  timeoutMs: number;
};

/** Gives a statement of the transaction to its connection. */
export type SendInside = (request: Request) => void;

/** Runs work on one connection, between `begin` and `commit`, or `rollback` when it fails. */
export async function runTransaction<T>(
  pool: ConnectionPool,
  options: TransactionOptions,
  work: (send: SendInside) => Promise<T>,
): Promise<T> {
  try {
    return await attempt(pool, options, work);
  } catch (error) {
    const again = isConnectionLost(error) || isStalePreparation(error) || isConflict(error);
    if (!options.reads || !again) throw error;
    return await attempt(pool, options, work, performance.now());
  }
}

async function attempt<T>(
  pool: ConnectionPool,
  { mode, reads, timeoutMs }: TransactionOptions,
  work: (send: SendInside) => Promise<T>,
  lostAt?: number,
): Promise<T> {
  const connection = await pool.reserve(timeoutMs, lostAt);
  let over = false;
  const send: SendInside = request => {
    // What was prepared may be why this is the second attempt.
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
    // A write must not run outside of its transaction; a read is thrown away if it did.
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

/** Gives the connection back when it is out of the transaction for certain; else it is closed. */
function releaseAfter(pool: ConnectionPool, connection: Connection, last: PromiseLike<unknown>): void {
  const release = () => pool.release(connection);
  last.then(release, () => {
    connection.retire();
    release();
  });
}

const lostInside = () =>
  Object.assign(new Error('the connection of the transaction was lost'), { code: 'CONNECTION_LOST' });
