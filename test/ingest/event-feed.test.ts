import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { describe, expect, test } from 'vitest';
import { EventFeed } from '../../src/ingest/log/event-feed.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { EventSupply } from '../../src/ingest/log/event-supply.ts';
import { signerMessagesPath } from '../../src/ingest/signers/signer-event.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { append, foldAll, headOf, positionOf, startFold, until } from '../support/service.ts';

const event = (id: number, bytes = 1) => ({
  id: BigInt(id),
  at: new Date(0),
  path: '/other',
  source: 'test',
  body: Buffer.alloc(bytes),
});
const idsOf = (events: { id: bigint }[]) => events.map(({ id }) => Number(id));

/** An open feed and the bytes it has let go of. */
function openFeed() {
  const feed = new EventFeed();
  const state = { feed, released: 0 };
  feed.onRelease = bytes => {
    state.released += bytes;
  };
  feed.open();
  return state;
}

describe('the feed', () => {
  test('gives what follows without a gap, within bounds, and lets go of what is behind', () => {
    const state = openFeed();
    state.feed.offer([3, 4, 5, 7].map(id => event(id, 10)));
    expect(state.feed.take(1n)).toEqual([]);
    expect(idsOf(state.feed.take(3n, { maxCount: 1 }))).toEqual([4]);
    expect(state.released).toBe(20);
    expect(idsOf(state.feed.take(4n))).toEqual([5]);
    expect(state.feed.take(5n)).toEqual([]);
    expect(idsOf(state.feed.take(6n, { maxBytes: 1 }))).toEqual([7]);
    expect(state.released).toBe(40);
  });

  test('keeps nothing while nobody folds, nor what it has already', () => {
    const state = openFeed();
    state.feed.offer([event(1), event(2)]);
    state.feed.offer([event(2), event(3)]);
    expect(idsOf(state.feed.take(0n))).toEqual([1, 2, 3]);
    expect(state.released).toBe(4);
    state.feed.offer([event(4)]);
    state.feed.close();
    state.feed.offer([event(5)]);
    expect(state.feed.take(3n)).toEqual([]);
    expect(state.released).toBe(6);
  });
});

describe('the supply', () => {
  test('reads from the log what the feed lacks, and only what was announced', async t => {
    const db = await testDatabase(t);
    await append(
      db,
      Array.from({ length: 6 }, () => ({ path: '/other', body: '{}' })),
    );
    const { feed } = openFeed();
    let woken = 0;
    const supply = new EventSupply(db.sql, feed, () => woken++);
    t.onTestFinished(() => supply.close());
    const taken = async (after: bigint, maxCount: number) => {
      const ids: number[] = [];
      for await (const batch of supply.batches(after, { maxCount })) ids.push(...idsOf(batch));
      return ids;
    };
    feed.offer([event(3), event(4)]);
    expect(woken).toBe(1);
    expect(await taken(0n, 2)).toEqual([1, 2, 3, 4, 5, 6]);
    await append(db, [{ path: '/other', body: '{}' }]);
    expect(await taken(6n, 2)).toEqual([]);
    supply.announce(7n);
    await until(async () => woken === 2);
    expect(await taken(6n, 2)).toEqual([7]);
    await append(db, [{ path: '/other', body: '{}' }]);
    supply.recheckLog();
    expect(await taken(7n, 2)).toEqual([8]);
  });
});

test('messages of signers wait for others, but not for long, and nothing waits with them', async t => {
  const db = await testDatabase(t);
  const { feed } = openFeed();
  let woken = 0;
  const supply = new EventSupply(db.sql, feed, () => woken++);
  t.onTestFinished(() => supply.close());
  const signer = (id: number) => ({ ...event(id), path: signerMessagesPath });
  feed.offer([signer(1)]);
  feed.offer([signer(2), signer(3)]);
  expect(woken).toBe(0);
  await until(async () => woken > 0);
  expect(woken).toBe(1);
  expect(idsOf(feed.take(0n))).toEqual([1, 2, 3]);
  feed.offer([signer(4)]);
  feed.offer([event(5)]);
  expect(woken).toBe(2);
  expect(idsOf(feed.take(3n))).toEqual([4, 5]);
  // An event that is only announced may be of any kind.
  feed.offer([signer(6)]);
  supply.announce(7n);
  await until(async () => woken === 3);
  expect(idsOf(feed.take(5n))).toEqual([6]);
});

test('what was announced before it could be read is looked for again', async t => {
  const db = await testDatabase(t);
  const supply = new EventSupply(db.sql, undefined, () => {});
  const taken = async () => {
    const ids: number[] = [];
    for await (const batch of supply.batches(0n, {})) ids.push(...idsOf(batch));
    return ids;
  };
  supply.announce(1n);
  expect(await taken()).toEqual([]);
  await append(db, [{ path: '/other', body: '{}' }]);
  expect(await taken()).toEqual([1]);
});

test('a fold that is handed its events ends where one that reads them does', async t => {
  const [db, read] = await Promise.all([testDatabase(t), testDatabase(t)]);
  const chain = testChain();
  const trunk = mineLine(chain, chain.genesis, 6);
  const messages = [chain.genesis, ...trunk, ...mineLine(chain, trunk[2]!, 5), ...trunk].flatMap(messagesOf);
  const feed = new EventFeed();
  let dropped = 0;
  const fold = startFold(db, { feed });
  const log = new EventLog(db.sql, {
    // Every fifth event gets lost on the way, as one that came compressed would.
    onAppend: events => feed.offer(events.filter(({ id }) => id % 5n !== 0n || ++dropped < 0)),
  });
  for (const { path, body } of messages) {
    await log.append({ path, source: 'test', at: new Date(), body: Buffer.from(messageText(body)) });
  }
  const head = await headOf(db.sql);
  await until(async () => (await positionOf(db.sql)).event_id >= head);
  await fold.stop();
  await log.close();
  expect(dropped).toBeGreaterThan(1);
  await foldAll(read, messages);
  expect(differences(await dump(db.sql), await dump(read.sql))).toEqual([]);
});
