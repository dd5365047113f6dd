import { expect, test } from 'vitest';
import { Trouble } from '../../src/publish/trouble.ts';
import { mineLine, testChain } from '../support/chain.ts';
import type { TestDatabase } from '../support/database.ts';
import { foldMessages, transfer } from '../support/mempool.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { MemoryStream } from './support/memory-broker.ts';
import { consume, startWorld } from './support/world.ts';

function paidLine(length: number) {
  const chain = testChain();
  const transactions = [{ kind: 'transfer' as const, from: 0, to: addressOf(1), amount: 5n }];
  let top = chain.genesis;
  const blocks = Array.from({ length }, () => {
    top = chain.mine(top, { transactions });
    return top;
  });
  return { chain, blocks, posted: [chain.genesis, ...blocks] };
}

const heights = ({ messages }: MemoryStream, topic = 'blocks') =>
  messages.flatMap(({ subject, body }) => (subject === `cairn.${topic}` ? [body.block!.height] : []));

const arrive = (database: TestDatabase, raws: string[]) =>
  foldMessages(database, [{ kind: 'arrivals', raws, at: 1_700_000_000, source: 'node 1' }]);

/** Ends the connection, and all later attempts, after so many messages. */
function dieAfter(stream: MemoryStream, count: number) {
  let sent = 0;
  stream.before = () => {
    if (sent++ >= count) throw new Trouble('unreachable', 'killed');
  };
}

test('a fork that removes a block of which only a part was published is a rollback that undoes the part', async t => {
  const { chain, blocks, posted } = paidLine(2);
  const world = await startWorld(t, posted);
  const stream = new MemoryStream();
  dieAfter(stream, 5);
  const first = await world.startPublisher(stream.open);
  await until(() => stream.messages.length === 5);
  await first.stop();
  expect(stream.messages.at(-1)!.part).toBe('1/4');
  await world.fold(mineLine(chain, blocks[0]!, 2));
  stream.before = () => {};
  await world.startPublisher(stream.open);
  await world.reached(3);
  expect(stream.messages[5]!.body).toMatchObject({ type: 'rollback', from: { height: 2 }, to: { height: 1 } });
  expect(heights(stream)).toEqual([1, 2, 3]);
  expect(consume(stream.messages, ['blocks', 'transactions'])).toMatchObject({
    blocks: await world.canonical(),
    items: await world.transactions(),
    misfits: 0,
  });
});

test('settings that change in the middle of a block take it back, and it begins again', async t => {
  const { posted } = paidLine(2);
  const world = await startWorld(t, posted);
  const stream = new MemoryStream();
  dieAfter(stream, 6);
  const first = await world.startPublisher(stream.open);
  await until(() => stream.messages.length === 6);
  await first.stop();
  stream.before = () => {};
  await world.startPublisher(stream.open, { topics: ['blocks', 'transactions'] });
  await world.reached(2);
  expect(stream.messages.slice(6).map(({ subject }) => subject)).toEqual([
    'cairn.rollback',
    'cairn.transactions',
    'cairn.blocks',
  ]);
  expect(stream.messages[6]!.body).toMatchObject({ from: { height: 2 }, to: { height: 1 } });
  expect(consume(stream.messages, ['blocks', 'transactions'])).toMatchObject({
    blocks: await world.canonical(),
    items: await world.transactions(),
  });
});

test('a message that the broker has forgotten, but whose id it remembers, is sent under another id', async t => {
  const { posted } = paidLine(2);
  const world = await startWorld(t, posted);
  const stream = new MemoryStream();
  const first = await world.startPublisher(stream.open);
  await world.reached(2);
  await first.stop();
  // A broker that was restored from a copy lacks the newest messages.
  stream.messages.splice(4);
  const { lines } = await world.startPublisher(stream.open);
  await until(() => heights(stream).length === 2);
  expect(heights(stream)).toEqual([1, 2]);
  expect(new Set(stream.ids).size).toBe(8);
  expect(lines).toEqual([]);
});

test('a connection that ends is opened again, also while there is nothing to publish', async t => {
  const { chain, blocks, posted } = paidLine(1);
  const world = await startWorld(t, posted);
  const stream = new MemoryStream();
  await world.startPublisher(stream.open);
  await world.reached(1);
  stream.cut();
  await until(() => stream.connections === 2);
  await world.fold(mineLine(chain, blocks[0]!, 1));
  await world.reached(2);
  expect(heights(stream)).toEqual([1, 2]);
});

