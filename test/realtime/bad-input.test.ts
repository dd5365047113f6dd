import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as dial } from 'node:net';
import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { Backlog, type Waiter } from '../../src/http/limits/backlog.ts';
import { testChain } from '../support/chain.ts';
import { deployment } from '../support/mempool.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { type Ending, exchange, openClient, startIdle, startLive } from './support.ts';

const endedOf = async ({ metrics }: Awaited<ReturnType<typeof startIdle>>, reason: string) => {
  const { values } = await metrics.realtimeEnded.get();
  return values.find(v => v.labels.reason === reason)?.value ?? 0;
};

/** The code that a connection was closed with. */
const closeOf = async (ws: WebSocket) => {
  const [code, reason] = (await once(ws, 'close')) as [number, Buffer];
  return { code, reason: reason.toString() };
};

test('binary is read as text, invalid JSON is rejected, and the connection stays open', async t => {
  const { port } = await startIdle(t);
  const client = await openClient(t, port);
  const request = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscribe', params: { event: 'block' } });
  expect(await exchange(client, Buffer.from(request))).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  for (const odd of [Buffer.from([0xff, 0xfe, 0x00]), '', '\u0000', '{"jsonrpc":', `${'['.repeat(5000)}`]) {
    expect((await exchange(client, odd)).error.code).toBe(-32_700);
  }
  expect((await exchange(client, '[[[]]]'))[0].error.code).toBe(-32_600);
  expect((await exchange(client, '{"__proto__":{"jsonrpc":"2.0"},"id":1}')).error.code).toBe(-32_600);
  expect((await exchange(client, request)).result).toEqual({});
});

test('10,000 subscriptions stop at the limit, and closing gives all of them up', async t => {
  const { port, metrics } = await startIdle(t, { maxMessage: 1_000_000 });
  const client = await openClient(t, port);
  for (let part = 0; part < 10; part++) {
    const batch = Array.from({ length: 1_000 }, (_, i) => ({
      jsonrpc: '2.0',
      id: i,
      method: 'subscribe',
      params: { event: 'tx_update', tx_id: String(part * 1_000 + i).padStart(64, '0') },
    }));
    const answers = await exchange(client, JSON.stringify(batch));
    expect(answers.filter((a: { result?: object }) => a.result).length).toBe(part === 0 ? 100 : 0);
  }
  const topics = async () => (await metrics.realtimeTopics.get()).values[0]?.value;
  await until(async () => (await topics()) === 100);
  client.ws.terminate();
  await until(async () => (await topics()) === 0);
});

test('a message that is too large, a frame that is none and an unmasked frame end the connection alone', async t => {
  const { port } = await startIdle(t);
  const other = await openClient(t, port);
  const large = await openClient(t, port);
  large.ws.send('x'.repeat(200_000));
  expect((await closeOf(large.ws)).code).toBe(1009);
  for (const bytes of [
    [0xff, 0xff, 0xff, 0xff],
    [0x81, 0x01, 0x41],
    [0x8b, 0x80, 0, 0, 0, 0],
  ]) {
    const socket = await handshake(t, port);
    socket.write(Buffer.from(bytes));
    await once(socket.resume(), 'close');
  }
  expect((await other.ask('subscribe', { event: 'block' })).result).toEqual({});
});

test('unknown paths and too many connections are refused before the handshake', async t => {
  const { port } = await startIdle(t, { maxConnections: 1 });
  await openClient(t, port);
  for (const [path, status] of [
    ['/extended/v1/ws', 503],
    ['/elsewhere', 404],
  ] as const) {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    ws.on('error', () => {});
    const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(status);
    ws.terminate();
  }
  const plain = await fetch(`http://127.0.0.1:${port}/extended/v1/ws`);
  expect(await plain.text()).toBe('other');
});

test('too many connections of Socket.IO are refused before the handshake', async t => {
  const { port } = await startIdle(t, { maxConnections: 2 });
  const shake = () => fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`);
  // These two say nothing more, as one would that only wants to take places.
  expect([(await shake()).status, (await shake()).status]).toEqual([200, 200]);
  const refused = await shake();
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('too many connections')]);
  const ws = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
  ws.on('error', () => {});
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(400);
  ws.terminate();
});

test('connections of one address are limited apart, of both kinds together', async t => {
  const clientOf = (request: { headers: Record<string, unknown> }) => String(request.headers['x-test-client'] ?? 'a');
  const { port } = await startIdle(t, { maxPerAddress: 2 }, clientOf);
  const first = await openClient(t, port);
  const shake = (client: string) =>
    fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`, { headers: { 'x-test-client': client } });
  expect((await shake('a')).status).toBe(200);
  expect([(await shake('a')).status, (await shake('b')).status]).toEqual([403, 200]);
  const ws = new WebSocket(`ws://127.0.0.1:${port}/extended/v1/ws`);
  ws.on('error', () => {});
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage];
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '5']);
  ws.terminate();
  await openClient(t, port, { headers: { 'x-test-client': 'b' } });
  first.ws.terminate();
  await until(async () => (await shake('a')).status === 200);
});

