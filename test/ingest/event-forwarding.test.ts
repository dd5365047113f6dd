import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import {
  type ForwardedEvent,
  forward,
  hasCapacity,
  noPendingBytes,
  receive,
} from '../../src/ingest/log/event-forwarding.ts';

const event = (id: number, body: Buffer) => ({ id: BigInt(id), at: new Date(0), path: '/other', source: 'test', body });

test('events arrive as they were appended, and the body of the sender stays its own', async t => {
  const { port1, port2 } = new MessageChannel();
  t.onTestFinished(async () => port1.close());
  const pending = noPendingBytes(24 << 20);
  const sent = [event(1, Buffer.from('one')), event(2, Buffer.from('two'))];
  forward({ port: port1, pending }, sent);
  const [handed] = (await once(port2, 'message')) as [ForwardedEvent[]];
  expect(receive(handed)).toEqual(sent);
  expect(Atomics.load(pending, 0)).toBe(6);
});

test('what is on its way is bounded for all threads together', async t => {
  const { port1, port2 } = new MessageChannel();
  t.onTestFinished(async () => port1.close());
  const pending = noPendingBytes(24 << 20);
  const mebibyte = Buffer.alloc(1 << 20);
  for (let id = 1; id <= 30; id++) forward({ port: port1, pending }, [event(id, mebibyte)]);
  expect([hasCapacity(pending), Atomics.load(pending, 0)]).toEqual([false, 24 << 20]);
  Atomics.sub(pending, 0, mebibyte.length);
  expect(hasCapacity(pending)).toBe(true);
  forward({ port: port1, pending }, [event(31, mebibyte)]);
  const ids: number[] = [];
  port2.on('message', (handed: ForwardedEvent[]) => ids.push(...handed.map(({ id }) => Number(id))));
  port1.close();
  await once(port2, 'close');
  expect(ids).toEqual([...Array.from({ length: 24 }, (_, i) => i + 1), 31]);
});
