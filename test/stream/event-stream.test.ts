import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { positionText } from '../../src/chain/position.ts';
import { Backlog } from '../../src/http/limits/backlog.ts';
import { EventStream } from '../../src/stream/event-stream.ts';
import { RenderedMessage } from '../../src/stream/rendered-message.ts';
import { beginStream } from '../../src/stream/stream-response.ts';

const at = (height: number) => ({
  ...{ seq: height, check: 1, pending: 0, rest: undefined },
  ...{ height, indexHash: Buffer.alloc(32, height) },
});

/** A stream to a client that reads nothing until it is resumed. */
async function openStuck(t: { onTestFinished(end: () => void): void }, backlog: Backlog) {
  const ends: string[] = [];
  let open = (_: EventStream) => {};
  const opened = new Promise<EventStream>(resolve => {
    open = resolve;
  });
  const options = { backlog, onEnd: (why: string) => ends.push(why) };
  const server = createServer((_, response) => open(new EventStream(beginStream(response), options)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  t.onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { stream: await opened, client, ends };
}

/** More than a system keeps for a connection. */
const large = (height: number) => new RenderedMessage(`{"type":"apply","text":"${'x'.repeat(32 << 20)}"}`, at(height));

test('a client that takes nothing between two heartbeats is closed with the id of what was sent last', async t => {
  const backlog = new Backlog(1 << 30);
  const { stream, client, ends } = await openStuck(t, backlog);
  expect(stream.write(large(7))).toBe(false);
  const drained = stream.drained();
  expect(backlog.bytes).toBeGreaterThan(0);
  stream.beat(at(7));
  // The system takes some bytes after the first heartbeat, and then none.
  for (let i = 0; i < 1000 && ends.length === 0; i++) {
    await new Promise(resolve => setImmediate(resolve));
    stream.beat(at(7));
  }
  expect(ends).toEqual(['slow']);
  let tail = '';
  client.on('data', data => {
    tail = (tail + data.toString()).slice(-400);
  });
  client.resume();
  await once(client, 'end');
  expect(tail).toContain(`id: ${positionText(at(7))}\n: too slow`);
  client.destroy();
  expect(await drained).toBe(false);
  expect(backlog.bytes).toBe(0);
});

test('a client that reads again gets the rest, and no heartbeat ends it', async t => {
  const { stream, client, ends } = await openStuck(t, new Backlog(1 << 30));
  stream.write(large(7));
  stream.beat(at(7));
  client.resume();
  expect(await stream.drained()).toBe(true);
  for (let i = 0; i < 3; i++) stream.beat(at(7));
  expect(ends).toEqual([]);
});

test('of all clients together, the one with the most unsent bytes is closed', async t => {
  const backlog = new Backlog(40 << 20);
  const first = await openStuck(t, backlog);
  const second = await openStuck(t, backlog);
  first.stream.write(large(7));
  second.stream.write(large(7));
  expect([first.ends, second.ends].flat()).toEqual(['slow']);
});
