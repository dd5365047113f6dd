import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '@cairn-stacks/client';
import { Random } from '@cairn-stacks/devnet/random';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { BlockFeed } from './support/block-feed.ts';
import { brokerReader } from './support/broker-reader.ts';
import { FaultProxy } from './support/faults/fault-proxy.ts';
import { type FeedReader, sinkReader, streamReader } from './support/feed-readers.ts';
import { compareWith } from './support/feed-record.ts';
import { median, quantile, round, say } from './support/figures.ts';
import { type CanonicalBlock, ForkingChain } from './support/forking-chain.ts';
import { hookNetworks, hookReader } from './support/hook-reader.ts';
import { startNatsServer } from './support/nats-server.ts';
import { collectsOnSignal, type Service, startService } from './support/service.ts';
import { SseCrowd } from './support/sse-crowd.ts';
import { openCpuClock } from './support/usage.ts';

const idleClients = 10_000;
const firstClients = 5_000;
const subscribers = 1_000;
const fanoutBlocks = 30;
/** Blocks of one pass with and without subscribers. */
const passBlocks = 30;
const streamReaders = 6;
const sinkReaders = 2;
const hookReaders = 2;
const brokerReaders = 2;
/** One fault in this number kills the service, which takes seconds to start again. */
const killServiceEvery = 50;

export const usage = {
  options: '[--faults N] [--seed N] [--only faults|memory|fanout] [--passes N]',
  about:
    'Streams: what clients and sinks have after faults of every kind, memory of idle clients, time until subscribers have a block.',
};

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: {
      faults: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      passes: { type: 'string', default: '3' },
    },
  });
  const wants = (part: string) => values.only === undefined || values.only === part;
  const figures: Record<string, number> = {};
  if (wants('faults')) Object.assign(figures, await withDatabase(db => faultFigures(db, values.faults, values.seed)));
  if (wants('memory')) figures.kb_per_client = round(await withDatabase(measureMemory));
  if (wants('fanout')) Object.assign(figures, await withDatabase(db => measureFanout(db, Number(values.passes))));
  return figures;
}

