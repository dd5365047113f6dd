import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/index.ts';
import { pause, redeliver, remove, resume, showDeliveries } from '../../src/webhooks/manage.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { chainOf, startReceiver } from './support/receiver.ts';
import { eager, startWorld } from './support/world.ts';

const pay = (amount: bigint) => ({ kind: 'transfer', from: 0, to: addressOf(1), amount }) as const;

/** A chain of so many blocks above its genesis, each with a transfer. */
function line(length: number) {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, length, { transactions: [pay(5n)] });
  return { chain, blocks, posted: [chain.genesis, ...blocks] };
}

const hashesOf = (blocks: readonly { height: number; indexHash: string }[]) =>
  Object.fromEntries(blocks.map(({ height, indexHash }) => [height, indexHash]));

test('a hook gets each block once, in order, in signed batches, and then what happens', async t => {
  const { chain, blocks, posted } = line(7);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  const { secret, state } = await world.add(receiver.url, { filter: { topics: ['blocks', 'transfers'] }, batch: 3 });
  expect(state).toBe('active');
  await world.startWorker();
  await world.caughtUp();
  await world.fold([chain.mine(blocks[6]!, { transactions: [pay(6n)] })]);
  await until(() => receiver.heights().includes(8));

  expect(receiver.heights()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(receiver.requests.every(({ messages }) => messages.length <= 3)).toBe(true);
  expect(
    receiver
      .messages()
      .at(-1)
      ?.transfers?.map(({ amount }) => amount),
  ).toEqual(['6']);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(receiver.requests.length);
  for (const { body, headers, path } of receiver.requests) {
    expect(path).toBe('/hook');
    expect(headers['content-type']).toBe('application/json');
    // The library of the specification, and the client of this project.
    const known = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(known).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, headers, secret)).toEqual(known);
    expect(known).toMatchObject({ type: 'cairn.batch', data: { hook: 'hook', version: 1, redelivery: false } });
    const { position, messages } = JSON.parse(body).data;
    expect(position).toBe(messages.at(-1).position);
  }
  await until(async () => (await world.show()).messages === 8);
});

test('a hook that begins now gets nothing of before, and filters leave blocks out', async t => {
  const { chain, blocks, posted } = line(3);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  await world.add(receiver.url, { start: 'now', filter: { principal: addressOf(2), topics: ['transfers'] } });
  await world.startWorker();
  const four = chain.mine(blocks[2]!, { transactions: [pay(5n)] });
  const five = chain.mine(four, { transactions: [{ ...pay(9n), to: addressOf(2) }] });
  await world.fold([four, five]);
  await world.caughtUp();
  expect(receiver.heights()).toEqual([5]);
});

test('a request that fails is sent again as it was, until it arrives', async t => {
  const { posted } = line(3);
  const world = await startWorld(t, posted);
  let left = 3;
  const receiver = await startReceiver(t, () => (left-- > 0 ? 500 : 200));
  await world.add(receiver.url, { batch: 2 });
  await world.startWorker();
  await world.caughtUp();
  const [first, ...others] = receiver.requests;
  for (const again of others.slice(0, 3)) {
    expect(again.body).toBe(first!.body);
    expect(again.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  }
  expect(receiver.heights()).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 3]);
  const log = (await showDeliveries(world.database.sql, 'hook', 10)).reverse();
  expect(log.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 200],
    [1, 200],
  ]);
  expect(log[0]).toMatchObject({
    ...{ kind: 'batch', webhook_id: first!.headers['webhook-id'], messages: 2, first_height: 1, last_height: 2 },
    error: 'the receiver responded with status 500',
  });
  expect(await world.show()).toMatchObject({ state: 'active', failures: 0, failing_since: null, last_error: null });
});

test('a hook that fails for too long is paused, and resumes where it stood', async t => {
  const { posted } = line(4);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t, ({ messages }) => (messages[0]!.block!.height > 2 ? 503 : 204));
  await world.add(receiver.url, { batch: 2 });
  await world.startWorker({ retries: { ...eager, giveUpMs: 50 } });
  const paused = await world.inState('paused');
  expect(paused).toMatchObject({
    block_height: 2,
    reason: 'no request has arrived for too long; the last one: the receiver responded with status 503',
  });
  expect(paused.failures).toBeGreaterThan(1);
  receiver.answer = () => 204;
  expect(await resume(world.database.sql, 'hook', {})).toMatchObject({ state: 'active', failures: 0, reason: null });
  await world.caughtUp();
  expect(chainOf(receiver.messages())).toEqual(hashesOf(posted.slice(1)));
});

test('410 disables a hook until an operator resumes it', async t => {
  const { posted } = line(2);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t, () => 410);
  await world.add(receiver.url);
  await world.startWorker();
  const { reason, deliveries } = await world.inState('disabled');
  expect([reason, deliveries, receiver.requests.length]).toEqual(['the receiver responded with 410 Gone', 0, 1]);
  receiver.answer = () => 204;
  await resume(world.database.sql, 'hook', {});
  await world.caughtUp();
});

