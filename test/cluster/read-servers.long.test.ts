import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseCluster } from '../../bench/support/cluster/database-cluster.ts';
import { ServiceProcess } from '../../bench/support/faults/service-process.ts';
import { SteadyWrites } from '../../bench/support/faults/steady-writes.ts';
import { program } from '../faults/expectations.ts';
import { until } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-cluster-'));
chmodSync(folder, 0o755);

let cluster: DatabaseCluster;
let ingest: ServiceProcess;
let api: ServiceProcess;
let writes: SteadyWrites;

beforeAll(async () => {
  cluster = await DatabaseCluster.open({ folder, standbys: 2 });
  const DATABASE_URL = cluster.urlOf(cluster.primary);
  ingest = await ServiceProcess.start({ program, env: { DATABASE_URL, CAIRN_ROLE: 'ingest' } });
  writes = new SteadyWrites({ seed: 3, ports: () => [ingest.observerPort], everyMs: 100 });
  await writes.start(10);
  const CAIRN_READ_URLS = cluster.standbys.map(({ url }) => url).join(',');
  api = await ServiceProcess.start({
    program,
    env: { DATABASE_URL, CAIRN_READ_URLS, CAIRN_ROLE: 'api', CAIRN_READ_MAX_LAG: '1' },
  });
});

afterAll(async () => {
  await writes?.stop();
  await Promise.all([api?.stop(), ingest?.stop()]);
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Report = { name: string; role: string; condition: string; reason?: string; in_use: boolean };

async function servers(): Promise<Report[]> {
  const body = (await (await fetch(`http://127.0.0.1:${api.metricsPort}/readyz`)).json()) as { read_servers: Report[] };
  return body.read_servers;
}

const conditions = async () => (await servers()).map(({ condition }) => condition);
const latest = () => fetch(`http://127.0.0.1:${api.apiPort}/extended/v2/blocks?limit=1`);

test('reads are spread over all replicas, and no response shows less than one before', async () => {
  await until(async () => (await conditions()).every(condition => condition === 'usable'));
  let seen = 0;
  const older: string[] = [];
  const read = async () => {
    const from = seen;
    const response = await latest();
    const { results } = (await response.json()) as { results: { height: number }[] };
    const [height, header] = [results[0]!.height, Number(response.headers.get('x-cairn-height'))];
    if (height < from || header < height) older.push(`${height} with header ${header} after ${from}`);
    seen = Math.max(seen, height);
  };
  for (let round = 0; round < 250; round++) await Promise.all([read(), read(), read(), read()]);
  expect(older).toEqual([]);
  const used = await Promise.all(
    cluster.standbys.map(async ({ server }) => {
      const [row] = await server.ask<{ count: string }>(
        `select count(*) from pg_stat_activity where application_name = 'cairn api' and query like '%fold_position%'`,
      );
      return Number(row!.count);
    }),
  );
  expect(used.every(count => count > 0)).toBe(true);
});

/** The condition of a standby, by its port. */
async function conditionOf(port: number): Promise<string> {
  const found = (await servers()).find(({ name }) => name.includes(`:${port}/`));
  return `${found!.condition}${found!.reason === undefined ? '' : `: ${found!.reason}`}`;
}

/** Reads while something happens; the statuses of all responses that were not 200. */
async function failuresDuring(work: () => Promise<void>): Promise<number[]> {
  const failed: number[] = [];
  let over = false;
  const read = async () => {
    while (!over) {
      const { status } = await latest();
      if (status !== 200) failed.push(status);
    }
  };
  const readers = [read(), read()];
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(readers);
  }
  return failed;
}

test('a replica that lags leaves and comes back, and no request fails', async () => {
  const [, late] = cluster.standbys;
  const failed = await failuresDuring(async () => {
    await late!.server.ask('select pg_wal_replay_pause()');
    await until(async () => (await conditionOf(late!.port)).startsWith('behind'));
    await late!.server.ask('select pg_wal_replay_resume()');
    await until(async () => (await conditionOf(late!.port)) === 'usable');
  });
  expect(failed).toEqual([]);
});

test('a replica that is killed leaves and comes back, and no request fails', async () => {
  const [, lost] = cluster.standbys;
  const failed = await failuresDuring(async () => {
    lost!.server.kill();
    await until(async () => (await conditionOf(lost!.port)).startsWith('unreachable'));
    await lost!.server.revive();
    await until(async () => (await conditionOf(lost!.port)) === 'usable');
  });
  expect(failed).toEqual([]);
});

test('reads that a stopped replica holds go to another server while it stays stopped', async () => {
  const [, frozen] = cluster.standbys;
  await until(async () => (await conditions()).every(condition => condition === 'usable'));
  const failed: number[] = [];
  const read = async (reader: number) => {
    for (let offset = 0; offset < 50; offset++) {
      const url = `http://127.0.0.1:${api.apiPort}/extended/v2/blocks?limit=${reader + 1}&offset=${offset}`;
      const { status } = await fetch(url);
      if (status !== 200) failed.push(status);
    }
  };
  // All of them end while the replica has not said a word.
  const thaw = frozen!.server.freeze();
  try {
    await Promise.all(Array.from({ length: 6 }, (_, reader) => read(reader)));
  } finally {
    thaw();
  }
  expect(failed).toEqual([]);
  await until(async () => (await conditionOf(frozen!.port)) === 'usable');
});

test('a replica that is promoted beside the primary is refused, and named in the log', async () => {
  const [, promoted] = cluster.standbys;
  const failed = await failuresDuring(async () => {
    await cluster.promote(promoted!);
    await until(async () => (await conditionOf(promoted!.port)).startsWith('refused'));
  });
  expect(failed).toEqual([]);
  expect(await conditionOf(promoted!.port)).toContain('it was promoted');
  expect(api.lines.some(line => line.includes(`reads do not use 127.0.0.1:${promoted!.port}/cairn: it accepts`))).toBe(
    true,
  );
});
