import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { OpenApi } from '../src/api/docs/openapi.ts';
import type { Pool } from '../src/db/client.ts';
import { measureCpu } from './support/api-cpu.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { median, quantile, round, say } from './support/figures.ts';
import { loadHttp } from './support/http-load.ts';
import { largest, listRoutes, type ReadRoute, takes, urlOf } from './support/list-routes.ts';
import { ensureLoad } from './support/load.ts';
import { drawSamples, type Sample } from './support/samples.ts';
import { replay, startService } from './support/service.ts';
import { compareWhale, findAccounts } from './support/whale.ts';

type Figures = Record<string, number>;

const concurrency = 16;
const passes = 3;
/** Requests to each list before any is measured, and before it is itself: they warm up the code, not the cache, which is off. */
const warmUpOf = (requests: number) => requests / 4;
/** Too small for any response: every request reads the tables. */
const noResponseCache = { CAIRN_RESPONSE_CACHE_BYTES: '1024' };
/** Too small for any list item: every response is rendered from rows. */
const noCaches = { ...noResponseCache, CAIRN_ITEM_CACHE_BYTES: '1024' };

/** CPU time a request: responses from the cache, rendered from cached list items, rendered from rows; requests of each route. */
const cpuRuns: [name: string, settings: Record<string, string>, count: number][] = [
  ['cached', {}, 5000],
  ['list', noResponseCache, 1000],
  ['bare', noCaches, 1000],
];

export const usage = {
  options: '[--blocks N] [--only hot|list|bare|whale|cpu] [--requests N]',
  about: 'Answers on a chain of 2,000 blocks where one account sends 30% of the transactions.',
};

export async function run(args: string[]): Promise<Figures> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '2000' },
      only: { type: 'string' },
      // To each list: so many that one pause of the process does not dominate, which delays at most `concurrency` of them.
      requests: { type: 'string', default: '2000' },
    },
  });
  const requests = Number(values.requests);
  const wanted = (part: string) => values.only === undefined || values.only === part;
  const load = await ensureLoad({ blocks: Number(values.blocks), whale: 0.3 });
  const database = await openBenchDatabase();
  const figures: Figures = {};
  try {
    say(`replaying ${load.blocks} blocks`);
    await replay(database.dataDir, load.file);
    // The autovacuum of the server does this within minutes after a load.
    await database.sql`vacuum analyze`;
    const samples = await drawSamples(database.sql, 400);
    if (wanted('list') || wanted('whale')) {
      const service = await startService(database.dataDir, noResponseCache);
      const port = service.apiPort;
      try {
        await untilAudited(database.sql);
        const document = await documentOf(port);
        if (wanted('list')) {
          const { worst, measured, known } = await measureLists(port, listRoutes(document), samples, {
            passes,
            requests,
          });
          Object.assign(figures, { list_p99_ms: worst, lists_measured: measured, lists_known: known });
        }
        if (wanted('whale')) {
          const accounts = await findAccounts(database.sql);
          say(
            `the whale has ${accounts.whale.transactions} transactions, the others about ${accounts.ordinary[0]?.transactions}`,
          );
          const routes = listRoutes(document).filter(route => /\{(principal|address)\}/.test(route.path));
          const ratios = await compareWhale(port, routes, balancePaths(document), accounts);
          figures.whale_ratio = round(Math.max(...ratios.values()));
        }
      } finally {
        await service.stop();
      }
    }
    if (wanted('bare')) {
      const service = await startService(database.dataDir, noCaches);
      try {
        await untilAudited(database.sql);
        const document = await documentOf(service.apiPort);
        const counts = { passes: 1, requests };
        figures.list_p99_bare_ms = (await measureLists(service.apiPort, listRoutes(document), samples, counts)).worst;
      } finally {
        await service.stop();
      }
    }
    if (wanted('cpu')) {
      for (const [name, settings, count] of cpuRuns) {
        const service = await startService(database.dataDir, settings);
        try {
          await untilAudited(database.sql);
          const spent = await measureCpu(service, database.sql, samples, count);
          if (spent)
            Object.assign(figures, { [`${name}_cpu_us`]: spent.service, [`${name}_db_cpu_us`]: spent.database });
        } finally {
          await service.stop();
        }
      }
    }
    if (wanted('hot')) Object.assign(figures, await measureHot(database.dataDir, samples));
  } finally {
    await database.stop();
  }
  return figures;
}

/** After a load the service reads every block once; the measurements exclude that. */
async function untilAudited(sql: Pool): Promise<void> {
  say('waiting for the audit to have seen the chain');
  for (;;) {
    const [row] = await sql<{ done: boolean }[]>`
      select a.height >= p.height as done from audit_position a, fold_position p
    `;
    if (row?.done !== false) return;
    await sleep(500);
  }
}

async function documentOf(port: number): Promise<OpenApi> {
  const response = await fetch(`http://127.0.0.1:${port}/openapi.json`);
  return (await response.json()) as OpenApi;
}

