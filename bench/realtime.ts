import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { BlockFeed } from './support/block-feed.ts';
import { median, quantile, round, say } from './support/figures.ts';
import { type Service, startService } from './support/service.ts';
import { WsCrowd } from './support/ws-crowd.ts';

const idleClients = 2_000;
const subscribers = 1_000;
const fanoutBlocks = 30;
/** Blocks of one pass of ingest, with and without subscribers. */
const passBlocks = 60;

export const usage = {
  options: '[--passes N] [--only memory]',
  about:
    'What realtime costs: memory of idle clients, time until subscribers have a block, the rate of ingest with them.',
};

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: { passes: { type: 'string', default: '5' }, only: { type: 'string' } },
  });
  const database = await openBenchDatabase();
  try {
    const kbPerClient = await measureMemory(database);
    if (values.only === 'memory') return { kb_per_client: round(kbPerClient) };
    const service = await startService(database.dataDir);
    try {
      const feed = await BlockFeed.open(service, database);
      const fanout = await measureFanout(service, feed);
      const kept = await measureIngest(service, feed, Number(values.passes));
      feed.close();
      return {
        kb_per_client: round(kbPerClient),
        fanout_p50_ms: round(median(fanout)),
        fanout_p99_ms: round(quantile(fanout, 0.99)),
        ingest_kept: round(kept),
      };
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
  }
}

/** Resident memory of a process now. */
const residentKb = (pid: number) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

async function measureMemory(database: BenchDatabase): Promise<number> {
  const service = await startService(database.dataDir);
  try {
    // Memory that the first connections load and compile is excluded.
    const warm = new WsCrowd();
    await warm.open(service.apiPort, 200);
    await warm.close();
    await sleep(2_000);
    // Memory that was allocated and not used yet hides the first connections: the larger of two steps counts.
    const sizes = [residentKb(service.pid)];
    const crowds: WsCrowd[] = [];
    for (let step = 0; step < 2; step++) {
      const crowd = new WsCrowd();
      crowds.push(crowd);
      await crowd.open(service.apiPort, idleClients);
      await sleep(3_000);
      sizes.push(residentKb(service.pid));
    }
    say(
      `memory: ${sizes.map(kb => Math.round(kb / 1024)).join(', ')} MB with 0, ${idleClients}, ${2 * idleClients} clients`,
    );
    for (const crowd of crowds) await crowd.close();
    return Math.max(sizes[1]! - sizes[0]!, sizes[2]! - sizes[1]!) / idleClients;
  } finally {
    await service.stop();
  }
}

async function measureFanout(service: Service, feed: BlockFeed): Promise<number[]> {
  const crowd = new WsCrowd();
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

/** Passes without and with subscribers take turns, so that both meet the same machine. */
async function measureIngest(service: Service, feed: BlockFeed, passes: number): Promise<number> {
  const rates: Record<'alone' | 'followed', number[]> = { alone: [], followed: [] };
  for (let pass = 0; pass < passes; pass++) {
    rates.alone.push(await rateOf(feed));
    const crowd = new WsCrowd();
    await crowd.open(service.apiPort, subscribers);
    rates.followed.push(await rateOf(feed));
    await crowd.arrivals(passBlocks);
    await crowd.close();
    say(`ingest: ${rates.alone.at(-1)!.toFixed(1)} blocks/s alone, ${rates.followed.at(-1)!.toFixed(1)} followed`);
  }
  return median(rates.followed) / median(rates.alone);
}

async function rateOf(feed: BlockFeed): Promise<number> {
  const messages = feed.prepare(passBlocks);
  const started = performance.now();
  await feed.post(messages);
  return (passBlocks * 1000) / (performance.now() - started);
}
