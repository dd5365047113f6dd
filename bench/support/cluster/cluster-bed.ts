import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultProxy } from '../faults/fault-proxy.ts';
import { ServiceProcess } from '../faults/service-process.ts';
import { SteadyWrites } from '../faults/steady-writes.ts';
import { ClusterReads } from './cluster-reads.ts';
import { DatabaseCluster, type Member } from './database-cluster.ts';

export type ClusterBedOptions = {
  program: string;
  synchronous: boolean;
  perSecond: number;
  seed: number;
  /** Names only the primary in DATABASE_URL, for programs that know no other hosts. */
  oneHost?: boolean;
};

/** Two observers, two API processes, a primary and two standbys, under steady reads and writes. */
export class ClusterBed {
  readonly folder: string;
  readonly cluster: DatabaseCluster;
  /** Between the API processes and the primary. */
  readonly proxy: FaultProxy;
  readonly writes: SteadyWrites;
  readonly reads: ClusterReads;
  observers: ServiceProcess[] = [];
  apis: ServiceProcess[] = [];
  readonly #hosts: readonly Member[];
  #turn = 0;

  private constructor(folder: string, cluster: DatabaseCluster, proxy: FaultProxy, options: ClusterBedOptions) {
    this.folder = folder;
    this.cluster = cluster;
    this.proxy = proxy;
    this.#hosts = options.oneHost ? [cluster.primary] : cluster.members;
    this.writes = new SteadyWrites({ seed: options.seed, ports: () => this.#observerPorts(), everyMs: 200 });
    const ports = () => this.apis.filter(api => !api.ended).map(({ apiPort }) => apiPort);
    this.reads = new ClusterReads({ writes: this.writes, ports, perSecond: options.perSecond });
  }

  static async open(options: ClusterBedOptions): Promise<ClusterBed> {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-cluster-'));
    chmodSync(folder, 0o755);
    const cluster = await DatabaseCluster.open({ folder, standbys: 2, synchronous: options.synchronous });
    const proxy = await FaultProxy.open({ port: 0 }, { port: cluster.primary.port });
    const bed = new ClusterBed(folder, cluster, proxy, options);
    try {
      bed.observers = [await bed.startObserver(options.program, 0), await bed.startObserver(options.program, 1)];
      await bed.writes.start(30);
      bed.apis = [await bed.startApi(options.program), await bed.startApi(options.program)];
      bed.reads.start();
      await bed.settled();
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  startObserver(program: string, index: number): Promise<ServiceProcess> {
    const DATABASE_URL = this.cluster.urlOf(...this.#hosts);
    const env = { DATABASE_URL, CAIRN_ROLE: 'ingest', CAIRN_DATA_DIR: join(this.folder, `observer${index}`) };
    return ServiceProcess.start({ program, env });
  }

  startApi(program: string): Promise<ServiceProcess> {
    const { cluster, proxy } = this;
    const DATABASE_URL = cluster.urlOf(...this.#hosts).replace(`:${cluster.primary.port}`, `:${proxy.port}`);
    const CAIRN_READ_URLS = cluster.standbys.map(standby => standby.url).join(',');
    return ServiceProcess.start({
      program,
      env: { DATABASE_URL, CAIRN_READ_URLS, CAIRN_ROLE: 'api', CAIRN_QUERY_TIMEOUT: '2' },
    });
  }

  /** Waits until reads succeed and show blocks that are written now; false if that takes too long. */
  async settled(patienceMs = 40_000): Promise<boolean> {
    const end = Date.now() + patienceMs;
    const wanted = this.writes.height + 1;
    while (this.reads.tip < wanted && Date.now() < end) await sleep(20);
    return this.reads.tip >= wanted && (await this.reads.calm(end - Date.now()));
  }

  /** Compares the tables of the primary with the acknowledged blocks. */
  async compare(): Promise<{ lost: number; doubled: number }> {
    const known = this.writes.blocks.flatMap(block => (block ? [block] : []));
    const height = known.at(-1)?.height ?? 0;
    for (const end = Date.now() + 30_000; this.reads.tip < height && Date.now() < end; ) await sleep(20);
    const { server } = this.cluster.current;
    const rows = await server.ask<{ height: number; hash: string; transactions: number }>(`
      select b.height, '0x' || encode(b.hash, 'hex') as hash,
        (select count(*)::int from transactions t where t.height = b.height) as transactions
      from blocks b where b.height > 1
    `);
    const stored = new Map(rows.map(row => [row.height, row]));
    const lost = known.filter(block => stored.get(block.height)?.hash !== block.hash).length;
    const extra = known.filter(block => (stored.get(block.height)?.transactions ?? 0) > block.transactions.length);
    return { lost, doubled: rows.length - stored.size + extra.length };
  }

  /** The newest warnings of all processes. */
  get warnings(): string[] {
    return [...this.observers, ...this.apis].flatMap(({ lines }) =>
      lines.filter(line => !line.includes('"level":30')).slice(-4),
    );
  }

  async close(): Promise<void> {
    await this.writes.stop();
    await this.reads.stop();
    await Promise.all([...this.observers, ...this.apis].map(service => service.stop()));
    await this.proxy.close();
    await this.cluster.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The next observer first: posts go to all in turn. */
  #observerPorts(): number[] {
    const running = this.observers.filter(observer => !observer.ended).map(({ observerPort }) => observerPort);
    const from = this.#turn++ % Math.max(1, running.length);
    return [...running.slice(from), ...running.slice(0, from)];
  }
}