const balancePaths = (document: OpenApi) =>
  Object.entries(document.paths).flatMap(([path, { get }]) =>
    path.includes('{principal}') && get?.parameters?.some(p => p.name === 'until_block') && /balances$|stx$/.test(path)
      ? [path]
      : [],
  );

/** Each list with its default page size, on pages whose responses are not cached; p99 is the median of the passes. */
async function measureLists(
  port: number,
  routes: readonly ReadRoute[],
  samples: readonly Sample[],
  { passes, requests }: { passes: number; requests: number },
): Promise<{ worst: number; measured: number; known: number }> {
  let worst = 0;
  let measured = 0;
  const lists: { route: ReadRoute; paths: string[] }[] = [];
  for (const route of routes) {
    const paths = await pathsOf(port, route, samples);
    if (paths.length === 0) continue;
    await loadHttp({ port, paths, concurrency, count: warmUpOf(requests) });
    lists.push({ route, paths });
  }
  for (const { route, paths } of lists) {
    await loadHttp({ port, paths, concurrency, count: warmUpOf(requests) });
    const p99: number[] = [];
    let perSecond = 0;
    let refused = 0;
    for (let pass = 0; pass < passes; pass++) {
      const result = await loadHttp({ port, paths, concurrency, count: requests });
      p99.push(quantile(result.latencies, 0.99));
      perSecond = Math.max(perSecond, result.perSecond);
      refused += requests - result.latencies.length;
    }
    if (refused > requests / 10) {
      say(`list: mostly not answered 200: ${route.path}, e.g. ${paths[0]}`);
      continue;
    }
    say(`list: p99 ${median(p99).toFixed(1)} ms, ${Math.round(perSecond)}/s ${route.path}`);
    measured++;
    worst = Math.max(worst, median(p99));
  }
  return { worst: round(worst), measured, known: routes.length };
}

/** URLs about many samples; where the path has none, pages at many offsets. */
async function pathsOf(port: number, route: ReadRoute, samples: readonly Sample[]): Promise<string[]> {
  const first = urlOf(route, samples[0]!);
  if ('missing' in first) {
    say(`list: not measured, nothing known to ask for as ${first.missing}: ${route.path}`);
    return [];
  }
  const urls = samples.flatMap(sample => {
    const built = urlOf(route, sample);
    return 'url' in built ? [built.url] : [];
  });
  const distinct = [...new Set(urls)];
  if (distinct.length > concurrency * 2 || !takes(route, 'offset')) return distinct;
  const response = await fetch(`http://127.0.0.1:${port}${first.url}`);
  const { total = 0, limit = 20 } = (await response.json()) as { total?: number; limit?: number };
  const pages = Math.max(1, Math.floor(Math.min(total, largest(route, 'offset')) / limit));
  return distinct.flatMap(url =>
    Array.from({ length: Math.ceil(samples.length / distinct.length) }, (_, i) => {
      const offset = ((i * 7919) % pages) * limit;
      return `${url}${url.includes('?') ? '&' : '?'}offset=${offset}`;
    }),
  );
}

/** A cached response compared with the same Fastify that sends as many bytes from a buffer: the worst of several sizes. */
async function measureHot(dataDir: string, samples: readonly Sample[]): Promise<Figures> {
  const service = await startService(dataDir);
  try {
    const urls = [
      '/extended',
      `/extended/v1/address/${samples[0]!.principal}/balances`,
      '/extended/v2/blocks?limit=30',
    ];
    const ratios: number[] = [];
    for (const url of urls) {
      const response = await fetch(`http://127.0.0.1:${service.apiPort}${url}`);
      const size = Buffer.byteLength(await response.text());
      if (!response.ok) throw new Error(`${url} was answered ${response.status}`);
      const ratio = await compareWithBuffer(service.apiPort, url, size);
      say(`hot: ${ratio.toFixed(2)} of a buffer of ${size} bytes: ${url}`);
      ratios.push(ratio);
    }
    return { hot_vs_buffer: round(Math.min(...ratios)) };
  } finally {
    await service.stop();
  }
}

async function compareWithBuffer(port: number, url: string, size: number): Promise<number> {
  const program = fileURLToPath(new URL('./support/buffer-server.js', import.meta.url));
  const child = spawn(process.execPath, [program, String(size)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const bufferPort = Number(line.toString());
    // Each pass is compared with its neighbour, because the speed of a machine drifts.
    const ratios: number[] = [];
    for (let pass = 0; pass < 12; pass++) {
      const count = pass === 0 ? 4000 : 8000; // the first pass warms up
      const hot = await loadHttp({ port, paths: [url], concurrency: 32, count });
      const buffer = await loadHttp({ port: bufferPort, paths: ['/'], concurrency: 32, count });
      if (pass > 0) ratios.push(hot.perSecond / buffer.perSecond);
    }
    return median(ratios);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
