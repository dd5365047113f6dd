import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readPosition } from '../../src/chain/position.ts';
import { openListener } from '../../src/http/listener.ts';
import type { Receiver } from '../../src/stream/receiver.ts';
import type { RenderedMessage } from '../../src/stream/rendered-message.ts';
import { isStreamRequest } from '../../src/stream/stream-response.ts';
import type { StreamTopic } from '../../src/stream/topics.ts';
import { openView } from '../../src/stream/view.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { addressOf, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';
import { openStream } from './support/stream-client.ts';

/** A client that takes its messages one at a time, when the test lets it. */
class SlowClient implements Receiver {
  readonly messages: RenderedMessage[] = [];
  #resume: ((here: boolean) => void) | undefined;

  write(message: RenderedMessage): boolean {
    this.messages.push(message);
    return false;
  }

  drained(): Promise<boolean> {
    return new Promise(resolve => {
      this.#resume = resolve;
    });
  }

  /** False while it waits for nothing. */
  next(here = true): boolean {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.(here);
    return resume !== undefined;
  }

  fail(): void {}
}

class FastClient implements Receiver {
  readonly messages: RenderedMessage[] = [];

  write(message: RenderedMessage): boolean {
    this.messages.push(message);
    return true;
  }

  async drained(): Promise<boolean> {
    return true;
  }

  fail(): void {}
}

const kinds = (messages: readonly RenderedMessage[]) =>
  messages.map(({ json }) => {
    const { type, block } = JSON.parse(json);
    return block?.height ?? type;
  });

/** A position also tells how far the chain was when it was read. */
const withoutPosition = ({ json }: RenderedMessage) => ({ ...JSON.parse(json), position: undefined });

test('readers with equal filters get the same bytes; a slow one gets the same at its own pace, over a fork', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 4);
  const api = await serveChain(t, [chain.genesis, ...blocks]);
  const { streams } = api;
  const start = await streams.feed.before(2);
  const view = (...topics: StreamTopic[]) => openView(topics, {});
  const fast = [new FastClient(), new FastClient()];
  const slow = new SlowClient();
  const other = new FastClient();
  for (const client of [fast[0]!, slow]) streams.follow('websocket', client, view('blocks'), start);
  // One that begins later, at a position that others have left.
  await until(() => fast[0]!.messages.length === 3);
  streams.follow('websocket', fast[1]!, view('blocks'), start);
  streams.follow('websocket', other, view('blocks', 'transactions'), start);
  await until(() => fast[1]!.messages.length === 3 && other.messages.length === 3);
  expect(kinds(slow.messages)).toEqual([2]);

  const fork = mineLine(chain, blocks[2]!, 2);
  await foldAll(api.database, fork.flatMap(messagesOf));
  await until(() => [...fast, other].every(({ messages }) => messages.length === 6));
  for (const { messages } of [...fast, other]) expect(kinds(messages)).toEqual([2, 3, 4, 'rollback', 4, 5]);
  // Rendered once, after both had come to the same position.
  for (const at of [3, 4, 5]) expect(fast[0]!.messages[at]).toBe(fast[1]!.messages[at]);
  expect(other.messages[4]!.json).not.toBe(fast[0]!.messages[4]!.json);
  expect(kinds(slow.messages)).toEqual([2]);

  await foldAll(api.database, messagesOf(chain.mine(fork[1]!, {})));
  await until(() => {
    slow.next();
    return [...fast, slow].every(({ messages }) => messages.length === 7);
  });
  expect(kinds(slow.messages)).toEqual([2, 3, 4, 'rollback', 4, 5, 6]);
  expect(slow.messages.map(withoutPosition)).toEqual(fast[0]!.messages.map(withoutPosition));
  expect(streams.report.open.websocket).toBe(4);
});

test('a reader that has gone gets nothing more, whether it waited with others or alone', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3);
  const api = await serveChain(t, [chain.genesis, ...blocks]);
  const { streams } = api;
  const start = await streams.feed.before(2);
  const view = openView(['transactions'], { principal: addressOf(1) });
  const clients = [new FastClient(), new FastClient()];
  const readers = clients.map(client => streams.follow('websocket', client, openView(['blocks'], {}), start));
  const slow = new SlowClient();
  streams.follow('socket.io', slow, openView(['blocks'], {}), start);
  const filtered = streams.follow('sse', new FastClient(), view, start);
  await until(() => slow.messages.length === 1 && clients.every(({ messages }) => messages.length === 2));
  streams.end(readers[0]!);
  streams.end(filtered);
  await until(() => slow.next(false));
  await foldAll(api.database, messagesOf(chain.mine(blocks[2]!, {})));
  await until(() => clients[1]!.messages.length === 3);
  expect([clients[0]!.messages.length, slow.messages.length]).toEqual([2, 1]);
  expect(streams.report.open).toEqual({ sse: 0, websocket: 1, 'socket.io': 0 });
});

/** The API on a port of its own, as the service opens it. */
async function listen(t: Parameters<typeof serveChain>[0], api: Awaited<ReturnType<typeof serveChain>>) {
  const first = api.app.routing.bind(api.app);
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    portSetting: 'X',
    first,
    mayTake: isStreamRequest,
  });
  t.onTestFinished(() => listener.stop(0));
  return { listener, url: `http://127.0.0.1:${listener.port}/extended/v1/stream` };
}

test('a stream has a connection of its own, with headers, heartbeats, resumption and errors like any other', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3);
  const api = await serveChain(t, [chain.genesis, ...blocks]);
  const { listener, url } = await listen(t, api);
  expect((await fetch(`${url}?topics=nothing`)).status).toBe(400);
  const client = connect(listener.port, '127.0.0.1').setEncoding('utf8');
  client.write(`GET /extended/v1/stream?from_height=2 HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n`);
  let text = '';
  client.on('data', data => {
    text += data;
  });
  await until(() => text.split('event: apply').length === 3);
  const [head, ...events] = text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toContain('content-type: text/event-stream; charset=utf-8');
  expect(head).toMatch(/date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/);
  // The body is the events and nothing else: no length, no chunks.
  expect(head).not.toMatch(/transfer-encoding|content-length/i);
  expect(events.join('')).toMatch(/^retry: 1000\n\nevent: apply\nid: /);
  const id = [...text.matchAll(/^id: (.*)$/gm)].at(-1)![1]!;
  expect(readPosition(id)?.height).toBe(3);

  const next = chain.mine(blocks[2]!, {});
  await foldAll(api.database, messagesOf(next));
  await until(() => text.split('event: apply').length === 4);
  client.destroy();
  await until(() => api.streams.report.open.sse === 0);

  const resumed = await openStream(url, { 'last-event-id': id });
  expect((await resumed.take(1))[0]?.data.block.height).toBe(4);
  resumed.close();
});

test('the end of the service ends streams with the reason, and does not wait for clients that read nothing', async t => {
  const chain = testChain();
  const api = await serveChain(t, [chain.genesis, ...mineLine(chain, chain.genesis, 2)]);
  const { listener, url } = await listen(t, api);
  const stream = await openStream(`${url}?from_height=2`);
  const [event] = await stream.take(1);
  const stuck = connect(listener.port, '127.0.0.1').pause();
  stuck.write(`GET /extended/v1/stream HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n`);
  await until(() => api.streams.report.open.sse === 2);
  const stopped = listener.stop(600_000);
  api.streams.stop(0);
  expect(await stream.rest()).toContain(`id: ${event!.id}\n: the service is stopping`);
  await stopped;
  stuck.destroy();
  await once(stuck, 'close');
});
