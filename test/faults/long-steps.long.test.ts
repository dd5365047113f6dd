import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { ServiceProcess } from '../../bench/support/faults/service-process.ts';
import type { Pool } from '../../src/db/client.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { append, folded, positionOf, until } from '../support/service.ts';
import { program } from './expectations.ts';

const chain = testChain({ seed: 33 });
const blocks = mineLine(chain, chain.genesis, 30, { transactions: 1 });
const messages = [chain.genesis, ...blocks];

async function startIngest(
  t: TestContext,
  { url }: TestDatabase,
  options: { env?: Record<string, string>; nodeArguments?: string[] } = {},
): Promise<ServiceProcess> {
  const { env, nodeArguments = [] } = options;
  const env_ = { CAIRN_ROLE: 'ingest', DATABASE_URL: url, ...env };
  const service = await ServiceProcess.start({ program, env: env_, nodeArguments });
  t.onTestFinished(() => service.kill());
  return service;
}

/** Waits until so many processes hold the lock of the fold or wait for it. */
const untilLeases = (sql: Pool, count: number) =>
  until(async () => {
    const rows = await sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'cairn fold lease'
    `;
    return rows.length === count;
  });

const isLoss = (line: string) => line.includes('lost its lock') || line.includes('lost the database');

async function lossesIn(service: ServiceProcess): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`);
  return (await response.text()).split('\n').filter(line => line.startsWith('cairn_fold_lock_losses_total{'));
}

test('a step that computes for 10 s keeps the lock, though another process waits for it', async t => {
  const db = await testDatabase(t);
  await append(db, messages.slice(0, 10));
  const slow = fileURLToPath(new URL('slow-step.mjs', import.meta.url));
  const mark = blocks[4]!.hash;
  const service = await startIngest(t, db, {
    env: { SLOW_STEP_MARK: mark, SLOW_STEP_MS: '10000' },
    nodeArguments: ['--import', slow],
  });
  await untilLeases(db.sql, 1);
  const standby = await startIngest(t, db);
  await folded(db.sql, 10n);
  const { writer } = await positionOf(db.sql);
  await folded(db.sql, await append(db, messages.slice(10)));
  expect(await positionOf(db.sql)).toMatchObject({ height: 30, writer });
  expect([...service.lines, ...standby.lines].filter(isLoss)).toEqual([]);
  expect(await lossesIn(service)).toEqual([]);
});

test('a processor that is taken away for 3 s at a time slows the fold down and does not stop it', async t => {
  const db = await testDatabase(t);
  const service = await startIngest(t, db);
  await folded(db.sql, await append(db, messages.slice(0, 3)));
  const { writer } = await positionOf(db.sql);
  for (let i = 3; i < messages.length; i += 9) {
    const last = await append(db, messages.slice(i, i + 9));
    service.signal('SIGSTOP');
    await sleep(3_000); // the time for which the processor is gone
    service.signal('SIGCONT');
    await folded(db.sql, last);
  }
  expect(await positionOf(db.sql)).toMatchObject({ height: 30, writer });
});

test('a lock that was lost in a step is taken again, the step is committed, and the loss is told', async t => {
  const db = await testDatabase(t);
  const service = await startIngest(t, db);
  await folded(db.sql, await append(db, messages.slice(0, 3)));
  const { writer } = await positionOf(db.sql);
  const last = await append(db, messages.slice(3));
  service.signal('SIGSTOP');
  await untilLeases(db.sql, 0);
  service.signal('SIGCONT');
  await folded(db.sql, last);
  expect(await positionOf(db.sql)).toMatchObject({ height: 30, writer });
  await until(async () => (await lossesIn(service)).length > 0);
  expect(await lossesIn(service)).toEqual(['cairn_fold_lock_losses_total{cause="silence"} 1']);
  const [line] = service.lines.filter(isLoss).map(text => JSON.parse(text) as Record<string, unknown>);
  expect(line).toMatchObject({ cause: 'silence', silent_ms: expect.any(Number), event: expect.any(String) });
  expect(line?.silent_ms).toBeGreaterThan(3_000);
});
