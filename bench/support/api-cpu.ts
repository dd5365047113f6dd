import type { Pool } from '../../src/db/client.ts';
import { round, say } from './figures.ts';
import { loadHttp } from './http-load.ts';
import type { Sample } from './samples.ts';
import type { Service } from './service.ts';
import { databaseCpuSeconds } from './usage.ts';

const concurrency = 8;
const warmUp = 500;

/** What an explorer and a wallet request most: lists, an account, a transaction. */
const routes: ((sample: Sample, n: number) => string)[] = [
  (_, n) => `/extended/v1/tx?offset=${20 * n}`,
  (_, n) => `/extended/v2/blocks?offset=${n % 300}`,
  (_, n) => `/extended/v1/block?offset=${20 * n}`,
  ({ principal }) => `/extended/v2/addresses/${principal}/transactions`,
  ({ principal }) => `/extended/v1/address/${principal}/transactions_with_transfers`,
  ({ principal }) => `/extended/v3/principals/${principal}/transactions`,
  ({ principal }) => `/extended/v1/address/${principal}/balances`,
  ({ height_or_hash }) => `/extended/v2/blocks/${height_or_hash}/transactions`,
  ({ tx_id }) => `/extended/v1/tx/${tx_id}`,
  (_, n) => `/extended/v1/tokens/ft/stx/holders?offset=${20 * n}`,
];

/** Microseconds of CPU time a request, in the service and in the database server. */
export type CpuPerRequest = { service: number; database: number };

/** Mean CPU time of a request over all routes, each requested `count` times; undefined where the system does not tell it. */
export async function measureCpu(
  service: Service,
  sql: Pool,
  samples: readonly Sample[],
  count: number,
): Promise<CpuPerRequest | undefined> {
  const total = { service: 0, database: 0 };
  for (const route of routes) {
    const paths = samples.slice(0, 100).map(route);
    await loadHttp({ port: service.apiPort, paths, concurrency, count: warmUp });
    const before = await usedBy(service, sql);
    const { latencies } = await loadHttp({ port: service.apiPort, paths, concurrency, count });
    const after = await usedBy(service, sql);
    if (!before || !after) return undefined;
    const spent = {
      service: ((after.service - before.service) / count) * 1e6,
      database: ((after.database - before.database) / count) * 1e6,
    };
    say(`cpu: ${spent.service.toFixed(0)} µs + database ${spent.database.toFixed(0)} µs ${paths[0]}`);
    if (latencies.length < count * 0.9) say(`cpu: only ${latencies.length} of ${count} were answered 200`);
    total.service += spent.service;
    total.database += spent.database;
  }
  return { service: round(total.service / routes.length), database: round(total.database / routes.length) };
}

async function usedBy(service: Service, sql: Pool): Promise<CpuPerRequest | undefined> {
  const own = service.usage()?.cpuSeconds;
  const database = await databaseCpuSeconds(sql);
  return own === undefined || database === undefined ? undefined : { service: own, database };
}
