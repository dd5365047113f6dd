import { once } from 'node:events';
import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import { type Json, openClient, startLive } from '../realtime/support.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { until } from '../support/service.ts';

const heights = (messages: Json[]) => messages.map(message => message.block?.height ?? message.type);

/** A chain of five blocks, and a branch that leaves it after the third. */
async function startWithBlocks(t: Parameters<typeof startLive>[0]) {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 5);
  const live = await startLive(t);
  await live.post(chain.genesis, ...blocks);
  await until(async () => live.tip.current?.height === 5);
  return { ...live, chain, blocks, fork: mineLine(chain, blocks[2]!, 3) };
}

test('a WebSocket subscription goes on after a position, over a fork and over connections', async t => {
  const live = await startWithBlocks(t);
  const first = await openClient(t, live.port);
  expect(await first.ask('subscribe', { event: 'stream', from_height: 4 })).toMatchObject({ result: {} });
  await until(async () => first.told('stream').length === 2);
  expect(heights(first.told('stream'))).toEqual([4, 5]);
  const { position } = first.told('stream').at(-1);
  first.ws.terminate();

  await live.post(...live.fork);
  const second = await openClient(t, live.port);
  await second.ask('subscribe', { event: 'stream', after: position, topics: ['blocks', 'transactions'] });
  await until(async () => second.told('stream').length === 4);
  expect(heights(second.told('stream'))).toEqual(['rollback', 4, 5, 6]);
  await live.post(...mineLine(live.chain, live.fork[2]!, 1));
  await until(async () => second.told('stream').length === 5);

  // A second subscription takes the place of the first; without one nothing is sent.
  await second.ask('subscribe', { event: 'stream', after: second.told('stream')[3].position });
  await until(async () => second.told('stream').length === 6);
  await second.ask('unsubscribe', { event: 'stream' });
  await live.post(...mineLine(live.chain, live.fork[2]!, 1));
  expect(live.realtime.streams.report.open.websocket).toBe(0);
  expect(heights(second.told('stream'))).toEqual(['rollback', 4, 5, 6, 7, 7]);
});

test('wrong parameters of a subscription are refused with what is accepted', async t => {
  const live = await startWithBlocks(t);
  const { ask, told } = await openClient(t, live.port);
  for (const [params, word] of [
    [{ topics: ['nothing'] }, 'topics'],
    [{ topics: 'transfers', event_type: 'nothing' }, 'event_type'],
    [{ princpal: 'SP' }, 'principal'],
    [{ after: 'x' }, 'after'],
    [{ topics: 'transactions', asset: 'STX' }, 'asset'],
  ] as const) {
    const { error } = await ask('subscribe', { event: 'stream', ...params });
    expect([params, error]).toEqual([params, expect.objectContaining({ code: -32_602 })]);
    expect(error.data).toContain(word);
  }
  // What only the database knows is the last message of the stream.
  await ask('subscribe', { event: 'stream', from_height: 77 });
  await until(async () => told('stream').length === 1);
  expect(told('stream')[0]).toMatchObject({ type: 'error', statusCode: 400 });
});

test('a Socket.IO client goes on after a position', async t => {
  const live = await startWithBlocks(t);
  const socket = io(`http://127.0.0.1:${live.port}`, { transports: ['websocket'], reconnection: false });
  t.onTestFinished(async () => void socket.close());
  const received: Json[] = [];
  socket.on('stream', message => received.push(message));
  await once(socket as never, 'connect');
  expect(await socket.emitWithAck('stream', { topics: ['nothing'] })).toContain('topics');
  expect(await socket.emitWithAck('stream', { from_height: 4 })).toBe(null);
  await until(async () => received.length === 2);
  await live.post(...live.fork);
  await until(async () => received.length === 6);
  expect(heights(received)).toEqual([4, 5, 'rollback', 4, 5, 6]);
  expect(await socket.emitWithAck('stream', { after: received[1].position })).toBe(null);
  await until(async () => received.length === 10);
  expect(heights(received.slice(6))).toEqual(['rollback', 4, 5, 6]);
  socket.close();
  await until(async () => live.realtime.streams.report.open['socket.io'] === 0);
});
