import {
  ConnectionLost,
  isConflict,
  isConnectionLost,
  isEndedWhileOpening,
  isStalePreparation,
  isTerminated,
  PoolEnded,
  StatementCancelled,
  StatementTimeout,
} from '../database-error.ts';
import { isBackendBusy } from './backend.ts';
import { Connection, type ConnectionEvents } from './connection.ts';
import type { ConnectionOptions } from './open-client.ts';
import type { Request } from './request.ts';

export type PoolOptions = ConnectionOptions & {
  /** Maximum number of open connections. */
  max: number;
  /** Number of pipelined connections; 0: each statement has a connection for itself. */
  shared: number;
  /** True if a statement that lost its connection may be repeated, because it only reads. */
  repeatable: boolean;
  /** Time limit of a statement, whatever the server or the network does; infinite without a limit. */
  timeoutMs: number;
  /** Called once if the server is behind a pooler. */
  onPooled?: (() => void) | undefined;
};

/** A connection with this many statements in flight gets more only if all others have as many. */
const MAX_PIPELINE = 8;
/** A statement that has run for so long is slow: no other statement is queued behind it. */
const LONG_MS = 5;
/** A read that was sent behind a statement that takes so long is sent once more, on a free connection. */
const HEDGE_MS = 100;
/** A connection that takes so long to open may never open: another one is opened in parallel. */
const SLOW_OPENING_MS = 1000;
/** Connections in a row that may end while they open before waiting requests fail. */
const MAX_ENDINGS = 3;
/** Interval at which deadlines are checked. */
const SWEEP_MS = 100;
type Reservation = {
  deadline: number;
  lostAt: number;
  timeoutMs: number;
  grant(connection: Connection): void;
  reject(error: unknown): void;
};

