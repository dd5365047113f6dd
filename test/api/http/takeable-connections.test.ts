import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openListener } from '../../../src/http/listener.ts';
import { TakeableConnection } from '../../../src/http/takeable-connections.ts';
import { until } from '../../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };
type First = (request: IncomingMessage, response: ServerResponse) => void;

/** A listener on which requests for `/long` may take their connections. */
async function serve(t: Ending, first: First, requestTimeoutMs = 600_000) {
  const mayTake = (head: string) => head.startsWith('GET /long');
  const door = await openListener({ host: '127.0.0.1', port: 0, portSetting: 'X', first, requestTimeoutMs, mayTake });
  t.onTestFinished(() => door.stop(0));
  return door;
}

function open(t: Ending, port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.onTestFinished(async () => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (data: string) => {
    text += data;
  });
  return { socket, text: () => text, has: (part: string) => until(async () => text.includes(part)) };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Takes the connection of the response whose turn it is. */
function take(response: ServerResponse): Socket | undefined {
  const connection: unknown = response.socket;
  return connection instanceof TakeableConnection ? connection.takeSocket() : undefined;
}

test('a request takes its connection: it is over for the HTTP server, and the socket goes on', async t => {
  let taken: Socket | undefined;
  let ended = 0;
  const door = await serve(t, (_request, response) => {
    response.on('close', () => ended++);
    taken = take(response);
  });
  const client = open(t, door.port);
  client.socket.write(get('/long'));
  await until(async () => ended === 1);
  taken!.write('anything');
  await client.has('anything');
  // What was taken is for its new owner to end.
  const stopped = door.stop(600_000);
  taken!.write(' more');
  await client.has('anything more');
  taken!.destroySoon();
  await stopped;
});

test('a request that takes nothing is answered, and so are those after it and the bodies of others', async t => {
  const door = await serve(t, async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    response.end(`${request.socket.remoteAddress} ${request.url} ${bytes};`);
  });
  for (const path of ['/long', '/other']) {
    const client = open(t, door.port);
    const body = 'x'.repeat(300_000);
    client.socket.write(get(path));
    await client.has(`127.0.0.1 ${path} 0;`);
    client.socket.write(
      `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${get('/last')}`,
    );
    await client.has('127.0.0.1 /body 300000;');
    await client.has('127.0.0.1 /last 0;');
    client.socket.end();
    await once(client.socket, 'close');
  }
});

test('a request whose turn has not come takes no connection, so that no response is lost', async t => {
  const waiting: ServerResponse[] = [];
  const taken: unknown[] = [];
  const door = await serve(t, (request, response) => {
    if (request.url === '/long?first') waiting.push(response);
    else {
      taken.push(take(response));
      response.end('second;');
    }
  });
  const client = open(t, door.port);
  client.socket.write(get('/long?first') + get('/long?second'));
  await until(async () => waiting.length === 1 && taken.length === 1);
  expect(taken).toEqual([undefined]);
  waiting[0]!.end('first;');
  await client.has('second;');
  expect(client.text().indexOf('first;')).toBeLessThan(client.text().indexOf('second;'));
});

test('a response larger than what a client reads waits for it', async t => {
  const size = 8 << 20;
  const door = await serve(t, (_request, response) => void response.end('x'.repeat(size)));
  const client = open(t, door.port);
  client.socket.pause();
  client.socket.write(get('/long'));
  await once(client.socket, 'connect');
  client.socket.resume();
  await until(async () => client.text().split('\r\n\r\n')[1]?.length === size);
});

test('a connection that sends nothing gets 408, and a stop waits for none of them', async t => {
  const impatient = await serve(t, (_request, response) => void response.end('ok'), 300);
  await open(t, impatient.port).has('408 Request Timeout');
  const patient = await serve(t, (_request, response) => void response.end('ok'));
  const silent = open(t, patient.port);
  const other = open(t, patient.port);
  other.socket.write(get('/'));
  await other.has('ok');
  const closed = once(silent.socket, 'close');
  await patient.stop(600_000);
  await closed;
});