test('upgrades, polls and messages are charged to the share of their client', async t => {
  let left = 3;
  const { port } = await startIdle(t, {}, undefined, (_request, units = 1) => {
    left -= units;
    return left < 0 ? 7 : undefined;
  });
  const client = await openClient(t, port);
  expect((await client.ask('subscribe', { event: 'block' })).result).toEqual({});
  // More bytes cost more.
  const request = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(9_000), method: 'nope' });
  const refused = await exchange(client, request);
  expect(JSON.stringify(refused.error)).toContain('try again in 7 seconds');
  const poll = await fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`);
  expect([poll.status, poll.headers.get('retry-after')]).toEqual([429, '7']);
  const ws = new WebSocket(`ws://127.0.0.1:${port}/extended/v1/ws`);
  ws.on('error', () => {});
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage];
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '7']);
  ws.terminate();
});

test('every message of a Socket.IO client is charged, and a client that continues without a share is closed', async t => {
  let left = 5;
  const { port } = await startIdle(t, {}, undefined, (_request, units = 1) => {
    left -= units;
    return left < 0 ? 7 : undefined;
  });
  const ws = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
  t.onTestFinished(async () => ws.terminate());
  const heard: string[] = [];
  ws.on('message', data => heard.push(String(data)));
  await once(ws, 'open');
  ws.send('40');
  await until(async () => heard.some(text => text.startsWith('40')));
  ws.send('42["nonsense"]');
  ws.send(`42["nonsense","${'x'.repeat(9_000)}"]`);
  ws.send('421["subscribe","block"]');
  await until(async () => heard.includes('431["Too many requests: try again in 7 seconds"]'));
  const closed = once(ws, 'close');
  for (let i = 0; i < 100; i++) ws.send('42["nonsense"]');
  await closed;
});

test('of all that waits, the client with the most is dropped first', () => {
  const dropped: string[] = [];
  const client = (name: string): Waiter => ({ drop: () => dropped.push(name) });
  const [large, small, late] = [client('large'), client('small'), client('late')];
  const backlog = new Backlog(100);
  backlog.set(large, 60);
  backlog.set(small, 30);
  expect([backlog.bytes, dropped]).toEqual([90, []]);
  backlog.set(late, 20);
  expect([backlog.bytes, dropped]).toEqual([50, ['large']]);
  backlog.set(small, 0);
  backlog.set(large, 0);
  expect(backlog.bytes).toBe(20);
});

test('bytes that wait for all clients together are bounded', async t => {
  const live = await startIdle(t, { maxBufferedTotal: 3_000_000, maxBuffered: 2_500_000 });
  const slow = [await openClient(t, live.port), await openClient(t, live.port)];
  const quick = await openClient(t, live.port);
  const request = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(90_000), method: 'nope' });
  for (const { ws } of slow) ws.pause();
  await until(async () => {
    for (const { ws } of slow) ws.send(request);
    return (await endedOf(live, 'slow')) >= 1;
  });
  expect((await quick.ask('subscribe', { event: 'block' })).result).toEqual({});
  for (const { ws } of slow) ws.resume();
  await until(async () => slow.some(({ ws }) => ws.readyState === WebSocket.CLOSED));
});

test('a Socket.IO client that does not fetch what waits for it is closed', async t => {
  const live = await startLive(t, { maxBuffered: 30_000 });
  const chain = testChain();
  await live.post(chain.genesis, chain.mine(chain.genesis, { transactions: [] }));
  await until(async () => live.tip.current?.height === 1);
  const url = `http://127.0.0.1:${live.port}/socket.io/?EIO=4&transport=polling&subscriptions=mempool`;
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1));
  await fetch(`${url}&sid=${sid}`, { method: 'POST', body: '40' });
  let sent = 0;
  await until(async () => {
    sent += 1;
    const batch = Array.from({ length: 10 }, (_, i) => deployment({ from: 10 + i, nonce: sent, bytes: 10_000 }));
    await live.post(mempoolMessage(batch));
    return (await endedOf(live, 'slow')) === 1;
  });
});

test('one that was refused and does not hang up is cut off', async t => {
  const { port, server } = await startIdle(t);
  const socket = dial({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.onTestFinished(async () => void socket.destroy());
  socket.on('error', () => {}).resume();
  socket.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  await once(socket, 'end');
  const open = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)));
  await until(async () => (await open()) === 0);
});

