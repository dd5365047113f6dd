import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from './support/bench-database.ts';
import { median, quantile, round, say } from './support/figures.ts';
import { loadHttp } from './support/http-load.ts';
import { type Service, startService } from './support/service.ts';
import { type Sample, SteadyLoad } from './support/steady-load.ts';
import { usageOf } from './support/usage.ts';

type Figures = Record<string, number>;

const path = '/v2/accounts/SP000000000000000000002Q6VF78?proof=0';
const concurrency = 32;
/** Short turns, so that both see the same moments of a machine that does other things too. */
const requestsPerRound = 3000;
const warmUp = 20_000;
const hedgeMs = 250;
/** For the part with a node that hangs: the time of a request on a node, and requests per second. */
const nodeMs = 5;
const perSecond = 200;

export const usage = {
  options: '[--rounds N]',
  about: 'The proxy in front of three nodes, compared with a bare undici proxy; then one node starts to hang.',
};

export async function run(args: string[]): Promise<Figures> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '15' } } });
  const database = await openBenchDatabase();
  const nodes = start('rpc-nodes', ['3']);
  try {
    const urls = ((await message(nodes)) as number[]).map(port => `http://127.0.0.1:${port}`);
    const bare = start('bare-proxy', urls);
    const barePort = (await message(bare)) as number;
    const service = await startService(database.dataDir, {
      CAIRN_NODES: urls.join(','),
      CAIRN_NODE_HEDGE_DELAY: String(hedgeMs),
    });
    try {
      const figures = await compare(service, { port: barePort, pid: bare.pid! }, Number(values.rounds));
      return { ...figures, ...(await hang(service.apiPort, nodes)) };
    } finally {
      bare.disconnect();
      await service.stop();
    }
  } finally {
    nodes.disconnect();
    await database.stop();
  }
}

async function compare(service: Service, bare: { port: number; pid: number }, rounds: number): Promise<Figures> {
  const measure = async (port: number, pid: number, count = requestsPerRound) => {
    const before = usageOf(pid)?.cpuSeconds ?? 0;
    const { perSecond: rate, statuses } = await loadHttp({ port, paths: [path], concurrency, count });
    if (statuses.get(200) !== count) throw new Error(`not all were answered: ${[...statuses]}`);
    return { rate, cpu: (usageOf(pid)?.cpuSeconds ?? 0) - before };
  };
  const ours: { rate: number; cpu: number }[] = [];
  const bares: { rate: number; cpu: number }[] = [];
  await measure(service.apiPort, service.pid, warmUp);
  await measure(bare.port, bare.pid, warmUp);
  for (let i = 0; i < rounds; i++) {
    const [one, other] = [await measure(service.apiPort, service.pid), await measure(bare.port, bare.pid)];
    say(`${Math.round(one.rate)}/s, bare ${Math.round(other.rate)}/s`);
    ours.push(one);
    bares.push(other);
  }
  return {
    proxy_per_s: round(median(ours.map(each => each.rate))),
    bare_per_s: round(median(bares.map(each => each.rate))),
    proxy_vs_bare: round(median(ours.map((each, i) => each.rate / bares[i]!.rate))),
    proxy_cpu_us: round((median(ours.map(each => each.cpu)) / requestsPerRound) * 1e6),
    bare_cpu_us: round((median(bares.map(each => each.cpu)) / requestsPerRound) * 1e6),
  };
}

async function hang(port: number, nodes: ChildProcess): Promise<Figures> {
  await order(nodes, { hanging: -1, delayMs: nodeMs });
  const load = new SteadyLoad(port, path, perSecond);
  await sleep(1000); // warming up
  const start = performance.now();
  await sleep(6000);
  say('one node hangs');
  await order(nodes, { hanging: 0, delayMs: nodeMs });
  const hung = performance.now();
  await sleep(8000);
  await load.stop();
  const p99 = (from: number, to: number) =>
    quantile(
      load.samples.filter(isIn(from, to)).map(each => each.ms),
      0.99,
    );
  const healthy = p99(start, hung - 500);
  const ejecting = p99(hung, hung + 2000);
  const later = p99(hung + 2000, Number.POSITIVE_INFINITY);
  return {
    p99_healthy_ms: round(healthy),
    p99_ejecting_ms: round(ejecting),
    p99_ejecting_allowed_ms: round(hedgeMs + 2 * healthy),
    p99_one_hanging: round(later / healthy),
    p99_one_hanging_ms: round(later),
    failed: load.samples.filter(each => each.status !== 200).length,
  };
}

const isIn =
  (from: number, to: number) =>
  ({ at }: Sample) =>
    at >= from && at < to;

function start(name: string, args: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./support/${name}.js`, import.meta.url));
  return fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function message(child: ChildProcess): Promise<unknown> {
  const [value] = await once(child, 'message');
  return value;
}

async function order(nodes: ChildProcess, orders: { hanging: number; delayMs: number }): Promise<void> {
  const done = message(nodes);
  nodes.send(orders);
  await done;
}
