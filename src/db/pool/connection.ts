import type pg from 'pg';
import { ConnectionLost, isConnectionLost, isStalePreparation } from '../database-error.ts';
import type { Parameter } from '../parameter.ts';
import { ARRIVAL_MS, cancelBackend, isBackendBusy } from './backend.ts';
import { type ConnectionOptions, connectClient, type OpenClient, openClient } from './open-client.ts';
import { locateHost } from './primary-search.ts';
import type { Request } from './request.ts';

/** Events of a connection. */
export type ConnectionEvents = {
  /** A statement is complete: another one may be sent. */
  responded(): void;
  /** The server rejected a statement. */
  failed(request: Request, error: Error): void;
  /** The connection is lost; these statements have no result. */
  lost(connection: Connection, requests: Request[], error: Error): void;
};

/** Maximum number of prepared statements of a connection; further ones are parsed each time. */
const MAX_PREPARED = 2000;
/** Time limit of a graceful close, in milliseconds. */
const END_MS = 1000;

/**
 * One connection to the server. Statements are pipelined: they are sent without waiting for results, and the server runs them
 * and returns their results in order.
 */
export class Connection {
  readonly index: number;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  /** Names of prepared statements by their text. */
  readonly #names: Map<string, string>;
  /** Undefined until the host is known. */
  #opened: OpenClient | undefined;
  /** Statements that were sent and have no result yet. */
  readonly inFlight: Request[] = [];
  state: 'opening' | 'open' | 'closed' = 'opening';
  readonly openedAt = performance.now();
  /** Approximate start of the first statement of `inFlight`. */
  since = 0;
  /** True if it accepts no more statements: it is closed when those in flight are complete. */
  retired = false;
  /** True if it is reserved for a transaction. */
  reserved = false;
  /** True behind a pooler: each statement may reach another server process. */
  pooled = false;
  /** False behind a pooler that does not carry prepared statements. */
  #prepares = true;
  /** Process id of the server, if there is no pooler. */
  processId = 0;
  /** Why it was lost while it opened. */
  #failure: Error | undefined;
  #verifiedAt = 0;
  #corked = false;
  /** A request to cancel the statement of this connection is in progress. */
  #cancelling = false;

  constructor(index: number, options: ConnectionOptions, names: Map<string, string>, events: ConnectionEvents) {
    this.index = index;
    this.#options = options;
    this.#names = names;
    this.#events = events;
  }

  async open(): Promise<void> {
    try {
      const located = locateHost(this.#options.address);
      const host = typeof located === 'string' ? located : await located;
      if (this.#failure) throw this.#failure;
      const opened = openClient(this.#options, host, true);
      this.#opened = opened;
      opened.client.on('error', error => this.#lose(error));
      opened.client.on('end', () => this.#lose(new ConnectionLost('the connection to the database has ended')));
      const { processId, pooled, prepares } = await connectClient(opened, this.#options.connectTimeoutMs);
      // It may have ended since the last response.
      if (this.#failure) throw this.#failure;
      this.processId = processId;
      this.pooled = pooled;
      this.#prepares = prepares;
      if (this.state === 'opening') this.state = 'open';
    } catch (caught) {
      // The reason of the failure is more useful than the error of the next statement.
      const error = this.#failure ?? caught;
      this.state = 'closed';
      this.#opened?.socket.destroy();
      // `pg` gives no code to a connection that ends while it opens; without one it would look like a bug of the program.
      if (!isConnectionLost(error) || (error as { code?: unknown }).code !== undefined) throw error;
      throw new ConnectionLost(`the connection to the database ended while it opened: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  get usable(): boolean {
    return this.state === 'open' && !this.retired;
  }

  send(request: Request): void {
    const { client, socket } = this.#opened!;
    request.attempts++;
    request.onCancel = () => this.#cancel(request);
    if (this.inFlight.push(request) === 1) this.since = performance.now();
    if (!this.#corked) {
      this.#corked = true;
      socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        socket.uncork();
      });
    }
    const prepared = request.prepared && !request.simple && this.#prepares;
    const name = prepared ? this.#nameOf(request.text) : undefined;
    const { text, parameters } = request;
    const query = request.simple ? { text } : { name, text, values: parameters as Parameter[] };
    client.query(query, (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) =>
      this.#settle(request, error, result),
    );
  }

  /** Ends the connection at once: statements in flight are lost. */
  destroy(error: Error): void {
    this.#lose(error);
  }

  /** Closes the connection once all statements are complete. */
  retire(): void {
    this.retired = true;
    if (this.state !== 'open' || this.inFlight.length > 0 || this.reserved) return;
    // Another process of the server may get the number of this one as soon as it has ended.
    if (!this.#cancelling) void this.close();
  }

  /** Closes gracefully; the socket is destroyed soon, whatever the server does. */
  async close(): Promise<void> {
    if (this.state === 'closed') return;
    this.state = 'closed';
    if (!this.#opened) return;
    const { client, socket } = this.#opened;
    const timer = setTimeout(() => socket.destroy(), END_MS);
    try {
      await client.end();
    } finally {
      clearTimeout(timer);
    }
  }

  /** For statements that may take hours: ends the connection if the server does not work on them any more. */
  verify(now: number): void {
    if (this.pooled || this.inFlight.length === 0) return;
    if (now - Math.max(this.since, this.#verifiedAt) < this.#options.silentMs) return;
    this.#verifiedAt = now;
    const [first] = this.inFlight;
    isBackendBusy(this.#options, [this.processId]).then(
      busy => {
        if (busy) return;
        const lose = () => {
          if (this.state !== 'open' || this.inFlight[0] !== first) return;
          this.#lose(new ConnectionLost('the server has no statement of this connection under way'));
        };
        setTimeout(lose, ARRIVAL_MS).unref();
      },
      (error: Error) => this.#lose(error),
    );
  }

  #settle(request: Request, error: Error | null, result: pg.QueryResult | pg.QueryResult[]): void {
    if (this.state === 'closed') return;
    if (this.inFlight[0] !== request) {
      this.#lose(new ConnectionLost('a result arrived for a statement that was not the next'));
      return;
    }
    this.inFlight.shift();
    this.since = performance.now();
    if (!error) {
      const last = Array.isArray(result) ? result.at(-1)! : result;
      request.resolve(last.rows, last.rowCount ?? 0, last.command);
    } else {
      if (isStalePreparation(error) || isConnectionLost(error)) this.retired = true;
      this.#events.failed(request, error);
    }
    if (this.retired) this.retire();
    // It may have been cancelled while others were before it.
    const next = this.inFlight[0];
    if (next?.abandoned) this.#cancel(next);
    this.#events.responded();
  }

  #lose(error: Error): void {
    if (this.state === 'closed') return;
    if (this.state === 'opening') {
      this.#failure ??= error;
      this.#opened?.socket.destroy(error); // `open` fails with it
      return;
    }
    this.state = 'closed';
    this.#opened?.socket.destroy();
    this.#events.lost(this, this.inFlight.splice(0), error);
  }

  /**
   * Cancels a statement on the server, if no other one can be affected: it is alone on the connection, and the connection is
   * not used again.
   */
  #cancel(request: Request): void {
    if (this.pooled || this.inFlight.length !== 1 || this.inFlight[0] !== request) return;
    this.retired = true;
    this.#cancelling = true;
    cancelBackend(this.#options, this.processId).then(
      () => {
        this.#cancelling = false;
        this.retire();
      },
      (error: Error) => this.#lose(error),
    );
  }

  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < MAX_PREPARED) {
      name = `s${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}