test('a paused hook gets nothing, a resumed one all of it, and a removed one is forgotten', async t => {
  const { chain, blocks, posted } = line(2);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  const other = await startReceiver(t);
  await world.add(receiver.url);
  await world.add(other.url, { name: 'other' });
  await world.startWorker();
  await world.caughtUp();
  expect(await pause(world.database.sql, 'hook')).toMatchObject({ state: 'paused', reason: null, block_height: 2 });
  const more = mineLine(chain, blocks[1]!, 3);
  await world.fold(more);
  await until(() => other.heights().includes(5));
  expect(receiver.heights()).toEqual([1, 2]);
  await resume(world.database.sql, 'hook', {});
  await until(() => receiver.heights().includes(5));
  expect(receiver.heights()).toEqual([1, 2, 3, 4, 5]);

  await resume(world.database.sql, 'hook', { start: 4 });
  await until(() => receiver.heights().length === 7);
  expect(receiver.heights()).toEqual([1, 2, 3, 4, 5, 4, 5]);
  await remove(world.database.sql, 'hook');
  await world.fold(mineLine(chain, more[2]!, 1));
  await until(() => other.heights().includes(6));
  expect(receiver.heights()).not.toContain(6);
  await expect(world.show()).rejects.toThrow('there is no webhook with the name hook');
});

test('a range is delivered again on request, marked, while the hook stays where it is', async t => {
  const { posted } = line(6);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  await world.add(receiver.url, { batch: 2 });
  await world.startWorker();
  await world.caughtUp();
  const before = receiver.requests.length;
  const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
  const asked = await redeliver(world.database.sql, 'hook', { from: 2, to: 4 });
  expect(asked.redelivery).toEqual({ from: 2, to: 4 });
  await until(async () => (await world.show()).redelivery === null);
  const again = receiver.requests.slice(before);
  expect(again.flatMap(({ messages }) => messages.map(({ block }) => block!.height))).toEqual([2, 3, 4]);
  expect(again.every(({ redelivery, headers }) => redelivery && !ids.has(headers['webhook-id']))).toBe(true);
  expect((await world.show()).block_height).toBe(6);
  const refused = [
    [{ from: 4, to: 2 }, 'from 4 is above to 2'],
    [{ from: 7, to: 9 }, 'received blocks up to 6'],
    [{ from: 1 }, 'expected {"from", "to"}'],
  ] as const;
  for (const [range, words] of refused)
    await expect(redeliver(world.database.sql, 'hook', range)).rejects.toThrow(words);
});

test('a fork between two attempts takes back what the first one may have brought', async t => {
  const { chain, blocks, posted } = line(5);
  const world = await startWorld(t, posted);
  // The receiver takes what it gets, whatever it responds.
  const receiver = await startReceiver(t, ({ messages }) => (messages[0]!.block?.height === 3 ? 500 : 204));
  await world.add(receiver.url, { batch: 2 });
  const slow = await world.startWorker({ retries: { ...eager, delaysMs: [3_600_000] } });
  await world.inState('failing');
  expect(receiver.heights()).toEqual([1, 2, 3, 4]);
  await slow.stop();
  const fork = mineLine(chain, blocks[2]!, 4, { transactions: [pay(7n)] });
  await world.fold(fork);

  receiver.answer = () => 204;
  await resume(world.database.sql, 'hook', {});
  await world.startWorker();
  await world.caughtUp();
  const [, , next] = receiver.requests;
  expect(next!.messages[0]).toMatchObject({
    type: 'rollback',
    from: { height: 4, index_block_hash: blocks[3]!.indexHash },
    to: { height: 2, index_block_hash: blocks[1]!.indexHash },
    removed: [blocks[3]!.indexHash, blocks[2]!.indexHash],
  });
  const canonical = hashesOf([...blocks.slice(0, 3), ...fork]);
  expect(chainOf(receiver.messages())).toEqual(canonical);
  // A receiver that has lost the request that failed has the same chain.
  const arrived = receiver.requests.filter((_, i) => i !== 1);
  expect(chainOf(arrived.flatMap(({ messages }) => messages))).toEqual(canonical);
});

test('over forks and failures, a receiver that may have taken failed requests or not has the canonical chain', async t => {
  const { chain, blocks, posted } = line(6);
  const world = await startWorld(t, posted);
  let count = 0;
  // Two of three requests fail; every second one that fails was taken nevertheless.
  const taken: boolean[] = [];
  const receiver = await startReceiver(t, () => {
    const fails = ++count % 3 !== 0;
    taken.push(!fails || count % 2 === 0);
    return fails ? 500 : 204;
  });
  await world.add(receiver.url, { batch: 2 });
  await world.startWorker();
  const branches = [blocks];
  for (const [from, length] of [
    [4, 4],
    [2, 8],
    [9, 3],
  ] as const) {
    const base = branches.at(-1)!;
    const fork = mineLine(chain, base[from - 1]!, length, { transactions: [pay(BigInt(from))] });
    await world.fold(fork);
    branches.push([...base.slice(0, from), ...fork]);
    await until(async () => (await world.show()).block_height >= from);
  }
  await world.caughtUp();
  const canonical = hashesOf(branches.at(-1)!);
  expect(chainOf(receiver.requests.filter((_, i) => taken[i]).flatMap(({ messages }) => messages))).toEqual(canonical);
  expect(chainOf(receiver.messages())).toEqual(canonical);
});
