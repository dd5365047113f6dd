import { type ChainhookEvent, ChainhookEventSchema } from '@hirosystems/chainhooks-client';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { mineLine, testChain } from '../support/chain.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { adminToken, definitionOf, startHosted, startTarget } from './support/hosted.ts';

const pay = (amount: bigint) => ({ kind: 'transfer', from: 0, to: addressOf(1), amount }) as const;

/** A chain of so many blocks above its genesis, each with a transfer. */
function line(length: number) {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, length, { transactions: [pay(5n)] });
  return { chain, blocks, posted: [chain.genesis, ...blocks] };
}

// Its files import each other, so that two fields are undefined in the schema: they are not judged.
const isEvent = new Ajv({ strict: false }).compile(JSON.parse(JSON.stringify(ChainhookEventSchema)));

/** The events of a receiver, each as the types of the client declare it. */
function eventsOf(calls: readonly { text: string }[]): ChainhookEvent[] {
  return calls.map(({ text }) => {
    const event = JSON.parse(text);
    expect([isEvent(event), isEvent.errors]).toEqual([true, null]);
    return event;
  });
}

const heightsOf = (events: readonly ChainhookEvent[]) =>
  events.map(({ event: { apply, rollback } }) => [
    rollback.map(({ block_identifier: { index } }) => index),
    apply.map(({ block_identifier: { index } }) => index),
  ]);

test('every method of the official client works with another base URL alone', async t => {
  const { chain, blocks, posted } = line(3);
  const { client, startWorker, fold, caughtUp } = await startHosted(t, posted);
  const target = await startTarget(t);
  expect(await client.getStatus()).toMatchObject({ status: 'ready' });

  expect(await client.getConsumerSecret()).toEqual({ secret: null });
  const { secret } = await client.rotateConsumerSecret();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await client.getConsumerSecret()).toEqual({ secret });

  const definition = definitionOf(target.url, [{ type: 'stx_transfer', receiver: addressOf(1) }], {
    enable_on_registration: false,
  });
  const made = await client.registerChainhook(definition);
  expect(made).toMatchObject({ definition, status: { status: 'new', enabled: false, occurrence_count: 0 } });
  const { uuid } = made;
  expect(await client.getChainhook(uuid)).toEqual(made);
  expect(await client.getChainhooks({ limit: 5, offset: 0 })).toEqual({
    limit: 5,
    offset: 0,
    total: 1,
    results: [made],
  });
  expect(await client.getChainhooks({ offset: 1 })).toMatchObject({ limit: 20, total: 1, results: [] });

  const changed = await client.updateChainhook(uuid, { name: 'other', options: { decode_clarity_values: true } });
  expect(changed.definition).toEqual({ ...definition, name: 'other', options: { decode_clarity_values: true } });
  await client.enableChainhook(uuid, true);
  expect((await client.getChainhook(uuid)).status).toMatchObject({ enabled: true });

  await startWorker();
  const four = chain.mine(blocks[2]!, { transactions: [pay(7n)] });
  await fold([four]);
  await caughtUp(`chainhook-${uuid}`);
  const [event] = eventsOf(target.calls);
  expect(event).toMatchObject({
    chainhook: { uuid, name: 'other' },
    event: {
      ...{ chain: 'stacks', network: 'testnet', rollback: [] },
      apply: [
        {
          block_identifier: { index: 4, hash: four.indexHash },
          parent_block_identifier: { index: 3, hash: blocks[2]!.indexHash },
          transactions: [
            {
              metadata: {
                type: 'token_transfer',
                status: 'success',
                sender_address: addressOf(0),
                result: { repr: '(ok true)' },
              },
              operations: [
                { type: 'fee' },
                { type: 'token_transfer', account: { address: addressOf(0) }, amount: { value: '-7' } },
                { type: 'token_transfer', account: { address: addressOf(1) }, amount: { value: '7' } },
              ],
            },
          ],
        },
      ],
    },
  });
  expect(target.calls[0]!.headers).toMatchObject({
    authorization: `Bearer ${secret}`,
    'webhook-id': expect.any(String),
  });

  await client.evaluateChainhook(uuid, { block_height: 2 });
  await client.evaluateChainhook(uuid, { index_block_hash: blocks[0]!.indexHash });
  await until(() => target.calls.length >= 3, 10_000);
  expect(heightsOf(eventsOf(target.calls))).toEqual([
    [[], [4]],
    [[], [2]],
    [[], [1]],
  ]);
  const { status } = await client.getChainhook(uuid);
  expect(status).toMatchObject({
    status: 'streaming',
    last_occurrence_block_height: 4,
    occurrence_count: 1,
    evaluated_block_count: 1,
  });

  const { secret: next } = await client.rotateConsumerSecret();
  expect(next).not.toBe(secret);
  await client.evaluateChainhook(uuid, { block_height: 3 });
  await until(() => target.calls.length >= 4, 10_000);
  expect(target.calls[3]!.headers.authorization).toBe(`Bearer ${next}`);

  expect(await client.bulkEnableChainhooks({ enabled: false, filters: { webhook_url: target.url } })).toEqual({
    updated_uuids: [uuid],
  });
  expect(await client.bulkEnableChainhooks({ enabled: true, filters: { statuses: ['expired'] } })).toEqual({
    updated_uuids: [],
  });
  await fold([chain.mine(four, { transactions: [pay(8n)] })]);
  // A disabled chainhook delivers what it is asked for, and nothing else.
  await client.deleteConsumerSecret();
  await client.evaluateChainhook(uuid, { block_height: 1 });
  await until(() => target.calls.length >= 5, 10_000);
  expect(target.calls[4]!.headers.authorization).toBeUndefined();
  expect(heightsOf(eventsOf(target.calls)).at(-1)).toEqual([[], [1]]);

  await client.deleteChainhook(uuid);
  await expect(client.getChainhook(uuid)).rejects.toMatchObject({ status: 404 });
});

