import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { apiReads, connect } from '../../src/db/client.ts';
import { databaseLost, StatementTimeout } from '../../src/db/database-error.ts';
import { inSnapshot } from '../../src/db/pool/snapshot.ts';
import { Writer } from '../../src/db/writer.ts';
import { emptyDatabase } from '../support/database.ts';
import { openPooler } from './pooler.ts';
import { createThings, startReads } from './steady-reads.ts';

test('through a pooler in transaction mode answers are right, and it is noticed', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const pooler = await openPooler(t, url);
  let noticed = 0;
  const onPooled = () => noticed++;
  const sql = connect(pooler.url, { max: 4, name: 'pooled', ...apiReads, statementTimeoutMs: 120_000, onPooled });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const reads = startReads(sql);
  await expect.poll(() => reads.outcome.answered).toBeGreaterThan(1000);
  const { wrong, failed } = await reads.stop();
  expect(wrong).toBe(0);
  expect([...failed]).toEqual([]);
  expect(noticed).toBe(1);
});

test('a snapshot behind a pooler without a free server waits for one time limit, although it is tried twice', async t => {
  // It accepts every connection and says nothing until a server is free, which none ever is.
  const sockets: Socket[] = [];
  const exhausted = createServer(socket => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>(resolve => exhausted.listen(0, '127.0.0.1', resolve));
  const { port } = exhausted.address() as AddressInfo;
  t.onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => exhausted.close(resolve));
  });
  // The limit is 1.4 s with what the server gets for its own: it ends in the second attempt, which would take until 2 s.
  const options = { max: 1, name: 'pooled', readOnly: true, connectTimeoutSeconds: 1, statementTimeoutMs: 1000 };
  const sql = connect(`postgres://nobody@127.0.0.1:${port}/none`, options);
  t.onTestFinished(() => sql.end({ timeout: 0 }));
  const error: unknown = await inSnapshot(sql, snapshot => snapshot`select 1`).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StatementTimeout);
  expect(databaseLost(error)).toBe(true);
  expect(sockets).toHaveLength(2);
});

test('a channel cannot be heard through a pooler, which is said and does not hang', async t => {
  const { url } = await emptyDatabase(t);
  const pooler = await openPooler(t, url);
  let noticed = 0;
  const sql = connect(pooler.url, { max: 1, name: 'pooled', onPooled: () => noticed++ });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const { unlisten } = await sql.listen('news', () => {});
  expect(noticed).toBe(1);
  await unlisten();
});

test('the writer of the tables rejects a pooler', async t => {
  const { url } = await emptyDatabase(t);
  const pooler = await openPooler(t, url);
  await expect(Writer.open(pooler.url, 'pooled writer', {})).rejects.toThrow('behind a connection pooler');
});

test('a pooler that carries prepared statements gets named ones, and answers are right', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await createThings(admin);
  const pooler = await openPooler(t, url, { carries: true });
  const sql = connect(pooler.url, { max: 4, name: 'pooled', ...apiReads, statementTimeoutMs: 120_000 });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const reads = startReads(sql);
  await expect.poll(() => reads.outcome.answered).toBeGreaterThan(1000);
  const { wrong, failed } = await reads.stop();
  expect([wrong, [...failed]]).toEqual([0, []]);
  expect(pooler.carried()).toBeGreaterThan(0);
});
