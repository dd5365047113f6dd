import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ServiceProcess } from '../../bench/support/faults/service-process.ts';
import { SteadyWrites } from '../../bench/support/faults/steady-writes.ts';
import { openPooler } from '../db/pooler.ts';
import { program } from '../faults/expectations.ts';
import { testDatabase } from '../support/database.ts';
import { until } from '../support/service.ts';

test('all roles work behind a pooler in transaction mode, with a direct URL for notifications and the fold', async t => {
  const database = await testDatabase(t);
  const pooler = await openPooler(t, database.url, { carries: true });
  const folder = mkdtempSync(join(tmpdir(), 'cairn-pooler-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (env: Record<string, string>) => {
    const service = await ServiceProcess.start({
      program,
      env: { DATABASE_URL: pooler.url, CAIRN_DATA_DIR: folder, ...env },
    });
    t.onTestFinished(() => service.stop());
    return service;
  };
  await expect(start({ CAIRN_ROLE: 'ingest' })).rejects.toThrow('set CAIRN_LISTEN_URL to the server itself');

  const service = await start({ CAIRN_LISTEN_URL: database.url });
  const writes = new SteadyWrites({ seed: 9, ports: () => [service.observerPort], everyMs: 50 });
  t.onTestFinished(() => writes.stop());
  await writes.start(20);
  const latest = async () => {
    const response = await fetch(`http://127.0.0.1:${service.apiPort}/extended/v2/blocks/latest`);
    return ((await response.json()) as { height: number }).height;
  };
  await until(async () => (await latest()) >= 40);
  const [listening] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where application_name = 'cairn announcements listener'
  `;
  expect(listening!.count).toBe(1);
});