/**
 * Distributes statements over connections. Few connections with pipelined statements cost much less than many with one each:
 * the server need not be woken for each, and statements and results share packets. The pipelined connections are therefore
 * filled first; the others are for transactions and for statements that would wait behind a slow one.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #connections: (Connection | undefined)[];
  /** Closed or retired connections with statements in flight. */
  readonly #leaving = new Set<Connection>();
  readonly #waiting: Request[] = [];
  readonly #reservations: Reservation[] = [];
  readonly #names = new Map<string, string>();
  readonly #events: ConnectionEvents;
  #sweeper: NodeJS.Timeout | undefined;
  #ended = false;
  #reportedPooler = false;
  /** Time at which the server last rejected a connection. */
  #rejectedAt = Number.NEGATIVE_INFINITY;
  /** Connections in a row that ended while they opened. */
  #endings = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#connections = Array.from({ length: options.max }, () => undefined);
    this.#events = {
      responded: () => this.#dispatch(),
      failed: (request, error) => this.#failed(request, error),
      lost: (connection, requests, error) => this.#lost(connection, requests, error),
    };
  }

  /** Sends a statement to the connection that will probably respond first. */
  send(request: Request): void {
    if (this.#ended) {
      request.reject(new PoolEnded());
      return;
    }
    this.#watch();
    const connection = this.#waiting.length === 0 ? this.#choose() : undefined;
    if (connection) connection.send(request);
    else this.#queue(request);
  }

  /** Reserves a connection for one transaction, which may have lost another one; `release` returns it. */
  reserve(timeoutMs: number, lostAt = Number.NEGATIVE_INFINITY): Promise<Connection> {
    if (this.#ended) return Promise.reject(new PoolEnded());
    this.#watch();
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + timeoutMs;
      this.#reservations.push({ deadline, timeoutMs, lostAt, grant: resolve, reject });
      this.#dispatch();
    });
  }

  release(connection: Connection): void {
    connection.reserved = false;
    if (connection.retired) connection.retire();
    this.#dispatch();
  }

  /** True if the server works on the statements in flight, so that they were not lost. */
  async isBusy(withinMs: number): Promise<boolean> {
    const busy = this.#connections.filter(connection => connection && connection.inFlight.length > 0);
    if (busy.length === 0) return false;
    const processIds = busy.map(connection => connection!.processId);
    return await isBackendBusy(this.#options, processIds, withinMs);
  }

  /** Rejects further statements and waits for those in progress until the timeout. */
  async end(timeoutMs: number): Promise<void> {
    this.#ended = true;
    if (!this.#isIdle()) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>(resolve => {
        this.#onIdle = resolve;
        if (Number.isFinite(timeoutMs)) timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
    }
    clearInterval(this.#sweeper);
    this.#rejectAll(new PoolEnded());
    const connections = [...this.#connections, ...this.#leaving].filter(connection => connection !== undefined);
    await Promise.all(
      connections.map(connection => {
        if (connection.state === 'open' && connection.inFlight.length === 0) return connection.close();
        return connection.destroy(new PoolEnded());
      }),
    );
  }

  /** Connections that are held, those included that only finish what is in flight. */
  get size(): number {
    return this.#connections.filter(connection => connection !== undefined).length + this.#leaving.size;
  }

  #isIdle(): boolean {
    if (this.#waiting.length > 0 || this.#reservations.length > 0) return false;
    const busy = (connection: Connection | undefined) =>
      connection !== undefined && (connection.inFlight.length > 0 || connection.reserved);
    return !this.#connections.some(busy) && ![...this.#leaving].some(busy);
  }

  #queue(request: Request): void {
    this.#waiting.push(request);
    request.onCancel = () => {
      const at = this.#waiting.indexOf(request);
      if (at >= 0) this.#waiting.splice(at, 1);
      request.reject(new StatementCancelled());
    };
    this.#dispatch();
  }

  #dispatch(): void {
    while (this.#reservations.length > 0) {
      const connection = this.#chooseIdle(this.#reservations[0]!.lostAt);
      if (!connection) break;
      connection.reserved = true;
      this.#reservations.shift()!.grant(connection);
    }
    while (this.#waiting.length > 0) {
      const connection = this.#choose(this.#waiting[0]!.lostAt);
      if (!connection) break;
      connection.send(this.#waiting.shift()!);
    }
    if (this.#onIdle && this.#isIdle()) this.#onIdle();
  }

  /** The connection for a statement; undefined if it must wait for one that opens or becomes free. */
  #choose(lostAt = Number.NEGATIVE_INFINITY): Connection | undefined {
    const { shared, max } = this.#options;
    const now = performance.now();
    const newer = now - lostAt < SLOW_OPENING_MS && this.#hasNewer(lostAt);
    if (now - lostAt < SLOW_OPENING_MS && !newer && this.#openAnother(0, 1, true)) return undefined;
    let chosen: Connection | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const connection of this.#open()) {
      if (connection.reserved || (newer && connection.openedAt < lostAt)) continue;
      const own = connection.index < shared;
      // A transaction waits for an idle connection.
      if (this.#reservations.length > 0 && !(own && max > shared)) continue;
      const waiting = connection.inFlight.length;
      if (shared === 0 && waiting > 0) continue;
      const cost = (isBlocked(connection, now) ? 1e4 : 0) + (own ? 0 : 1e3) + waiting;
      if (cost < least) {
        chosen = connection;
        least = cost;
      }
    }
    if (chosen && least < 1e4) return chosen;
    // Opening a connection takes a few milliseconds, less than the wait behind a slow statement.
    return this.#openAnother(0, this.#waiting.length, chosen !== undefined) ? undefined : chosen;
  }

  /** True if a connection that was opened since then is open. */
  #hasNewer(time: number): boolean {
    return this.#connections.some(connection => connection?.usable && connection.openedAt >= time);
  }

  /** A connection that a transaction can have for itself. */
  #chooseIdle(lostAt: number): Connection | undefined {
    const first = this.#firstForTransactions();
    const careful = performance.now() - lostAt < SLOW_OPENING_MS;
    let older: Connection | undefined;
    for (const connection of this.#open()) {
      if (connection.index < first || connection.reserved || connection.inFlight.length > 0) continue;
      if (!careful || connection.openedAt >= lostAt) return connection;
      older ??= connection;
    }
    return this.#openAnother(first, this.#reservations.length, older !== undefined) ? undefined : older;
  }

  /** Connections that accept statements; closed ones are replaced. */
  *#open(): Generator<Connection> {
    for (let index = 0; index < this.#connections.length; index++) {
      const connection = this.#connections[index];
      if (!connection) continue;
      if (connection.usable) yield connection;
      else if (connection.state !== 'opening') this.#remove(connection);
    }
  }

  #remove(connection: Connection): void {
    if (this.#connections[connection.index] === connection) this.#connections[connection.index] = undefined;
    if (connection.state !== 'closed') this.#leaving.add(connection);
    else this.#leaving.delete(connection);
  }

  /** True if a connection is opening that waiting statements can use. */
  #openAnother(first: number, needed: number, spare: boolean): boolean {
    const now = performance.now();
    // While others are open, a server that has just rejected a connection is not tried again for a while.
    if (spare && now - this.#rejectedAt < SLOW_OPENING_MS) return false;
    const { shared } = this.#options;
    const wanted = shared > 0 && first === 0 ? 1 : Math.max(1, needed);
    let opening = 0;
    let free: number | undefined;
    for (let index = first; index < this.#connections.length; index++) {
      const connection = this.#connections[index];
      if (!connection) free ??= index;
      else if (connection.state === 'opening' && now - connection.openedAt < SLOW_OPENING_MS) opening++;
    }
    if (opening >= wanted || free === undefined) return opening > 0 || this.#isOpening();
    this.#openAt(free);
    return true;
  }

  #isOpening(): boolean {
    return this.#connections.some(connection => connection?.state === 'opening');
  }

  #openAt(index: number): void {
    const connection = new Connection(index, this.#options, this.#names, this.#events);
    this.#connections[index] = connection;
    connection.open().then(
      () => this.#opened(connection),
      (error: Error) => this.#openFailed(connection, error),
    );
  }

  #opened(connection: Connection): void {
    this.#endings = 0;
    if (this.#ended && this.#isIdle()) return void connection.close();
    if (connection.pooled && !this.#reportedPooler) {
      this.#reportedPooler = true;
      this.#options.onPooled?.();
    }
    this.#dispatch();
  }

  #openFailed(connection: Connection, error: Error): void {
    this.#remove(connection);
    const again =
      !this.#ended && (isTerminated(error) || (isEndedWhileOpening(error) && this.#endings++ < MAX_ENDINGS));
    if (!again) this.#rejectedAt = performance.now();
    if (!again) this.#rejectWaiting(error);
    this.#dispatch();
  }

  /** Statements without an open connection to wait for fail with the reason: another attempt would fail too. */
  #rejectWaiting(error: Error): void {
    const open = this.#connections.filter(connection => connection?.usable);
    if (open.length === 0) this.#rejectAll(error);
    const first = this.#firstForTransactions();
    if (open.some(connection => connection!.index >= first)) return;
    for (const reservation of this.#reservations.splice(0)) reservation.reject(error);
  }

  #firstForTransactions(): number {
    const { shared, max } = this.#options;
    return max > shared ? shared : 0;
  }

  #rejectAll(error: Error): void {
    for (const request of this.#waiting.splice(0)) request.reject(error);
    for (const reservation of this.#reservations.splice(0)) reservation.reject(error);
    this.#onIdle?.();
  }

  #failed(request: Request, error: Error): void {
    if (request.settled) return;
    if (isStalePreparation(error)) request.prepared = false;
    const lost = isConnectionLost(error);
    const again = !request.prepared || (this.#options.repeatable && (lost || isConflict(error)));
    if (again && this.#mayAskAgain(request)) {
      if (request.prepared && lost) request.lostAt = performance.now();
      this.#queue(request);
    } else {
      // Errors of the client library have no code by which callers could recognize a lost connection.
      const reported = lost && !('code' in error) ? lostBy(error) : error;
      request.reject(Object.assign(reported, { query: request.text }));
    }
  }

  #lost(connection: Connection, requests: Request[], error: Error): void {
    this.#remove(connection);
    const lost = lostBy(error);
    for (const request of requests) {
      if (request.settled) continue;
      if (this.#options.repeatable && this.#mayAskAgain(request)) {
        request.lostAt = performance.now();
        this.#queue(request);
      } else request.reject(error instanceof PoolEnded ? error : lost);
    }
    this.#dispatch();
  }

  /** A statement of a transaction cannot be repeated without the others. */
  #mayAskAgain(request: Request): boolean {
    if (this.#ended || request.inTransaction || request.abandoned) return false;
    return request.attempts < 2 && request.deadline > performance.now();
  }

  /** Sends reads that wait behind a slow statement once more, as far as a connection is free. */
  #hedge({ inFlight }: Connection): void {
    if (!this.#options.repeatable || this.#ended) return;
    for (const request of inFlight.slice(1)) {
      if (request.settled || request.abandoned || request.inTransaction || request.repeated) continue;
      const free = this.#choose();
      if (!free || isBlocked(free)) return;
      free.send(request.repeat());
    }
  }

  #watch(): void {
    if (this.#sweeper !== undefined) return;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** Fails overdue statements, and closes connections that do not respond. */
  #sweep(): void {
    const now = performance.now();
    for (const connection of [...this.#connections, ...this.#leaving]) {
      if (connection?.state === 'closed') this.#remove(connection);
      if (!connection || connection.inFlight.length === 0) continue;
      for (const request of connection.inFlight) expire(request, now);
      const silentMs = now - connection.since;
      if (silentMs > this.#options.timeoutMs) {
        connection.destroy(new ConnectionLost(`the server did not respond within ${Math.round(silentMs)} ms`));
      } else if (this.#options.timeoutMs === Number.POSITIVE_INFINITY) connection.verify(now);
      if (silentMs > HEDGE_MS) this.#hedge(connection);
    }
    for (const request of this.#waiting) expire(request, now);
    drop(this.#waiting, request => request.settled);
    for (const reservation of this.#reservations) {
      if (reservation.deadline <= now) reservation.reject(new StatementTimeout(reservation.timeoutMs));
    }
    drop(this.#reservations, reservation => reservation.deadline <= now);
    this.#dispatch();
    if (!this.#isIdle()) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
    this.#onIdle?.();
  }
}

/** True if a statement would wait there: others are queued, or a slow one runs. */
const isBlocked = ({ inFlight, since }: Connection, now = performance.now()) =>
  inFlight.length >= MAX_PIPELINE || (inFlight.length > 0 && now - since > LONG_MS);

const lostBy = (error: Error) =>
  new ConnectionLost(`the connection to the database was lost: ${error.message}`, { cause: error });

function expire(request: Request, now: number): void {
  if (!request.settled && request.deadline <= now) request.reject(new StatementTimeout(request.timeoutMs));
}

function drop<T>(list: T[], gone: (item: T) => boolean): void {
  if (list.some(gone)) list.splice(0, list.length, ...list.filter(item => !gone(item)));
}
