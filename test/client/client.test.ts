import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ApiError, Client, type StreamEvent } from '../../packages/client/src/index.ts';
import { requests } from '../../packages/client/src/operations.ts';
import { EventParser } from '../../packages/client/src/server-sent-events.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll } from '../support/service.ts';

test('every operation of the document can be called', () => {
  const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
  const listed = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries<{ operationId: string }>(methods as never).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path}`,
    ]),
  );
  expect(listed.length).toBeGreaterThan(200);
  const known = Object.entries(requests).map(([id, text]) => [id, text.split(' ').slice(0, 2).join(' ')]);
  expect(known.sort()).toEqual(listed.sort());
});

test('parameters go where the document says, and errors keep their status and body', async () => {
  const sent: { url: string; init: RequestInit }[] = [];
  const client = new Client({
    url: 'http://api.example/',
    apiKey: 'secret',
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return sent.length < 3
        ? Response.json({ ok: true }, { headers: { 'x-cairn-position': 'AQ' } })
        : Response.json({ error: 'Conflict', message: 'lost', from_height: 7 }, { status: 409 });
    },
  });
  const { position } = await client.read('get_stream_page', { topics: ['blocks', 'events'], limit: 2 });
  await client.call('get_block_by_height', { height: 5 });
  expect(position).toBe('AQ');
  expect(sent.map(({ url }) => url)).toEqual([
    'http://api.example/extended/v1/stream/pages?topics=blocks%2Cevents&limit=2',
    'http://api.example/extended/v1/block/by_height/5',
  ]);
  expect(new Headers(sent[0]!.init.headers).get('x-api-key')).toBe('secret');
  const failed = await client.call('get_status').catch(error => error);
  expect(failed).toBeInstanceOf(ApiError);
  expect([failed.status, failed.message, failed.field('from_height')]).toEqual([409, '409: lost', 7]);
});

test('events are read from pieces of any size, and an id without data counts', () => {
  const text = 'retry: 1000\n\nevent: apply\nid: one\ndata: {"a":1}\n\nid: two\n: heartbeat\n\n';
  const wanted = [
    { id: 'one', event: 'apply', data: '{"a":1}' },
    { id: 'two', event: 'message', data: undefined },
  ];
  for (let size = 1; size <= text.length; size++) {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
    expect(events).toEqual(wanted);
  }
});

test('a refusal whose body was cut off does not end a stream', async () => {
  const responses = [
    new Response(new ReadableStream({ pull: body => body.error(new TypeError('terminated')) }), { status: 400 }),
    Response.json({ message: 'after is unknown' }, { status: 400 }),
  ];
  const retries: unknown[] = [];
  const client = new Client({ url: 'http://api.example', fetch: async () => responses.shift()! });
  const events = client.stream({ after: 'AQ', onRetry: reason => retries.push(reason) });
  await expect(events.next()).rejects.toThrow('400: after is unknown');
  expect(retries).toEqual([new TypeError('terminated')]);
});

test('a stream goes on by itself after cuts, refusals and forks', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 5);
  const api = await serveChain(t, [chain.genesis, ...blocks]);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  let requestsSent = 0;
  const retries: unknown[] = [];
  const client = new Client({
    url,
    fetch: async (to, init) => {
      requestsSent++;
      // Each third request fails in one of the ways in which a service restarts.
      if (requestsSent % 6 === 2) throw new TypeError('fetch failed');
      if (requestsSent % 6 === 5) return Response.json({ message: 'starting' }, { status: 503 });
      return await fetch(to, init);
    },
  });
  const stop = new AbortController();
  const received: StreamEvent[] = [];
  for await (const event of client.stream({ fromHeight: 2, signal: stop.signal, onRetry: e => retries.push(e) })) {
    received.push(event);
    const { length } = received;
    if (length === 2) api.streams.stopOpen(); // the process of the service ends
    if (length === 4) {
      api.streams.stopOpen();
      const fork = mineLine(chain, blocks[2]!, 3);
      await foldAll(api.database, fork.flatMap(messagesOf));
    }
    if (length === 8) stop.abort();
  }
  expect(received.map(e => (e.type === 'apply' ? e.block.height : e.type))).toEqual([2, 3, 4, 5, 'rollback', 4, 5, 6]);
  expect(retries.length).toBeGreaterThan(0);
  await expect(client.stream({ after: 'nothing' }).next()).rejects.toThrow('after');
});
