import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { FaultProxy } from './fault-proxy.ts';
import { FaultServer } from './fault-server.ts';
import { ServiceProcess } from './service-process.ts';
import { SteadyReads } from './steady-reads.ts';
import { SteadyWrites } from './steady-writes.ts';

/**
 * How service and server are connected: one process with a server of its own over a unix socket; or one process that ingests
 * and one that answers, both behind a proxy, over TCP or over a unix socket.
 */
export type Layout = 'embedded' | 'tcp' | 'unix';
export const layouts: readonly Layout[] = ['embedded', 'tcp', 'unix'];

export type BedOptions = {
  layout: Layout;
  /** The compiled program. */
  program: string;
  seed: number;
  /** Settings in addition to those of the layout. */
  env?: Record<string, string>;
  /** Arguments of Node.js for every process of the service. */
  nodeArguments?: readonly string[];
  /** Milliseconds between two blocks. */
  everyMs?: number;
  /** How long reads and writes may take until all is well again; a response that takes as long has not come. */
  patienceMs?: number;
};

const queryTimeoutSeconds = 2;

/** A response needs two consecutive statements, each of which ends at most a second after its timeout. */
const deadlineMs = 2 * (queryTimeoutSeconds + 1) * 1000 + 1000;

/** The service with its server under steady reads and writes, to be disturbed. */
export class FaultBed {
  readonly layout: Layout;
  readonly server: FaultServer;
  /** Between service and server; an embedded server has none. */
  readonly proxy: FaultProxy | undefined;
  readonly writes: SteadyWrites;
  readonly reads: SteadyReads;
  readonly patienceMs: number;
  /** Processes of the service that ended by themselves. */
  ended = 0;
  readonly #folder: string;
  readonly #start: (() => Promise<ServiceProcess>)[];
  #services: ServiceProcess[];

  private constructor(
    options: BedOptions,
    parts: { folder: string; server: FaultServer; proxy?: FaultProxy | undefined },
    start: (() => Promise<ServiceProcess>)[],
    services: ServiceProcess[],
  ) {
    this.layout = options.layout;
    this.#folder = parts.folder;
    this.server = parts.server;
    this.proxy = parts.proxy;
    this.#start = start;
    this.#services = services;
    const { seed, everyMs } = options;
    this.patienceMs = options.patienceMs ?? 25_000;
    const observers = () => this.#services.map(({ observerPort }) => observerPort).filter(port => port > 0);
    this.writes = new SteadyWrites({ seed, ports: observers, ...(everyMs !== undefined && { everyMs }) });
    const port = () => this.#services.find(({ apiPort }) => apiPort > 0)?.apiPort;
    const readMs = options.patienceMs ?? deadlineMs;
    this.reads = new SteadyReads({ writes: this.writes, port, deadlineMs: readMs, connections: 8 });
  }

  static async open(options: BedOptions): Promise<FaultBed> {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-faults-'));
    chmodSync(folder, 0o755);
    const dataDir = join(folder, 'data');
    const { program, layout, nodeArguments } = options;
    const common = { CAIRN_DATA_DIR: dataDir, CAIRN_QUERY_TIMEOUT: String(queryTimeoutSeconds), ...options.env };
    const starting = (env: Record<string, string>) => () =>
      ServiceProcess.start({ program, env: { ...common, ...env }, ...(nodeArguments && { nodeArguments }) });
    // If a later part does not start, the started ones are stopped, last part first.
    const started: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
    const startAll = async (start: (() => Promise<ServiceProcess>)[]) => {
      const services: ServiceProcess[] = [];
      for (const each of start) {
        const service = await each();
        started.push(() => service.stop());
        services.push(service);
      }
      return services;
    };
    try {
      if (layout === 'embedded') {
        const start = [starting({})];
        const services = await startAll(start);
        return await FaultBed.#begin(
          new FaultBed(options, { folder, server: FaultServer.of(dataDir) }, start, services),
        );
      }
      const port = layout === 'tcp' ? await freePort() : undefined;
      const server = await FaultServer.start(dataDir, port);
      started.push(() => server.stop());
      const socket = join(folder, '.s.PGSQL.5432');
      const proxy =
        port === undefined
          ? await FaultProxy.open({ path: socket }, server.socket)
          : await FaultProxy.open({ port: 0 }, { port });
      started.push(() => proxy.close());
      const url = port === undefined ? server.urlAt(folder, 5432) : server.urlAt('127.0.0.1', proxy.port);
      const start = ['ingest', 'api'].map(role => starting({ DATABASE_URL: url, CAIRN_ROLE: role }));
      const services = await startAll(start);
      return await FaultBed.#begin(new FaultBed(options, { folder, server, proxy }, start, services));
    } catch (error) {
      for (const stop of started.reverse()) await stop();
      throw error;
    }
  }

  static async #begin(bed: FaultBed): Promise<FaultBed> {
    await bed.writes.start(60);
    bed.reads.start();
    await bed.calm();
    return bed;
  }

  /** The newest warnings and errors in the logs. */
  get warnings(): string[] {
    return this.#services.flatMap(({ lines }) => lines.filter(line => !line.includes('"level":30')).slice(-5));
  }

  get services(): readonly ServiceProcess[] {
    return this.#services;
  }

  /** Waits until reads are right and the tip follows the writes. */
  async calm(): Promise<void> {
    const start = Date.now();
    await this.reads.recovered(start, this.patienceMs);
    await this.caughtUp();
  }

  /** Waits until a block that is acknowledged now is shown; seconds that took. */
  async caughtUp(): Promise<number> {
    const start = Date.now();
    const wanted = this.writes.height + 1;
    while (this.reads.tip < wanted && Date.now() < start + this.patienceMs) await sleep(20);
    return (Date.now() - start) / 1000;
  }

  /** Starts processes anew that have ended, and counts them. */
  async replaceEnded(): Promise<number> {
    let ended = 0;
    for (const [i, service] of this.#services.entries()) {
      if (!service.died) continue;
      ended++;
      this.#services[i] = await this.#start[i]!();
    }
    this.ended += ended;
    return ended;
  }

  /** Starts one more process of the same kind as an earlier one. */
  async add(which: number): Promise<ServiceProcess> {
    const service = await this.#start[which]!();
    this.#services.push(service);
    return service;
  }

  /** Stops writing, waits until all is folded, and counts acknowledged blocks that are missing or wrong. */
  async countLost(onLost: (problem: string) => void = () => {}): Promise<number> {
    await this.writes.stop();
    const { blocks, height } = this.writes;
    for (const end = Date.now() + this.patienceMs; this.reads.tip < height && Date.now() < end; ) await sleep(20);
    let lost = 0;
    for (const known of blocks) {
      const problem = known && (await this.reads.verify(known));
      if (!problem) continue;
      lost++;
      onLost(problem);
    }
    const [log] = await this.server.ask<{ events: string }>('select last_id as events from event_log_head');
    return lost + Math.max(0, this.writes.events - Number(log!.events));
  }

  async close(): Promise<void> {
    await this.writes.stop();
    await this.reads.stop();
    for (const service of this.#services) await service.stop();
    await this.proxy?.close();
    await this.server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
