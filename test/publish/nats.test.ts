import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Broker } from '../../src/publish/broker.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { hasNats, type Nats, type StoredMessage, startNats } from './support/nats-server.ts';
import { consume, natsOpener, startWorld, temporaryFolder } from './support/world.ts';

/** A chain in which each block has two transfers. */
function paidLine(length: number) {
  const chain = testChain();
  const pay = (amount: bigint) => ({ kind: 'transfer' as const, from: 0, to: addressOf(1), amount });
  let top = chain.genesis;
  const blocks = Array.from({ length }, () => {
    top = chain.mine(top, { transactions: [pay(5n), pay(7n)] });
    return top;
  });
  return { chain, blocks, posted: [chain.genesis, ...blocks] };
}

/** Each message follows the one before it: no step is missing, none comes twice. */
function expectWhole(messages: readonly StoredMessage[]) {
  const steps: StoredMessage[][] = [];
  for (const message of messages) {
    if (steps.at(-1)?.[0]?.position === message.position) steps.at(-1)!.push(message);
    else steps.push([message]);
  }
  for (const [index, step] of steps.entries()) {
    expect(step.map(({ part }) => part)).toEqual(step.map((_, at) => `${at + 1}/${step.length}`));
    if (index > 0) expect(sameChain(step[0]!.after, steps[index - 1]![0]!.position)).toBe(true);
  }
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
}

/** Positions differ in the number of the step where nothing but that number has changed; height and hash are the same. */
const sameChain = (a: string, b: string) => chainPart(a) === chainPart(b);
const chainPart = (text: string) => Buffer.from(text, 'base64url').subarray(15, 51).toString('hex');

const heights = (messages: readonly StoredMessage[], topic: string) =>
  messages.flatMap(({ subject, body }) => (subject === `cairn.${topic}` ? [body.block?.height] : []));

const sequenceOf = (nats: Nats, auth = {}) =>
  nats.manage(async ({ streams }) => (await streams.info('CAIRN')).state.last_seq, auth);

beforeEach(t => t.skip(!hasNats, 'nats-server is not installed'));

test('the journal is published in its order, under subjects by topic, the block as the last message of a block', async t => {
  const { posted } = paidLine(3);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  await world.startPublisher(await natsOpener(nats.url));
  await world.reached(3);
  const messages = await nats.messages();
  expect(messages.map(({ subject }) => subject)).toEqual(
    [1, 2, 3].flatMap(() => ['cairn.transactions', 'cairn.events', 'cairn.transfers', 'cairn.blocks']),
  );
  for (const { id, position, part, body } of messages) {
    expect(id).toBe(`${position}.${part.split('/')[0]}`);
    expect(body.position).toBe(position);
    expect(body.more).toBe(false);
  }
  expectWhole(messages);
  expect(consume(messages, ['blocks', 'transactions'])).toMatchObject({
    blocks: await world.canonical(),
    items: await world.transactions(),
    misfits: 0,
  });
  const config = await nats.manage(async ({ streams }) => (await streams.info('CAIRN')).config);
  expect(config).toMatchObject({ subjects: ['cairn.>'], max_age: 3600e9, storage: 'file', num_replicas: 1 });
  expect(await world.standing()).toMatchObject({ state: 'publishing', trouble: null, messages: 12, backlog: 0 });
});

test('a fork is a message, for all topics', async t => {
  const { chain, blocks, posted } = paidLine(4);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  await world.startPublisher(await natsOpener(nats.url));
  await world.reached(4);
  await world.fold(mineLine(chain, blocks[1]!, 4));
  await world.reached(6);
  const messages = await nats.messages();
  const [rollback, ...others] = messages.filter(({ subject }) => subject === 'cairn.rollback');
  expect(others).toEqual([]);
  expect(rollback!.body).toMatchObject({ type: 'rollback', from: { height: 4 }, to: { height: 2 } });
  expect(rollback!.body.removed).toHaveLength(2);
  expect(heights(messages, 'blocks')).toEqual([1, 2, 3, 4, 3, 4, 5, 6]);
  expect(consume(messages, ['blocks'])).toMatchObject({ blocks: await world.canonical(), misfits: 0 });
  expectWhole(messages);
});

