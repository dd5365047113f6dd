import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { RateGate } from '../../../src/http/limits/rate-limits.ts';
import { openListener } from '../../../src/http/listener.ts';
import { startShell } from '../../support/api.ts';
import { until } from '../../support/service.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const requestsOf = (path: string, count: number, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`.repeat(count);

function open(t: Ending, port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.onTestFinished(async () => void socket.destroy());
  return socket;
}

test('requests that a client sends ahead are handled a few at a time, and all of them in the end', async t => {
  const pending: ServerResponse[] = [];
  let released = false;
  let ahead = 0;
  let most = 0;
  let working = 0;
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    portSetting: 'PORT',
    first({ url }, response) {
      if (url === '/other') return void response.end('other');
      ahead++;
      most = Math.max(most, ++working);
      response.once('close', () => working--);
      pending.push(response);
      if (released) response.end('done');
    },
  });
  t.onTestFinished(() => listener.stop(0));
  const greedy = open(t, listener.port);
  let received = '';
  greedy.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  greedy.write(requestsOf('/ahead', 5000));
  await until(async () => ahead > 0);
  // Another client is served meanwhile.
  for (let i = 0; i < 5; i++) {
    const other = open(t, listener.port);
    other.write(requestsOf('/other', 1));
    const [text] = (await once(other, 'data')) as [Buffer];
    expect(String(text)).toContain('other');
  }
  expect(ahead).toBe(4);
  released = true;
  for (const response of pending) response.end('done');
  await until(async () => received.split('done').length - 1 === 5000);
  expect(ahead).toBe(5000);
  expect(most).toBeLessThanOrEqual(4);
});

test('a connection whose requests are refused again and again is closed', async t => {
  const rates = new RateGate({ perSecond: 1, burst: 10, trustedProxies: ['127.0.0.1'] });
  const { app } = await startShell(t, { current: undefined }, { rates });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const socket = open(t, port);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  // So few that the server has read them all: unread bytes would reset the connection, and the last response could be lost.
  socket.write(requestsOf('/healthz', 100, 'X-Forwarded-For: 198.51.100.1\r\n'));
  await once(socket, 'close');
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
  expect(statuses.filter(status => status === '429').length).toBeLessThanOrEqual(50);
  expect(received.toLowerCase().split('connection: close').length - 1).toBe(1);
});