test('a new stream begins now, or at a height', async t => {
  const { chain, blocks, posted } = paidLine(4);
  const world = await startWorld(t, posted);
  const [now, third] = [new MemoryStream(), new MemoryStream()];
  await world.startPublisher(now.open, { stream: 'NOW', fromHeight: undefined });
  await world.startPublisher(third.open, { stream: 'THIRD', fromHeight: 3 });
  await until(() => heights(third).length === 2 && now.connections === 1);
  // It has read where it begins.
  await until(async () => {
    const [row] = await world.database.sql<{ height: number }[]>`select height from publishers where stream = 'NOW'`;
    return row?.height === 4;
  });
  await world.fold(mineLine(chain, blocks[3]!, 1));
  await until(() => heights(third).length === 3 && heights(now).length === 1);
  expect([heights(now), heights(third)]).toEqual([[5], [3, 4, 5]]);
});

test('the mempool is published; steps that announce nothing leave no doubt about the place', async t => {
  const { chain, blocks, posted } = paidLine(1);
  const world = await startWorld(t, posted);
  const stream = new MemoryStream();
  const published = () =>
    stream.messages.flatMap(({ subject, body }) =>
      subject === 'cairn.mempool' ? [body.transactions!.map(({ tx_id }) => tx_id)] : [],
    );
  const first = await world.startPublisher(stream.open);
  await world.reached(1);
  const next = chain.mine(blocks[0]!, { transactions: [{ kind: 'transfer', from: 0, to: addressOf(1), amount: 5n }] });
  const mined = [next.transactions.at(-1)!.raw];
  await arrive(world.database, mined);
  await until(() => published().length === 1);
  await first.stop();
  // That a block takes transactions out of the mempool is announced by the block alone.
  await world.fold([next]);
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::int as count from mempool_news where tx_ids = ''
  `;
  expect(row!.count).toBeGreaterThan(0);
  const later = transfer({ from: 3, nonce: 0 });
  await arrive(world.database, [later.raw]);
  const { lines } = await world.startPublisher(stream.open);
  await until(() => published().length === 2);
  expect(published()).toEqual([mined.map(() => expect.stringMatching(/^0x/)), [later.txId]]);
  await until(() => heights(stream).length === 2);
  expect(lines).toEqual([]);
});

test('steps of the mempool that are no longer stored are left out, and the log says so; no block is', async t => {
  const { chain, blocks, posted } = paidLine(1);
  const world = await startWorld(t, posted);
  const stream = new MemoryStream();
  const first = await world.startPublisher(stream.open);
  await world.reached(1);
  await first.stop();
  await arrive(world.database, [transfer({ from: 3, nonce: 0 }).raw]);
  // As the fold removes them after 10,000 steps.
  await world.database.sql`delete from mempool_news`;
  await world.fold(mineLine(chain, blocks[0]!, 1));
  const { lines } = await world.startPublisher(stream.open);
  await world.reached(2);
  expect(heights(stream)).toEqual([1, 2]);
  expect(lines.map(({ message }) => message)).toEqual([
    'steps of the mempool are no longer stored: they are not published',
  ]);
});

test('a stream of another chain, and one that is ahead of the database, are left alone', async t => {
  const { posted } = paidLine(3);
  const full = await startWorld(t, posted);
  const stream = new MemoryStream();
  await full.startPublisher(stream.open);
  await full.reached(3);
  const behind = await startWorld(t, posted.slice(0, 2));
  const late = await behind.startPublisher(stream.open);
  await until(async () => (await behind.standing())?.trouble === 'behind');
  await late.stop();
  const foreign = testChain({ seed: 5 });
  const other = await startWorld(t, [foreign.genesis, ...mineLine(foreign, foreign.genesis, 4)]);
  await other.startPublisher(stream.open);
  await until(async () => (await other.standing())?.trouble === 'other_chain');
  expect(heights(stream)).toEqual([1, 2, 3]);
});

test('a broker that fails for long is asked ever more seldom, logged once, and slows no fold', async t => {
  const { chain, blocks, posted } = paidLine(1);
  const world = await startWorld(t, posted);
  let attempts = 0;
  const { lines } = await world.startPublisher(
    async () => {
      attempts++;
      throw new Trouble('unreachable', 'nobody listens');
    },
    { retryMs: 1 },
  );
  await until(async () => (await world.standing())?.trouble === 'unreachable');
  await world.fold(mineLine(chain, blocks[0]!, 2));
  expect(await world.canonical()).toHaveLength(3);
  expect(lines).toEqual([
    {
      level: 'warn',
      details: { stream: 'CAIRN', reason: 'nobody listens' },
      message: 'nothing is published to the broker; trying again',
    },
  ]);
  // Waits of 1, 2, 4, 8 … ms: a fixed wait of 1 ms would be hundreds of attempts.
  expect(attempts).toBeLessThan(20);
  expect(await world.standing()).toMatchObject({ state: 'failing', backlog: 3 });
});
