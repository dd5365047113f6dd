import { parseArgs } from 'node:util';
import { openBenchDatabase } from './support/bench-database.ts';
import { quantile, round, say } from './support/figures.ts';
import { loadHttp } from './support/http-load.ts';
import { ensureLoad } from './support/load.ts';
import { processesFor, type RequestKind } from './support/queue-simulation.ts';
import { drawSamples, type Sample } from './support/samples.ts';
import { replay, type Service, startService } from './support/service.ts';
import { databaseCpuSeconds } from './support/usage.ts';

type Figures = Record<string, number>;

export const usage = {
  options: '[--blocks 1000] [--processes 1,2] [--hits 0.75] [--requests 8000] [--p99 50]',
  about:
    'Measures the CPU time of a mix of cached and rendered responses with one and more processes on one database, and\n' +
    'simulates how many processes of one core each serve 1,000, 10,000 and 100,000 requests a second within a p99.',
};

const concurrency = 16;
/** Share of a core that is planned for; the rest is for new blocks, garbage collection and a lost process. */
const MAX_USE = 0.6;
const rates = [1000, 10_000, 100_000];

/** Lists whose pages of any offset are different responses. */
const pages: ((sample: Sample, n: number) => string)[] = [
  (_, n) => `/extended/v1/tx?limit=20&offset=${n % 20_000}`,
  (_, n) => `/extended/v2/blocks?limit=20&offset=${n % 500}&x=${n}`,
  ({ principal }, n) => `/extended/v2/addresses/${principal}/transactions?limit=20&x=${n}`,
  ({ principal }, n) => `/extended/v1/address/${principal}/balances?x=${n}`,
  ({ tx_id }, n) => `/extended/v1/tx/${tx_id}?x=${n}`,
  ({ principal }, n) => `/extended/v1/address/${principal}/nonces?x=${n}`,
];

export async function run(args: string[]): Promise<Figures> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '1000' },
      processes: { type: 'string', default: '1,2' },
      hits: { type: 'string', default: '0.75' },
      requests: { type: 'string', default: '8000' },
      p99: { type: 'string', default: '50' },
    },
  });
  const hits = Number(values.hits);
  const requests = Number(values.requests);
  const load = await ensureLoad({ blocks: Number(values.blocks), whale: 0.3 });
  const database = await openBenchDatabase();
  const services: Service[] = [];
  const figures: Figures = {};
  try {
    say(`replaying ${load.blocks} blocks`);
    await replay(database.dataDir, load.file);
    await database.sql`vacuum analyze`;
    const samples = await drawSamples(database.sql, 400);
    let unique = 0;
    const rendered = () => pages[unique % pages.length]!(samples[unique % samples.length]!, unique++);
    const hot = Array.from({ length: 30 }, rendered);
    const mixOf = (share: number) =>
      Array.from({ length: requests }, (_, i) => ((i % 100) / 100 < share ? hot[i % hot.length]! : rendered()));
    const measure = async (share: number) => {
      const used = async () => ({
        own: services.reduce((sum, service) => sum + (service.usage()?.cpuSeconds ?? Number.NaN), 0),
        database: (await databaseCpuSeconds(database.sql)) ?? Number.NaN,
      });
      // The first requests compile the code and fill the caches.
      await spread(services, mixOf(share).slice(0, 2000));
      const before = await used();
      const { perSecond, latencies } = await spread(services, mixOf(share));
      const after = await used();
      return {
        perSecond,
        p99: quantile(latencies, 0.99),
        cpuUs: ((after.own - before.own) / requests) * 1e6,
        databaseUs: ((after.database - before.database) / requests) * 1e6,
      };
    };
    for (const count of values.processes.split(',').map(Number)) {
      while (services.length < count) services.push(await startService(database.dataDir, { CAIRN_RATE_LIMIT: '0' }));
      const mix = await measure(hits);
      say(
        `${count} processes: ${mix.perSecond.toFixed(0)} requests/s, ${mix.cpuUs.toFixed(0)} µs + ${mix.databaseUs.toFixed(0)} µs`,
      );
      figures[`mix_per_s_${count}`] = round(mix.perSecond);
      figures[`mix_p99_ms_${count}`] = round(mix.p99);
      figures[`mix_cpu_us_${count}`] = round(mix.cpuUs);
      figures[`mix_db_cpu_us_${count}`] = round(mix.databaseUs);
      if (count !== 1) continue;
      const [cached, missed] = [await measure(1), await measure(0)];
      // Together they cost more than each alone: the caches of the processor and of the compiler are shared.
      const scale = mix.cpuUs / (hits * cached.cpuUs + (1 - hits) * missed.cpuUs);
      const kinds: RequestKind[] = [
        { share: hits, cpuUs: cached.cpuUs * scale },
        { share: 1 - hits, cpuUs: missed.cpuUs * scale },
      ];
      Object.assign(figures, {
        cached_cpu_us: round(cached.cpuUs),
        rendered_cpu_us: round(missed.cpuUs),
        rendered_db_cpu_us: round(missed.databaseUs),
        core_per_s: round(1e6 / mix.cpuUs),
      });
      for (const rate of rates) {
        const simulated = processesFor(rate, kinds, Number(values.p99));
        figures[`processes_for_${rate}`] = Math.max(simulated, Math.ceil((rate * mix.cpuUs) / 1e6 / MAX_USE));
        // Databases are planned at half of their cores, so that one may be lost.
        figures[`db_cores_for_${rate}`] = Math.ceil((rate * mix.databaseUs * 2) / 1e6);
      }
    }
    figures.service_peak_mb = round(Math.max(...services.map(service => service.usage()?.peakMb ?? 0)));
  } finally {
    for (const service of services) await service.stop();
    await database.stop();
  }
  return figures;
}

/** Sends the paths to all processes at once, as a load balancer does. */
async function spread(services: readonly Service[], paths: readonly string[]) {
  const results = await Promise.all(
    services.map(({ apiPort: port }, index) => {
      const own = paths.filter((_, i) => i % services.length === index);
      return loadHttp({ port, paths: own, concurrency, count: own.length });
    }),
  );
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latencies: results.flatMap(({ latencies }) => latencies),
  };
}
