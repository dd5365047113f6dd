import { readServedState, type ServedState } from '../../cache/tip-queries.ts';
import type { ConnectOptions, Pool, Reader } from '../../db/client.ts';
import { databaseLost } from '../../db/database-error.ts';
import { Cancellation } from '../../db/pool/cancellation.ts';
import type { ReadServerReport, RunOptions, ServerCondition } from '../../db/reads.ts';
import { ResponseReads } from '../../db/response-reads.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { Announcements } from './announcements.ts';
import { forwardingPool } from './forwarding-pool.ts';
import { ReadServer, type StateReading } from './read-server.ts';
import { findMismatch } from './server-identity.ts';
import { isSilentDuring } from './silence.ts';

/** How often each server is checked without an announcement. */
const POLL_MS = 1000;
/** How often a server is checked that lacks an announced step. */
const CHASE_MS = 25;
const CHASE_FOR_MS = 5000;
/** How often a replica is compared with the primary. */
const COMPARE_MS = 5000;
/** Time limit of a check. */
const CHECK_MS = 3000;
/** How often the tip is read again when a response has shown more meanwhile. */
const NEWEST_ATTEMPTS = 3;
/** How long responses wait for a database that lost its last steps, such as after a failover, before older data is served. */
const REGRESSION_MS = 10_000;

export type ReadServersOptions = {
  replicas: readonly string[];
  /** Used if no replica is usable. */
  primary: string;
  /** Seconds that a replica may lag. */
  maxLagSeconds: number;
  log: Log;
  /** Makes the tip of this process reach a step that a server already has. */
  follow: (seq: number) => Promise<void>;
  /** Called when the database has lost steps that were shown: cached responses of these steps may be wrong. */
  onRegression: () => void;
};

/** No server has what was shown already. */
export class ServersBehind extends Error {
  override name = 'ServersBehind';
  readonly code = 'CONNECTION_BEHIND';
}

/**
 * The servers for API reads: all usable replicas, or else the primary. Each request is bound to one server, so that no response
 * mixes two states. A request goes only to a server that has all steps that this process has shown. A response is sent only
 * when the tip of this process includes what the response may show.
 */
export class ReadServers {
  readonly #options: ReadServersOptions;
  readonly #primary: ReadServer;
  readonly #servers: readonly ReadServer[];
  readonly #announced = new Announcements();
  readonly #probe: ConnectOptions;
  #reads: ConnectOptions | undefined;
  /** The newest state that a response has shown. */
  #shown: ServedState = { seq: -1, height: -1 };
  #regressedAt: number | undefined;
  #loops: Promise<unknown> = Promise.resolve();

