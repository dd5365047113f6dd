import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { FaultProxy } from '../../bench/support/faults/fault-proxy.ts';
import { connect } from '../../src/db/client.ts';
import { EventLog, EventLogError } from '../../src/ingest/log/event-log.ts';
import { testDatabase } from '../support/database.ts';
import { eventOf } from '../support/service.ts';

test('a commit that is late while the server refuses connections fails, and nothing else does', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-deadline-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.onTestFinished(() => void process.off('unhandledRejection', note));

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
  expect(await log.append(eventOf({ path: '/new_block', body: '{}' }))).toBe(1n);

  proxy.stall();
  proxy.refuse();
  await expect(log.append(eventOf({ path: '/new_block', body: '{}' }))).rejects.toThrow(EventLogError);
  await sleep(1_500); // what would be unhandled comes after the refused connection
  expect(unhandled).toEqual([]);
  await proxy.close();
  await sql.end({ timeout: 0 });
  await log.close();
});
