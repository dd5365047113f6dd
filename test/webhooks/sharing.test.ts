import { expect, test } from 'vitest';
import { type Delivery, recordFailure, recordSuccess } from '../../src/webhooks/delivery-queries.ts';
import { takeHooks } from '../../src/webhooks/lease-queries.ts';
import { addHook, redeliver } from '../../src/webhooks/manage.ts';
import { openSecretKeys } from '../../src/webhooks/secret-box.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { until } from '../support/service.ts';
import { chainOf, startReceiver } from './support/receiver.ts';
import { startWorld, webhookKey } from './support/world.ts';

function line(length: number) {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, length);
  return { chain, blocks, posted: [chain.genesis, ...blocks] };
}

test('of many processes one sends for a hook, and another takes over when it stops or loses its database', async t => {
  const { chain, blocks, posted } = line(3);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  await world.add(receiver.url);
  const holder = async () => {
    const [row] = await world.database.sql<{ lease: string | null }[]>`select w.lease from webhooks w`;
    return row!.lease;
  };
  const first = await world.startWorker({ leaseMs: 8000 });
  await world.caughtUp();
  const held = await holder();
  expect(held).not.toBeNull();
  const second = await world.startWorker({ leaseMs: 8000 });
  await world.fold(mineLine(chain, blocks[2]!, 1));
  await until(() => receiver.heights().includes(4));
  expect(await holder()).toBe(held);

  // The process cannot reach the database any more: what it holds is free when its lease ends.
  await first.sql.end({ timeout: 0 });
  const taker = await until(async () => {
    const now = await holder();
    return now !== null && now !== held && now;
  });
  await world.fold(mineLine(chain, blocks[2]!, 3));
  await world.caughtUp();
  const { sql } = world.database;
  const canonical = await sql<{ height: number; hash: string }[]>`
    select b.height, '0x' || encode(b.index_hash, 'hex') as hash from blocks b order by b.height
  `;
  expect(chainOf(receiver.messages())).toEqual(Object.fromEntries(canonical.map(({ height, hash }) => [height, hash])));

  await second.stop();
  expect([taker === null, await holder()]).toEqual([false, null]);
});

test('a sender that has lost its hook writes nothing any more', async t => {
  const { posted } = line(2);
  const world = await startWorld(t, posted);
  await world.add('http://127.0.0.1:9/');
  const { sql } = world.database;
  const key = (await openSecretKeys({ webhookKey, dataDir: '' }).findOrMake()).id;
  // A lease that has ended at once.
  const [old] = await takeHooks(sql, { lease: 'old', leaseMs: -1, key, limit: 5 });
  expect(await takeHooks(sql, { lease: 'third', leaseMs: 60_000, key: Buffer.alloc(8), limit: 5 })).toEqual([]);
  const [now] = await takeHooks(sql, { lease: 'new', leaseMs: 60_000, key, limit: 5 });
  expect(now!.term).toBe(old!.term + 1n);
  expect(await takeHooks(sql, { lease: 'third', leaseMs: 60_000, key, limit: 5 })).toEqual([]);
  const delivery: Delivery = {
    ...{ kind: 'batch' as const, message: 'msg_1', attempt: 1, messages: 1, first_height: 1, last_height: 1 },
    ...{ status: 200, error: null, duration_ms: 1 },
  };
  const progress = { position: old!.position, height: 2 };
  expect(await recordSuccess(sql, old!, progress, delivery)).toBe(false);
  expect(await recordFailure(sql, old!, { state: 'paused', reason: 'x', delayMs: 0 }, delivery)).toBe(false);
  expect(await world.show()).toMatchObject({ state: 'active', block_height: -1, deliveries: 0 });
  expect(await recordSuccess(sql, now!, progress, delivery)).toBe(true);
  expect(await world.show()).toMatchObject({ block_height: 2, deliveries: 1 });
});

test('a redelivery that the stop of its process interrupts goes on in another one', async t => {
  const { posted } = line(5);
  const world = await startWorld(t, posted);
  let holding = true;
  const receiver = await startReceiver(t, ({ redelivery, messages }) =>
    holding && redelivery && messages[0]!.block!.height === 3 ? undefined : 204,
  );
  await world.add(receiver.url, { batch: 1 });
  const first = await world.startWorker();
  await world.caughtUp();
  await redeliver(world.database.sql, 'hook', { from: 2, to: 4 });
  const again = () =>
    receiver.requests.flatMap(({ redelivery, messages }) => (redelivery ? messages[0]!.block!.height : []));
  await until(() => again().includes(3));
  await first.stop();
  expect((await world.show()).redelivery).toEqual({ from: 2, to: 4 });
  holding = false;
  await world.startWorker();
  await until(async () => (await world.show()).redelivery === null);
  expect(again()).toEqual([2, 3, 3, 4]);
});

test('a receiver that never responds holds up no other hook', async t => {
  const { chain, blocks, posted } = line(4);
  const world = await startWorld(t, posted);
  const dead = await startReceiver(t, () => undefined);
  const receiver = await startReceiver(t);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await world.add(dead.url, { name });
  await world.add(receiver.url);
  await world.startWorker();
  await until(() => dead.requests.length === 6);
  await world.caughtUp();
  await world.fold(mineLine(chain, blocks[3]!, 3));
  await until(() => receiver.heights().includes(7));
  expect(receiver.heights()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect((await world.show('a')).deliveries).toBe(0);
});

test('secrets are encrypted in the database, and a process with another key sends nothing', async t => {
  const { posted } = line(2);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  const { secret } = await world.add(receiver.url);
  const rows = await world.database.sql<{ text: string }[]>`select w::text as text from webhooks w`;
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
  const hex = Buffer.from(secret).toString('hex');
  for (const form of [secret, secret.slice(6), bytes, hex]) expect(rows[0]!.text).not.toContain(form);

  const other = openSecretKeys({ webhookKey: '22'.repeat(32), dataDir: '' });
  await expect(addHook({ ...world.admin, keys: other }, { name: 'b', url: receiver.url })).rejects.toThrow(
    'encrypted with another key',
  );
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_details: object, message: string) => void warnings.push(message) };
  const stranger = await world.startWorker({ keys: other, log });
  await until(() => warnings.length > 0);
  expect(warnings).toEqual(['nobody sends for some webhooks']);
  expect(receiver.requests).toEqual([]);
  await stranger.stop();
  await world.startWorker();
  await world.caughtUp();
});