  private constructor(options: ReadServersOptions) {
    this.#options = options;
    this.#primary = new ReadServer(options.primary, true);
    this.#servers = [...options.replicas.map(url => new ReadServer(url, false)), this.#primary];
    this.#probe = {
      name: 'cairn probe',
      max: 1,
      readOnly: true,
      connectTimeoutSeconds: 3,
      statementTimeoutMs: CHECK_MS,
    };
  }

  /** Checks all servers once, and goes on watching them if there are replicas. */
  static async open(options: ReadServersOptions): Promise<ReadServers> {
    const servers = new ReadServers(options);
    if (servers.#servers.length === 1) {
      servers.#primary.condition = 'usable';
      return servers;
    }
    await Promise.all(servers.#servers.map(server => servers.#look(server)));
    servers.#loops = Promise.all(servers.#servers.map(server => servers.#watch(server)));
    return servers;
  }

  /** Opens a pool on each server. Each statement goes to a server that may be used; `stop` closes the pools. */
  pool(options: ConnectOptions): Pool {
    this.#reads ??= options;
    for (const server of this.#servers) server.pool(options);
    if (this.#servers.length === 1) return this.#primary.pool(options);
    return forwardingPool(() => (this.#choose() ?? this.#primary).pool(options));
  }

  /**
   * Runs the reads of one request on one server. If that server is lost, they run once more on another one; with `once` they do
   * not, because they also write.
   */
  async run<T>(
    work: (sql: Reader) => Promise<T> | T,
    { once = false, cancellation = new Cancellation() }: RunOptions = {},
  ): Promise<T> {
    const server = this.#choose();
    if (!server) throw this.#unavailable();
    try {
      const reading = this.#runOn(server, work, cancellation);
      return await (once || this.#servers.length === 1 ? reading : this.#unlessSilent(server, reading));
    } catch (error) {
      if (once || !databaseLost(error)) throw error;
      this.#suspect(server, error);
      const other = this.#choose(server);
      if (!other) throw error;
      return await this.#runOn(other, work, cancellation);
    }
  }

  /** The result of reads on a server; throws as soon as the server does not respond, if another one can take its place. */
  async #unlessSilent<T>(server: ReadServer, reading: Promise<T>): Promise<T> {
    const ping = (withinMs: number) => server.responds(server.pool(this.#probe), withinMs);
    const silent = await isSilentDuring(reading, ping);
    if (!silent || !this.#hasOther(server)) return await reading;
    // The reads are given up; how they end is of no interest.
    reading.catch(() => {});
    throw Object.assign(new Error('it does not respond'), { code: 'CONNECTION_LOST' });
  }

  #hasOther(server: ReadServer): boolean {
    return this.#servers.some(other => other !== server && other.condition === 'usable');
  }

  /** Runs reads on the server that is furthest, in its pool of these options. Fails if none is as far as what was shown. */
  async runOnNewest<T>(
    work: (sql: Reader) => Promise<T>,
    options: ConnectOptions,
    attempts = NEWEST_ATTEMPTS,
  ): Promise<T> {
    const newest = this.#newest();
    try {
      const reading = this.#readNewest(newest, work, options);
      return await (this.#servers.length === 1 ? reading : this.#unlessSilent(newest, reading));
    } catch (error) {
      if (databaseLost(error) && !(error instanceof ServersBehind)) this.#suspect(newest, error);
      // Meanwhile a response may have shown more, from another server.
      if (!(error instanceof ServersBehind) || attempts === 1 || this.#newest() === newest) throw error;
      return await this.runOnNewest(work, options, attempts - 1);
    }
  }

  async #readNewest<T>(newest: ReadServer, work: (sql: Reader) => Promise<T>, options: ConnectOptions): Promise<T> {
    const result = await work(newest.pool(options));
    this.#admit(newest, await this.#stateOf(newest));
    return result;
  }

  /** The usable replica that is furthest; the primary if no replica has what was shown. */
  #newest(): ReadServer {
    const usable = this.#servers.filter(server => server.condition === 'usable' && !server.isPrimary);
    const candidates = usable.some(server => this.#isCurrent(server)) ? usable : [...usable, this.#primary];
    return candidates.reduce((best, server) => (server.seq > best.seq ? server : best));
  }

  /** The primary has committed this step. */
  announce(seq: number): void {
    this.#primary.announce(seq);
    if (this.#servers.length === 1) return;
    this.#announced.add(seq);
    for (const server of this.#servers) server.pause.wake();
  }

  /** What is known about each server, as `/readyz` of the metrics port shows it. */
  reports(): ReadServerReport[] {
    return this.#servers.map(server => ({
      name: server.name,
      role: server.isPrimary ? 'primary' : 'replica',
      condition: server.condition,
      ...(server.reason !== undefined && { reason: server.reason }),
      in_use: this.#eligible().includes(server),
      lag_seconds: server.lagSeconds,
      height: server.height,
      in_flight: server.inFlight,
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map(server => server.end()));
    await this.#loops;
  }

  /** Of two random servers that may be used, the one with fewer requests. */
  #choose(except?: ReadServer): ReadServer | undefined {
    const eligible = this.#eligible().filter(server => server !== except);
    if (eligible.length < 2) return eligible[0];
    const first = Math.floor(Math.random() * eligible.length);
    const second = (first + 1 + Math.floor(Math.random() * (eligible.length - 1))) % eligible.length;
    return lessLoaded(eligible[first]!, eligible[second]!);
  }

  /** Usable replicas with all that was shown; else the primary; else replicas that lag but have it. */
  #eligible(): ReadServer[] {
    const current = this.#servers.filter(server => this.#isCurrent(server));
    const replicas = current.filter(server => !server.isPrimary && server.condition === 'usable');
    if (replicas.length > 0) return replicas;
    const primary = current.filter(server => server.isPrimary && server.condition === 'usable');
    return primary.length > 0 ? primary : current.filter(server => server.condition === 'behind');
  }

  #isCurrent({ seq, height }: ServedState): boolean {
    return seq >= this.#shown.seq && (this.#regressedAt === undefined || height >= this.#shown.height);
  }

  #unavailable(): Error {
    if (this.#servers.some(({ condition }) => condition === 'usable')) {
      return new ServersBehind('no server for reads has what was shown already');
    }
    return Object.assign(new Error('no server for reads is usable'), { code: 'CONNECTION_LOST' });
  }

  async #runOn<T>(server: ReadServer, work: (sql: Reader) => Promise<T> | T, cancellation: Cancellation): Promise<T> {
    const start = performance.now();
    const reads = new ResponseReads(cancellation);
    const seqBefore = server.seq;
    server.inFlight++;
    try {
      const outcome = await settle(() => work(this.#poolOf(server).forResponse(reads)));
      if ('error' in outcome && databaseLost(outcome.error)) throw outcome.error;
      // A refusal shows what was read, too, such as that an item does not exist.
      if (reads.sent > 0) await this.#follow(server, reads, seqBefore);
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    } finally {
      server.inFlight--;
      server.measure(performance.now() - start);
    }
  }

  /**
   * Makes the tip of this process reach all that a response may show: the state that its statements named, or else what the
   * server has by now.
   */
  async #follow(server: ReadServer, reads: ResponseReads, seqBefore: number): Promise<void> {
    let state = this.#namedState(reads, seqBefore);
    if (state) {
      server.note(state);
      this.#show(state);
    } else {
      const reading = await this.#stateOf(server);
      this.#admit(server, reading);
      state = reading;
    }
    await this.#options.follow(state.seq);
  }

  /**
   * The newest state that the statements of a response named. Undefined if one of them named none, or one older than the server
   * had when the response began, and while lost steps are awaited: then the server is asked.
   */
  #namedState({ sent, named, states }: ResponseReads, seqBefore: number): ServedState | undefined {
    if (named < sent || this.#regressedAt !== undefined) return undefined;
    let newest: ServedState | undefined;
    for (const text of states) {
      const state = readServedState(text);
      if (state.seq < seqBefore) return undefined;
      if (newest === undefined || state.seq > newest.seq) newest = state;
    }
    return newest;
  }

  #poolOf(server: ReadServer): Pool {
    return server.pool(this.#reads ?? this.#probe);
  }

  #stateOf(server: ReadServer): Promise<StateReading> {
    return server.sharedState(this.#poolOf(server));
  }

  /** Notes how far a server is; throws if that is less than what was shown. */
  #admit(server: ReadServer, state: StateReading): void {
    this.#note(server, state);
    if (!this.#isCurrent(state)) throw new ServersBehind(`${server.name} is behind what was shown already`);
    this.#show(state);
  }

  #show({ seq, height }: ServedState): void {
    if (seq <= this.#shown.seq) return;
    this.#shown = { seq, height };
    this.#regressedAt = undefined;
  }

  #note(server: ReadServer, { seq, lostSteps }: StateReading): void {
    if (server.isPrimary && lostSteps && seq < this.#shown.seq) this.#regress();
    if (this.#regressedAt === undefined || performance.now() - this.#regressedAt < REGRESSION_MS) return;
    this.#options.log.error(
      { shown: this.#shown.height, height: this.#primary.height },
      'the database did not catch up with what was shown before; responses show its older state now',
    );
    this.#shown = { seq: this.#primary.seq, height: this.#primary.height };
    this.#regressedAt = undefined;
    this.#options.onRegression();
  }

  #regress(): void {
    this.#options.onRegression();
    if (this.#regressedAt !== undefined) return;
    this.#regressedAt = performance.now();
    this.#options.log.error(
      { shown: this.#shown.height, height: this.#primary.height },
      'the database has lost its last steps, by a crash or a failover; requests wait until it has them again',
    );
  }

  /** A request failed on it: it is checked at once, and gets no others until then. */
  #suspect(server: ReadServer, error: unknown): void {
    if (this.#servers.length === 1) return;
    if (!(error instanceof ServersBehind)) this.#set(server, 'unreachable', messageOf(error));
    server.pause.wake();
  }

  async #watch(server: ReadServer): Promise<void> {
    while (!server.pause.over) {
      const behind = this.#announced.lagMs(server.seq);
      const chase = server.condition === 'usable' && behind > 0 && behind < CHASE_FOR_MS;
      await server.pause.for(chase ? CHASE_MS : POLL_MS);
      if (!server.pause.over) await this.#look(server);
    }
  }

  async #look(server: ReadServer): Promise<void> {
    try {
      const sql = server.pool(this.#probe);
      const mismatch = server.isPrimary ? undefined : await this.#compare(server, sql);
      if (mismatch !== undefined) return this.#set(server, 'refused', mismatch);
      const state = await server.state(sql);
      if (server.pause.over) return;
      if (server.isPrimary) this.#announced.add(state.seq);
      this.#note(server, state);
      server.lagSeconds = this.#announced.lagMs(state.seq) / 1000;
      if (server.lagSeconds > this.#options.maxLagSeconds) {
        this.#set(server, 'behind', `it lags more than ${this.#options.maxLagSeconds} s behind the primary`);
      } else this.#set(server, 'usable');
    } catch (error) {
      if (!server.pause.over) this.#set(server, 'unreachable', messageOf(error));
    }
  }

  /** Compares a replica with the primary, now and then; at once if it was not usable. */
  async #compare(server: ReadServer, sql: Pool): Promise<string | undefined> {
    const now = performance.now();
    if (server.condition === 'usable' && now - server.comparedAt < COMPARE_MS) return undefined;
    const mismatch = await findMismatch(sql, this.#primaryForComparison());
    server.comparedAt = now;
    return mismatch;
  }

  /** Undefined while the primary does not respond: replicas stay in use then. */
  #primaryForComparison(): Pool | undefined {
    return this.#primary.condition === 'unreachable' ? undefined : this.#primary.pool(this.#probe);
  }

  #set(server: ReadServer, condition: ServerCondition, reason?: string): void {
    const before = server.condition;
    const changed = before !== condition || (condition === 'refused' && server.reason !== reason);
    server.condition = condition;
    server.reason = reason;
    if (!changed) return;
    const { log } = this.#options;
    const facts = { server: server.name, role: server.isPrimary ? 'primary' : 'replica', condition, reason };
    if (condition === 'usable') log.info(facts, `reads may use ${server.name}`);
    else log.warn(facts, `reads do not use ${server.name}: ${reason}`);
  }
}

const lessLoaded = (one: ReadServer, other: ReadServer) => {
  if (one.inFlight !== other.inFlight) return one.inFlight < other.inFlight ? one : other;
  return one.meanMs <= other.meanMs ? one : other;
};

type Outcome<T> = { value: T } | { error: unknown };

async function settle<T>(work: () => Promise<T> | T): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