test('a process that ends after any message is followed by one that publishes exactly what is missing', async t => {
  const { posted } = paidLine(2);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  const open = await natsOpener(nats.url);
  for (let life = 1; life <= 8; life++) {
    // Its connection ends after one message, as if the process were killed.
    const dying = async () => {
      const broker = await open();
      let sent = 0;
      const publish: Broker['publish'] = async (message, after) => {
        if (sent++ > 0) throw new Error('killed');
        await broker.publish(message, after);
      };
      return { closed: broker.closed, place: () => broker.place(), publish, close: () => broker.close() };
    };
    const publisher = await world.startPublisher(dying, { retryMs: 60_000 });
    await until(async () => (await nats.messages()).length === life);
    await publisher.stop();
  }
  const messages = await nats.messages();
  expect(messages).toHaveLength(8);
  expectWhole(messages);
  expect(heights(messages, 'blocks')).toEqual([1, 2]);
});

test('the server is killed in the middle and comes back: nothing is missing, nothing comes twice', async t => {
  const { chain, blocks, posted } = paidLine(3);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  const { lines } = await world.startPublisher(await natsOpener(nats.url));
  await world.reached(3);
  await nats.kill();
  await world.fold(mineLine(chain, blocks[2]!, 30));
  await until(() => lines.length > 0);
  await nats.start();
  // Once more, while it publishes.
  await until(async () => (await sequenceOf(nats)) > 12);
  await nats.kill();
  await nats.start();
  await world.reached(33);
  const messages = await nats.messages();
  expect(heights(messages, 'blocks')).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
  expectWhole(messages);
  expect(lines[0]).toMatchObject({ level: 'warn', details: { stream: 'CAIRN' } });
  expect(lines.filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(2);
  await until(async () => (await world.standing())?.state === 'publishing');
});

test('a stream that is deleted is made again, and begins where the settings say', async t => {
  const { chain, blocks, posted } = paidLine(3);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  const publisher = await world.startPublisher(await natsOpener(nats.url));
  await world.reached(3);
  await nats.manage(({ streams }) => streams.delete('CAIRN'));
  await world.fold(mineLine(chain, blocks[2]!, 1));
  await world.reached(4);
  await until(async () => heights(await nats.messages(), 'blocks').at(-1) === 4);
  expect(heights(await nats.messages(), 'blocks')).toEqual([1, 2, 3, 4]);
  await publisher.stop();

  // Without a height it goes on where the deleted one ended.
  await nats.manage(({ streams }) => streams.delete('CAIRN'));
  await world.fold(mineLine(chain, blocks[2]!, 3));
  await world.startPublisher(await natsOpener(nats.url), { fromHeight: undefined });
  await world.reached(6);
  expect(heights(await nats.messages(), 'blocks')).toEqual([4, 5, 6]);
  expect((await nats.messages())[0]!.body).toMatchObject({ type: 'rollback', to: { height: 3 } });
});

test('an emptied stream goes on', async t => {
  const { chain, blocks, posted } = paidLine(3);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  const first = await world.startPublisher(await natsOpener(nats.url));
  await world.reached(3);
  await first.stop();
  await nats.manage(({ streams }) => streams.purge('CAIRN'));
  await world.fold(mineLine(chain, blocks[2]!, 1));
  await world.startPublisher(await natsOpener(nats.url));
  await world.reached(4);
  expect(heights(await nats.messages(), 'blocks')).toEqual([4]);
});

test('of two processes one publishes; also while both believe that the stream is theirs, no message is lost or doubled', async t => {
  const { chain, blocks, posted } = paidLine(2);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  const open = await natsOpener(nats.url);
  const connections = [0, 0];
  const counted = (index: number) => async () => {
    connections[index]!++;
    return await open();
  };
  const first = await world.startPublisher(counted(0));
  await world.reached(2);
  await world.startPublisher(counted(1));
  const { sql } = world.database;
  let top = blocks[1]!;
  for (let round = 0; round < 10; round++) {
    // The lease is taken from its holder without a word: for a while both publish.
    await sql`update publishers set lease = null`;
    const more = mineLine(chain, top, 2);
    top = more[1]!;
    await world.fold(more);
    await until(async () => heights(await nats.messages(), 'blocks').at(-1) === 4 + 2 * round);
  }
  await first.stop();
  await world.fold(mineLine(chain, top, 1));
  await until(async () => heights(await nats.messages(), 'blocks').at(-1) === 23);
  expect(connections[1]).toBeGreaterThan(0);
  const messages = await nats.messages();
  expect(heights(messages, 'blocks')).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
  expectWhole(messages);
});

test('a server that is absent at the start is waited for, and the log says so once', async t => {
  const { posted } = paidLine(2);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  await nats.kill();
  let attempts = 0;
  const open = await natsOpener(nats.url);
  const { lines } = await world.startPublisher(() => {
    attempts++;
    return open();
  });
  await until(() => attempts > 3);
  await until(async () => (await world.standing())?.trouble === 'unreachable');
  expect(lines).toMatchObject([{ level: 'warn', message: 'nothing is published to the broker; trying again' }]);
  await nats.start();
  await world.reached(2);
  expect(lines.map(({ message }) => message)).toEqual([
    'nothing is published to the broker; trying again',
    'publishing to the broker again',
  ]);
});

test('credentials of the URL are used, and are in no log line, with a wrong password too', async t => {
  const { posted } = paidLine(1);
  const world = await startWorld(t, posted);
  const nats = await startNats(t, ['--user', 'indexer', '--pass', 'p@ss:word']);
  const url = (password: string) => nats.url.replace('//', `//indexer:${encodeURIComponent(password)}@`);
  const wrong = await world.startPublisher(await natsOpener(url('wr0ng-secret')));
  await until(async () => (await world.standing())?.trouble === 'not_allowed');
  await wrong.stop();
  expect(JSON.stringify(wrong.lines)).toContain('does not accept the user');
  expect(JSON.stringify(wrong.lines)).not.toContain('wr0ng-secret');
  const { lines } = await world.startPublisher(await natsOpener(url('p@ss:word')));
  await world.reached(1);
  expect(JSON.stringify(lines)).not.toContain('p@ss');
  expect(heights(await nats.messages({ user: 'indexer', pass: 'p@ss:word' }), 'blocks')).toEqual([1]);
});

test('a user without permissions is named in the log', async t => {
  const { posted } = paidLine(1);
  const world = await startWorld(t, posted);
  const file = join(temporaryFolder(t), 'nats.conf');
  writeFileSync(
    file,
    `authorization { users = [
      { user: a, password: a, permissions: { publish: ["$JS.API.STREAM.INFO.*"], subscribe: "_INBOX.>" } }
    ] }`,
  );
  const denied = await startNats(t, ['-c', file]);
  const publisher = await world.startPublisher(await natsOpener(denied.url.replace('//', '//a:a@')));
  await until(async () => (await world.standing())?.trouble === 'not_allowed');
  expect(publisher.lines[0]!.details).toMatchObject({ reason: 'the user of CAIRN_PUBLISH lacks a permission' });
});

test('a stream of an operator keeps its limits; a full one is filled up when it has room again', async t => {
  const { posted } = paidLine(3);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  const limits = { discard: 'new', max_msgs: 6 } as const;
  await nats.manage(({ streams }) => streams.add({ name: 'CAIRN', subjects: ['cairn.>'], ...limits }));
  const { lines } = await world.startPublisher(await natsOpener(nats.url));
  await until(async () => (await world.standing())?.trouble === 'full');
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  expect(await nats.messages()).toHaveLength(6);
  await nats.manage(({ streams }) => streams.update('CAIRN', { max_msgs: 1_000 }));
  await world.reached(3);
  const messages = await nats.messages();
  expect(heights(messages, 'blocks')).toEqual([1, 2, 3]);
  expectWhole(messages);
  expect(await nats.manage(async ({ streams }) => (await streams.info('CAIRN')).config)).toMatchObject({
    discard: 'new',
    max_age: 0,
  });
});

test('a stream with a message of somebody else at its end waits for the operator', async t => {
  const { posted } = paidLine(1);
  const world = await startWorld(t, posted);
  const nats = await startNats(t);
  await nats.manage(({ streams }) => streams.add({ name: 'CAIRN', subjects: ['cairn.>'] }));
  await nats.withConnection(async connection => {
    connection.publish('cairn.blocks', 'hello');
    await connection.flush();
  });
  const { lines } = await world.startPublisher(await natsOpener(nats.url));
  await until(async () => (await world.standing())?.trouble === 'other_writer');
  expect(lines[0]!.details).toMatchObject({ reason: expect.stringContaining('not one of Cairn') });
  await nats.manage(({ streams }) => streams.deleteMessage('CAIRN', 1));
  await world.reached(1);
});
