import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { readPostmaster } from '../../../src/db/embedded/server.ts';
import type { Endpoint } from './fault-proxy.ts';

/** None of the faults is a power cut. */
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '100', shared_buffers: '64MB' };

/** A PostgreSQL server that can be killed, frozen and moved: one of the harness, or that which the service runs itself. */
export class FaultServer {
  readonly #dataDir: string;
  #embedded: Embedded | undefined;
  /** Port of 127.0.0.1, in addition to the unix socket. */
  #port: number | undefined;
  /** Server settings in addition to the usual ones. */
  readonly #settings: Record<string, string>;

  private constructor(dataDir: string, more: Record<string, string> = {}) {
    this.#dataDir = dataDir;
    this.#settings = { ...settings, ...more };
  }

  /** A server that the harness starts and starts again. */
  static async start(dataDir: string, port?: number, more: Record<string, string> = {}): Promise<FaultServer> {
    const server = new FaultServer(dataDir, more);
    server.#port = port;
    server.#embedded = await server.#launch();
    return server;
  }

  /** The server that a service runs in its data folder, and starts again itself. */
  static of(dataDir: string): FaultServer {
    return new FaultServer(dataDir);
  }

  get socket(): Endpoint & { path: string } {
    const { socketFolder, port } = this.#postmaster();
    return { path: join(socketFolder, `.s.PGSQL.${port}`) };
  }

  /** The folder of the server's own files. */
  get cluster(): string {
    return join(this.#dataDir, 'postgres', 'cluster');
  }

  get pid(): number {
    return this.#postmaster().pid;
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  /** The server process and all it has started. */
  pids(): number[] {
    const { pid } = this.#postmaster();
    const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const children = list
      .trim()
      .split('\n')
      .map(line => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === pid);
    return [pid, ...children.map(([child]) => child!)];
  }

  /** A URL with this server's role and database, at any host and port. */
  urlAt(host: string, port: number): string {
    const password = readFileSync(join(this.#dataDir, 'postgres.password'), 'utf8');
    return `postgres://cairn:${password}@${host.startsWith('/') ? encodeURIComponent(host) : host}:${port}/cairn`;
  }

  /** Queries the server directly, without a proxy. */
  async ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { socketFolder, port } = this.#postmaster();
    const client = new pg.Client({
      connectionString: this.urlAt(socketFolder, port),
      connectionTimeoutMillis: 2_000,
      query_timeout: 30_000,
      application_name: 'fault harness',
    });
    client.on('error', () => {}); // the statement under way says so, too
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Ends the server process at once; the processes of its connections notice by and by. */
  kill(): void {
    process.kill(this.pid, 'SIGKILL');
  }

  /** Restarts a killed server, or waits for one that a service runs. Resolves when it responds. */
  async revive(): Promise<void> {
    if (this.#embedded) {
      const old = this.#embedded;
      this.#embedded = await this.#launch();
      await old.stop();
      return;
    }
    for (const end = Date.now() + 60_000; ; ) {
      try {
        await this.ask('select 1');
        return;
      } catch (error) {
        if (Date.now() > end) throw new Error('the server did not come back', { cause: error });
        await sleep(20);
      }
    }
  }

  /** Stops every process of the server until the result is called. */
  freeze(): () => void {
    const pids = this.pids();
    for (const pid of pids) signal(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) signal(pid, 'SIGCONT');
    };
  }

  /** Stops the server in order and starts it on another port. */
  async move(port: number): Promise<void> {
    if (!this.#embedded) throw new Error('only a server of the harness can be moved');
    await this.#embedded.stop();
    this.#port = port;
    this.#embedded = await this.#launch();
  }

  async stop(): Promise<void> {
    await this.#embedded?.stop();
  }

  #launch(): Promise<Embedded> {
    const port = this.#port;
    return startEmbedded({ dataDir: this.#dataDir, settings: this.#settings, ...(port !== undefined && { port }) });
  }

  #postmaster() {
    const found = readPostmaster(this.cluster);
    if (!found) throw new Error('the server does not run');
    return found;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
