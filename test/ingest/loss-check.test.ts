import { expect, test } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { AcknowledgedEvents } from '../../src/ingest/log/acknowledged-events.ts';
import { listLost } from '../../src/ingest/log/loss-check.ts';
import { compressBody } from '../../src/ingest/log/payload.ts';

const eventOf = async (body: string) => ({
  path: '/new_block',
  source: 'node 10.0.0.7',
  at: new Date(),
  body: await compressBody(Buffer.from(body)),
});

/** A log with one row for each of these events, which calls `onRead` while a statement is on its way. */
const logOf = (rows: readonly { id: bigint; hash: Buffer }[], onRead: () => void = () => {}) =>
  (async () => {
    onRead();
    return rows;
  }) as unknown as Sql;

test('an event that is acknowledged while the log is checked does not count as lost', async () => {
  const acknowledged = new AcknowledgedEvents();
  const [first, second] = [await eventOf('first'), await eventOf('second')];
  acknowledged.add(1n, [first]);
  const sql = logOf([{ id: 1n, hash: first.body.hash }], () => acknowledged.add(2n, [second]));
  expect(await listLost(sql, acknowledged.events)).toEqual([]);
  expect(acknowledged.events).toHaveLength(2);
});

test('an event that the log does not have, or that has another body there, is lost', async () => {
  const acknowledged = new AcknowledgedEvents();
  const [first, second, third] = [await eventOf('first'), await eventOf('second'), await eventOf('third')];
  acknowledged.add(1n, [first, second, third]);
  const sql = logOf([
    { id: 1n, hash: first.body.hash },
    { id: 2n, hash: third.body.hash },
  ]);
  expect((await listLost(sql, acknowledged.events)).map(({ id }) => id)).toEqual([2n, 3n]);
});
