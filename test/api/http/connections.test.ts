import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { openListener } from '../../../src/http/listener.ts';
import { watchReaders } from '../../../src/http/slow-readers.ts';
import { until } from '../../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const ANSWER = 'x'.repeat(32 << 20);

async function serve(t: Ending, limits: Parameters<typeof watchReaders>[1]) {
  const server = createServer((_request, response) => response.end(ANSWER)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const unwatch = watchReaders(server, limits);
  t.onTestFinished(async () => {
    unwatch();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)));
  let accepted = 0;
  server.on('connection', () => accepted++);
  return { port, open, accepted: () => accepted };
}

/** A client that asks and reads nothing. */
function ask(t: Ending, port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.onTestFinished(async () => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

/** Reads all of an answer and says how many bytes came. */
async function readAll(socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    if (bytes > ANSWER.length) break;
  }
  return bytes;
}

test('a client that does not read its response is disconnected', async t => {
  const { port, open, accepted } = await serve(t, { stallMs: 200 });
  ask(t, port);
  await until(() => accepted() === 1);
  await until(async () => (await open()) === 0);
});

test('a client that takes a little now and then is cut off, one that takes its time is not', async t => {
  const { port, open, accepted } = await serve(t, { stallMs: 2_000, minRate: 16 << 20 });
  const trickle = ask(t, port);
  const patient = ask(t, port);
  const timer = setInterval(() => trickle.read(64), 20);
  t.onTestFinished(async () => clearInterval(timer));
  await until(() => accepted() === 2);
  expect(await readAll(patient)).toBeGreaterThan(ANSWER.length);
  await until(async () => (await open()) === 0);
});

test('when unread responses exceed the total byte limit, the largest are aborted first', async t => {
  // A sweep comes each second: nobody is closed for taking nothing.
  const { port, open, accepted } = await serve(t, { stallMs: 600_000, maxWaiting: 40 << 20 });
  for (let i = 0; i < 3; i++) ask(t, port);
  await until(() => accepted() === 3);
  await until(async () => (await open()) === 1);
});

test('a connection that sends nothing, half a request or half a body is ended', async t => {
  const answer = (_request: unknown, response: { end(text: string): void }) => response.end('ok');
  const door = await openListener({
    host: '127.0.0.1',
    port: 0,
    portSetting: 'X',
    first: answer,
    requestTimeoutMs: 300,
  });
  t.onTestFinished(() => door.stop(100));
  const sent = ['', 'GET / HT', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'];
  const sockets = sent.map(text => {
    const socket = connect(door.port, '127.0.0.1').on('error', () => {});
    t.onTestFinished(async () => void socket.destroy());
    socket.write(text);
    return once(socket.resume(), 'close');
  });
  await Promise.all(sockets);
});

test('a connection that cannot be accepted, as with too many open files, is reported and does not end the process', async t => {
  const errors: Error[] = [];
  const options = { host: '127.0.0.1', port: 0, portSetting: 'X', onError: (error: Error) => errors.push(error) };
  const door = await openListener({ ...options, first: (_request, response) => void response.end('ok') });
  t.onTestFinished(() => door.stop(100));
  for (let i = 0; i < 3; i++) door.server.emit('error', new Error('accept EMFILE'));
  expect(errors.length).toBe(3);
  expect(await (await fetch(`http://127.0.0.1:${door.port}/`)).text()).toBe('ok');
});

test('where no other protocol is offered an upgrade is a plain request, and its connection has an owner', async t => {
  const unheard: Error[] = [];
  const note = (error: Error) => unheard.push(error);
  process.on('uncaughtException', note);
  t.onTestFinished(() => void process.off('uncaughtException', note));
  const answer = (_request: unknown, response: ServerResponse) => void response.end('ok');
  const door = await openListener({ host: '127.0.0.1', port: 0, portSetting: 'X', first: answer });
  t.onTestFinished(() => door.stop(100));
  const open = () => new Promise<number>(resolve => door.server.getConnections((_, count) => resolve(count)));
  const upgrade = async () => {
    const socket = connect(door.port, '127.0.0.1').on('error', () => {});
    t.onTestFinished(async () => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    const [text] = await once(socket, 'data');
    socket.resetAndDestroy();
    await until(async () => (await open()) === 0);
    return String(text).split('\r\n', 1)[0];
  };
  expect(await upgrade()).toBe('HTTP/1.1 200 OK');
  const owner = (_request: unknown, socket: Duplex) =>
    void socket.on('error', () => {}).end('HTTP/1.1 101 Mine\r\n\r\n');
  door.server.on('upgrade', owner);
  expect(await upgrade()).toBe('HTTP/1.1 101 Mine');
  door.server.off('upgrade', owner);
  expect(await upgrade()).toBe('HTTP/1.1 200 OK');
  expect(unheard).toEqual([]);
});
