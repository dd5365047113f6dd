import { parseArgs } from 'node:util';
import { openBenchDatabase } from './support/bench-database.ts';
import { median, round, say } from './support/figures.ts';
import { loadHttp } from './support/http-load.ts';
import { ensureLoad } from './support/load.ts';
import { drawPoints, type Point } from './support/point-samples.ts';
import { replay, type Service, startService } from './support/service.ts';
import { type CpuClock, openCpuClock } from './support/usage.ts';

type Figures = Record<string, number>;
/** Microseconds of CPU time a request. */
type Cost = { process: number; database: number };

const concurrency = 8;
const passes = 3;
const warmUp = 300;
/** Too small for any response: every request reads the tables. */
const noResponseCache = { CAIRN_RESPONSE_CACHE_BYTES: '1024' };
/** A response that no statement is read for. */
const withoutRows = '/extended/v1/info/network_block_times';
const cachedPath = '/extended/v2/blocks?limit=20';

export const usage = {
  options: '[--blocks N] [--count N] [--only NAME,NAME]',
  about:
    'CPU time of single items and accounts, of the path of a request without statements, of cached responses and of 304.',
};

export async function run(args: string[]): Promise<Figures> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '2000' },
      count: { type: 'string', default: '1500' },
      only: { type: 'string' },
    },
  });
  const only = values.only?.split(',');
  const wanted = (name: string) => only === undefined || only.includes(name);
  const count = Number(values.count);
  const load = await ensureLoad({ blocks: Number(values.blocks), whale: 0.3 });
  const database = await openBenchDatabase();
  const figures: Figures = {};
  try {
    say(`replaying ${load.blocks} blocks`);
    await replay(database.dataDir, load.file);
    await database.sql`vacuum analyze`;
    const points = (await drawPoints(database.sql)).filter(({ name }) => wanted(name));
    const measure = async (service: Service, point: Point, requests: number) =>
      await costOf(service, await openCpuClock(service.pid, database.sql), point, requests);
    await using(database.dataDir, noResponseCache, async service => {
      say('points: warming up the code that they share');
      for (const { paths } of points) {
        await loadHttp({ port: service.apiPort, paths: distinct(paths), concurrency, count: warmUp });
      }
      for (const point of points) {
        const cost = await measure(service, point, count);
        figures[`${point.name}_process_us`] = round(cost.process);
        figures[`${point.name}_database_us`] = round(cost.database);
        say(
          `points: ${cost.process.toFixed(0)} µs + database ${cost.database.toFixed(0)} µs ${point.name} ${point.paths[0]}`,
        );
      }
      const bare = { name: 'path', paths: [withoutRows], status: 200 };
      if (wanted('path')) figures.path_us = round((await measure(service, bare, 2 * count)).process);
      const etag = await etagOf(service.apiPort, cachedPath);
      const unchanged = {
        name: 'not_modified',
        paths: [cachedPath],
        status: 304,
        shared: true,
        headers: { 'If-None-Match': etag },
      };
      if (wanted('not_modified')) {
        figures.not_modified_us = round((await measure(service, unchanged, 4 * count)).process);
      }
    });
    if (wanted('cached')) {
      const cached = { name: 'cached', paths: [cachedPath], status: 200, shared: true };
      await using(database.dataDir, {}, async service => {
        figures.cached_us = round((await measure(service, cached, 4 * count)).process);
      });
    }
    const worst = (part: string) =>
      Math.max(...points.filter(({ light }) => !light).map(({ name }) => figures[`${name}_${part}_us`]!));
    if (points.some(({ light }) => !light)) {
      Object.assign(figures, { worst_process_us: worst('process'), worst_database_us: worst('database') });
    }
  } finally {
    await database.stop();
  }
  return figures;
}

/** Equal requests in flight would share a response: URLs differ by a parameter that no route knows. */
function distinct(paths: readonly string[]): string[] {
  const times = Math.ceil((4 * concurrency) / paths.length);
  return Array.from({ length: times }, (_, i) =>
    paths.map(path => `${path}${path.includes('?') ? '&' : '?'}point=${i}`),
  ).flat();
}

async function using(dataDir: string, settings: Record<string, string>, work: (service: Service) => Promise<void>) {
  const service = await startService(dataDir, settings);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

/** The median cost of several passes, after one that warms up the code and the plans. */
async function costOf(service: Service, clock: CpuClock, point: Point, count: number): Promise<Cost> {
  const paths = point.shared ? point.paths : distinct(point.paths);
  const request = { port: service.apiPort, paths, headers: point.headers ?? {}, concurrency, count };
  await loadHttp(request);
  const costs: Cost[] = [];
  for (let pass = 0; pass < passes; pass++) {
    const before = await clock.read();
    const { statuses } = await loadHttp(request);
    const after = await clock.read();
    const other = [...statuses.keys()].filter(status => status !== point.status);
    if (other.length > 0) throw new Error(`${point.name}: ${point.paths[0]} was answered ${other.join(', ')}`);
    costs.push({
      process: (after.process - before.process) / count,
      database: (after.database - before.database) / count,
    });
  }
  return { process: median(costs.map(cost => cost.process)), database: median(costs.map(cost => cost.database)) };
}

async function etagOf(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  await response.arrayBuffer();
  return response.headers.get('etag')!;
}