async function withDatabase<T>(work: (database: BenchDatabase) => Promise<T>): Promise<T> {
  const database = await openBenchDatabase();
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

/** Forks, cuts, restarts and kills of the service, of clients, of sinks, of receivers, of their connections and of the broker. */
async function faultFigures(database: BenchDatabase, faultsWanted: string, seed: string) {
  const broker = await startNatsServer();
  if (!broker) say('feeds: without a broker, because nats-server is not installed');
  const settings = {
    CAIRN_WEBHOOK_ALLOW: hookNetworks,
    ...(broker && { CAIRN_PUBLISH: `nats://${broker.address}`, CAIRN_PUBLISH_FROM: '1' }),
  };
  let service = await startService(database.dataDir, settings);
  const { apiPort, observerPort, metricsPort } = service;
  const admin = `http://127.0.0.1:${metricsPort}/admin/webhooks`;
  const proxy = await FaultProxy.open({ port: 0 }, { port: apiPort });
  const client = new Client(`http://127.0.0.1:${proxy.port}`);
  const chain = new ForkingChain(Number(seed), observerPort);
  const random = new Random(Number(seed));
  const readers: FeedReader[] = [];
  let faults = 0;
  const anyReader = () => readers[random.below(readers.length)]!;
  const kinds: (() => Promise<unknown>)[] = [
    async () => anyReader().kill(),
    () => proxy.resetDuringResponses(random.below(4_000), 200),
    () => database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'cairn api%' and pid <> pg_backend_pid()
    `,
  ];
  if (broker) kinds.push(() => broker.restart());
  const killService = async () => {
    const ports = {
      CAIRN_API_PORT: String(apiPort),
      CAIRN_OBSERVER_PORT: String(observerPort),
      CAIRN_METRICS_PORT: String(metricsPort),
      ...settings,
    };
    process.kill(service.pid, 'SIGKILL');
    await service.stop();
    // A node goes on meanwhile and repeats events that were not accepted.
    const starting = startService(database.dataDir, ports);
    await Promise.all([starting, chain.step()]);
    service = await starting;
  };
  try {
    await chain.grow(5);
    for (let i = 0; i < streamReaders; i++) readers.push(streamReader(client));
    for (let i = 0; i < sinkReaders; i++) readers.push(await sinkReader(client, database.url, `sink_${i}`));
    for (let i = 0; i < hookReaders; i++) readers.push(await hookReader(admin, `hook-${i}`));
    if (broker) for (let i = 0; i < brokerReaders; i++) readers.push(brokerReader(broker.address, `consumer-${i}`));
    const wanted = Number(faultsWanted);
    while (faults + chain.forks < wanted) {
      await chain.step();
      faults++;
      if (faults % killServiceEvery === 0) await killService();
      else await kinds[random.below(kinds.length)]!();
      if (faults % 100 === 0) say(`feeds: ${faults} faults and ${chain.forks} forks in ${chain.blocks} blocks`);
    }
    const figures = await settle(readers, chain.canonical);
    for (const reader of readers) await reader.stop();
    return { faults: faults + chain.forks, forks: chain.forks, blocks: chain.blocks, ...figures };
  } finally {
    for (const reader of readers) await reader.stop();
    chain.close();
    proxy.close();
    await service.stop();
    await broker?.stop();
  }
}

/** Waits until all readers have the tip, and compares what they have with what the node has posted. */
async function settle(readers: readonly FeedReader[], canonical: readonly CanonicalBlock[]) {
  const { hash } = canonical.at(-1)!;
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
    const tips = await Promise.all(readers.map(reader => reader.tip()));
    if (tips.every(tip => tip === hash)) break;
  }
  const figures = { missed: 0, repeated: 0, out_of_order: 0 };
  for (const reader of readers) {
    const { missed, extra } = compareWith(canonical, await reader.blocks());
    const { repeated, outOfOrder } = reader.faultsOfOrder();
    figures.missed += missed;
    figures.repeated += repeated + extra;
    figures.out_of_order += outOfOrder;
  }
  if (Object.values(figures).some(count => count > 0)) process.exitCode = 1;
  return figures;
}

/** Resident memory of a process now. */
const residentKb = (pid: number) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/**
 * What idle clients keep in memory. The first ones fill what the start of the service has left free, so that the next ones are measured.
 * Garbage of their requests is collected before and after: it is as much as the engine allows itself, however few clients stay.
 */
async function measureMemory(database: BenchDatabase): Promise<number> {
  const service = await startService(database.dataDir, { CAIRN_WS_MAX_CONNECTIONS: '30000' }, collectsOnSignal);
  try {
    const crowd = new SseCrowd();
    const opened = async (clients: number) => {
      await crowd.open(service.apiPort, clients);
      // One heartbeat reaches each of them.
      await sleep(20_000);
      const uncollected = residentKb(service.pid);
      for (let i = 0; i < 3; i++) {
        process.kill(service.pid, 'SIGUSR2');
        await sleep(2_000);
      }
      const kb = residentKb(service.pid);
      say(`memory: ${megabytes(uncollected)} MB with ${clients} more clients, collected ${megabytes(kb)} MB`);
      return kb;
    };
    const before = await opened(firstClients);
    const after = await opened(idleClients);
    await crowd.close();
    return (after - before) / idleClients;
  } finally {
    await service.stop();
  }
}

const megabytes = (kb: number) => Math.round(kb / 1024);

async function measureFanout(database: BenchDatabase, passes: number) {
  const service = await startService(database.dataDir);
  try {
    const feed = await BlockFeed.open(service, database);
    const delays = await fanoutDelays(service, feed);
    const ratio = await cpuRatio(service, database, feed, passes);
    feed.close();
    return {
      fanout_p50_ms: round(median(delays)),
      fanout_p99_ms: round(quantile(delays, 0.99)),
      cpu_ratio: round(ratio),
    };
  } finally {
    await service.stop();
  }
}

async function fanoutDelays(service: Service, feed: BlockFeed): Promise<number[]> {
  const crowd = new SseCrowd();
  await crowd.open(service.apiPort, subscribers);
  const delays: number[] = [];
  for (let block = 1; block <= fanoutBlocks + 5; block++) {
    const committed = await feed.alone();
    const arrived = await crowd.arrivals(block);
    // The first ones warm up.
    if (block > 5) delays.push(...arrived.map(at => at - committed));
  }
  await crowd.close();
  say(`fan-out: p50 ${median(delays).toFixed(1)} ms, p99 ${quantile(delays, 0.99).toFixed(1)} ms`);
  return delays;
}

/** CPU time a block of the service and the database; passes without and with subscribers take turns. */
async function cpuRatio(service: Service, database: BenchDatabase, feed: BlockFeed, passes: number): Promise<number> {
  const clock = await openCpuClock(service.pid, database.sql);
  const spent: Record<'alone' | 'followed', number[]> = { alone: [], followed: [] };
  const pass = async (kind: 'alone' | 'followed', crowd?: SseCrowd) => {
    const before = await clock.read();
    for (let i = 0; i < passBlocks; i++) await feed.alone();
    await crowd?.arrivals(passBlocks);
    const after = await clock.read();
    const micros = after.process - before.process + after.database - before.database;
    spent[kind].push(micros / passBlocks / 1000);
  };
  for (let i = 0; i < passes; i++) {
    await pass('alone');
    const crowd = new SseCrowd();
    await crowd.open(service.apiPort, subscribers);
    await pass('followed', crowd);
    await crowd.close();
    await sleep(1_000);
    say(`CPU a block: ${spent.alone.at(-1)!.toFixed(1)} ms alone, ${spent.followed.at(-1)!.toFixed(1)} ms followed`);
  }
  // Other work on the machine only adds: the least is what it takes.
  return Math.min(...spent.followed) / Math.min(...spent.alone);
}