test('an upgrade to another protocol is no business of ours: the request is answered as it is', async t => {
  const { port } = await startIdle(t);
  const socket = dial({ port, host: '127.0.0.1' });
  t.onTestFinished(async () => void socket.destroy());
  // As the HTTP client of Java offers it with its first request.
  const offered = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';
  socket.write(`POST /elsewhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n${offered}\r\nhello`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1.1 200 .*other/s);
  socket.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n');
  const [second] = (await once(socket, 'data')) as [Buffer];
  expect(second.toString()).toMatch(/^HTTP\/1.1 200 .*other/s);
});

test('a client that does not answer pings is dropped, one that only listens stays', async t => {
  const live = await startIdle(t, { pingMs: 1_000 });
  const half = await openClient(t, live.port, { autoPong: false });
  const idle = await openClient(t, live.port);
  await idle.subscribe({ event: 'block' });
  expect((await closeOf(half.ws)).code).toBe(1006);
  expect(await endedOf(live, 'silent')).toBe(1);
  expect(idle.ws.readyState).toBe(WebSocket.OPEN);
});

test('a connection that subscribes to nothing is closed after a while', async t => {
  const live = await startIdle(t, { pingMs: 40, idleMs: 60 });
  const client = await openClient(t, live.port);
  expect(await closeOf(client.ws)).toEqual({ code: 1000, reason: expect.stringMatching(/^idle/) });
});

test('a client that reads nothing gets a notice and is closed; the others get everything', async t => {
  const chain = testChain();
  const first = chain.mine(chain.genesis, { transactions: [] });
  // A batch fits even if nothing of it goes out at once, so that a busy machine does not make the quick client slow too.
  const live = await startLive(t, { maxBuffered: 1_000_000 });
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const [slow, quick] = [await openClient(t, live.port), await openClient(t, live.port)];
  for (const client of [slow, quick]) await client.subscribe({ event: 'mempool' });
  slow.ws.pause();
  let sent = 0;
  await until(async () => {
    const batch = Array.from({ length: 5 }, (_, i) => deployment({ from: 10 + i, nonce: sent, bytes: 20_000 }));
    sent += 1;
    await live.post(mempoolMessage(batch));
    await until(async () => quick.told('mempool').length === sent * 5);
    return (await endedOf(live, 'slow')) === 1;
  });
  slow.ws.resume();
  expect(await closeOf(slow.ws)).toEqual({ code: 1013, reason: expect.stringMatching(/^too slow/) });
});

test('a client that floods with requests and reads no answers is closed', async t => {
  const live = await startIdle(t, { maxBuffered: 20_000 });
  const client = await openClient(t, live.port);
  client.ws.pause();
  const request = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(90_000), method: 'nope' });
  await until(async () => {
    for (let i = 0; i < 20; i++) client.ws.send(request);
    return (await endedOf(live, 'slow')) === 1;
  });
});

test('messages are the same with and without compression', async t => {
  const chain = testChain();
  const first = chain.mine(chain.genesis, { transactions: [] });
  const second = chain.mine(first, {
    transactions: Array.from(
      { length: 30 },
      () => ({ kind: 'transfer', from: 0, to: addressOf(1), amount: 1n }) as const,
    ),
  });
  const live = await startLive(t);
  await live.post(chain.genesis, first);
  await until(async () => live.tip.current?.height === 1);
  const clients = [
    await openClient(t, live.port, { perMessageDeflate: true }),
    await openClient(t, live.port, { perMessageDeflate: { serverMaxWindowBits: 10 } }),
    await openClient(t, live.port, { perMessageDeflate: false }),
  ];
  expect(clients.map(({ ws }) => ws.extensions)).toEqual(['permessage-deflate', 'permessage-deflate', '']);
  for (const client of clients) await client.subscribe({ event: 'block' });
  await live.post(second);
  for (const client of clients) await until(async () => client.told('block').length === 1);
  const [one, two, three] = clients.map(client => messageText(client.told('block')));
  expect(one).toBe(three);
  expect(two).toBe(three);
});

test('stopping notifies every client', async t => {
  const live = await startIdle(t);
  const client = await openClient(t, live.port);
  const closed = closeOf(client.ws);
  await live.realtime.stop(1000);
  expect(await closed).toEqual({ code: 1001, reason: expect.stringMatching('stopping') });
});

/** A bare connection past the handshake. */
async function handshake(t: Ending, port: number) {
  const socket = dial(port, '127.0.0.1');
  t.onTestFinished(async () => void socket.destroy());
  socket.on('error', () => {});
  socket.write(
    'GET /extended/v1/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(socket, 'data');
  return socket;
}
