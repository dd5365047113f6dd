import { expect, test } from 'vitest';
import { Flush } from '../../src/db/flush.ts';
import { Writer } from '../../src/db/writer.ts';
import { emptyDatabase } from '../support/database.ts';
import { openProxy } from './tcp-proxy.ts';

test('a long batch is not taken for lost when the server is asked about it between two statements', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await admin`create table written (n int)`;
  const writer = await Writer.open(url, 'long batch', {}, 100);
  t.onTestFinished(() => writer.end());
  const flush = new Flush();
  for (let n = 0; n < 3000; n++) flush.query('insert into written values ($1)', [n]);
  await writer.run(flush);
  expect(await admin`select count(*)::int as count from written`).toEqual([{ count: 3000 }]);
});

test('a batch fails when the network has lost it', async t => {
  const { url, sql: admin } = await emptyDatabase(t);
  await admin`create table written (n int)`;
  const proxy = await openProxy(t, url);
  const writer = await Writer.open(proxy.url, 'lost batch', {}, 300);
  t.onTestFinished(() => writer.end());
  proxy.blackhole();
  const flush = new Flush();
  flush.query('insert into written values (1)');
  await expect(writer.run(flush)).rejects.toThrow();
});
