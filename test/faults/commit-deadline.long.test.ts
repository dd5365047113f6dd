import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, type TestContext, test } from 'vitest';
import { FaultProxy } from '../../bench/support/faults/fault-proxy.ts';
import { connect } from '../../src/db/client.ts';
import { EventLog, EventLogError } from '../../src/ingest/log/event-log.ts';
import { testDatabase } from '../support/database.ts';
import { eventOf } from '../support/service.ts';

async function openLog(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-deadline-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const db = await testDatabase(t);
  const real = new URL(inject('serverUrl'));
  const socket = `.s.PGSQL.${real.port}`;
  const proxy = await FaultProxy.open(
    { path: join(folder, socket) },
    { path: join(decodeURIComponent(real.hostname), socket) },
  );
  const url = new URL(db.url);
  url.hostname = encodeURIComponent(folder);
  const sql = connect(url.href, { max: 2, name: 'late', connectTimeoutSeconds: 1 });
  const log = new EventLog(sql, { commitTimeoutMs: 300 });
  t.onTestFinished(async () => {
    await proxy.close();
    await sql.end({ timeout: 0 });
    await log.close();
  });
  return { db, proxy, log };
}

test('an event that was refused is not stored when the server goes on', async t => {
  const { db, proxy, log } = await openLog(t);
  await log.append(eventOf({ path: '/new_block', body: '{}' }));
  proxy.stall();
  // A path that is not known yet is looked up before the event is written.
  await expect(log.append(eventOf({ path: '/new_path', body: '1' }))).rejects.toThrow(EventLogError);
  proxy.resume();
  for (let i = 0; i < 20; i++) await log.append(eventOf({ path: '/new_block', body: '{}' }));
  expect(await db.sql`select size from event_log where size = 1`).toEqual([]);
});

test('a commit that is late while the server refuses connections fails, and nothing else does', async t => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.onTestFinished(() => void process.off('unhandledRejection', note));

  const { proxy, log } = await openLog(t);
  expect(await log.append(eventOf({ path: '/new_block', body: '{}' }))).toBe(1n);

  proxy.stall();
  proxy.refuse();
  await expect(log.append(eventOf({ path: '/new_block', body: '{}' }))).rejects.toThrow(EventLogError);
  await sleep(1_500); // what would be unhandled comes after the refused connection
  expect(unhandled).toEqual([]);
});