test('a fork takes back what was sent, as it was sent', async t => {
  const { chain, blocks, posted } = line(3);
  const { client, startWorker, fold, caughtUp } = await startHosted(t, posted);
  const target = await startTarget(t);
  const { uuid } = await client.registerChainhook(definitionOf(target.url, [{ type: 'stx_event' }]));
  await startWorker();
  const four = chain.mine(blocks[2]!, { transactions: [pay(40n)] });
  const five = chain.mine(four);
  const six = chain.mine(five, { transactions: [pay(60n)] });
  await fold([four, five, six]);
  await until(() => target.calls.length >= 2, 10_000);
  const other = mineLine(chain, blocks[2]!, 5, { transactions: [pay(9n)] });
  await fold(other);
  await caughtUp(`chainhook-${uuid}`);
  const events = eventsOf(target.calls);
  // Block 5 had nothing for the chainhook, and is not taken back.
  expect(heightsOf(events)).toEqual([
    [[], [4]],
    [[], [6]],
    [[6, 4], [4]],
    ...[5, 6, 7, 8].map(height => [[], [height]]),
  ]);
  const [first, second, third] = events;
  expect(third!.event.rollback).toEqual([...second!.event.apply, ...first!.event.apply]);
  expect(third!.event.apply[0]!.block_identifier.hash).toBe(other[0]!.indexHash);
});

test('the prefix of the documentation means the same, and owners see their own chainhooks alone', async t => {
  const { posted } = line(1);
  const { client, clientOf, keyOf, ask, key } = await startHosted(t, posted);
  const { uuid } = await client.registerChainhook(definitionOf('https://shop.example/', [{ type: 'coinbase' }]));
  expect((await ask('GET', `/chainhooks/v1/me/${uuid}`)).body).toEqual(await client.getChainhook(uuid));
  expect((await ask('GET', '/chainhooks/v1/')).body).toEqual(await client.getStatus());
  expect((await ask('GET', '/chainhooks/v1/me/secret')).body).toEqual({ secret: null });
  expect(await ask('PATCH', `/chainhooks/v1/me/${uuid}/enabled`, { enabled: false })).toEqual({
    status: 204,
    body: undefined,
  });

  const other = clientOf(await keyOf('other'));
  expect(await other.getChainhooks()).toMatchObject({ total: 0 });
  await expect(other.getChainhook(uuid)).rejects.toMatchObject({ status: 404 });
  await expect(other.deleteChainhook(uuid)).rejects.toMatchObject({ status: 404 });
  expect(await other.bulkEnableChainhooks({ enabled: true, filters: { uuids: [uuid] } })).toEqual({
    updated_uuids: [],
  });
  const operator = clientOf(adminToken);
  expect(await operator.getChainhooks()).toMatchObject({ total: 0 });
  expect((await operator.rotateConsumerSecret()).secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await client.getConsumerSecret()).toEqual({ secret: null });

  await expect(clientOf().getChainhooks()).rejects.toMatchObject({ status: 401 });
  await expect(clientOf(`${key}x`).getChainhooks()).rejects.toMatchObject({ status: 401 });
  await expect(clientOf(await keyOf('reader', false)).getStatus()).rejects.toMatchObject({ status: 403 });
});
