import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { checkSnapshotNetwork, storeIdentity } from '../../src/app/identity.ts';
import { dumpSchema } from '../../src/db/dump-schema.ts';
import { applyMigrations, listPending, readMigrations } from '../../src/db/migrate.ts';
import { addKey } from '../../src/http/keys/key-queries.ts';
import { rebuild } from '../../src/ingest/load/rebuild.ts';
import { createSnapshot } from '../../src/ingest/snapshot/create.ts';
import { FolderStore } from '../../src/ingest/snapshot/folder-store.ts';
import { listSnapshots, readManifest } from '../../src/ingest/snapshot/manifest.ts';
import { parseAddress } from '../../src/ingest/snapshot/open-store.ts';
import { rangesOf } from '../../src/ingest/snapshot/table-ranges.ts';
import { chunksOf, verifyChunks } from '../../src/ingest/snapshot/verify.ts';
import { insertHook } from '../../src/webhooks/hook-queries.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { append, foldAll, folded, headOf, positionOf, startFold, testNetwork } from '../support/service.ts';
import { allRows, chainDatabase, create, forkedChain, restore, small, testFolder } from './support.ts';

test('a restored database has every row, index, constraint and sequence of its source', async t => {
  const [db, target] = [await chainDatabase(t), await emptyDatabase(t)];
  const store = new FolderStore(testFolder(t));
  const { manifest, reusedBytes } = await create(db, store);
  expect(reusedBytes).toBe(0);
  const { height, event_id } = await positionOf(db.sql);
  expect(manifest).toMatchObject({ height, event_id: String(event_id), network: 'testnet', chain_id: 0x8000_0000 });
  expect(manifest.tables.some(({ parts }) => parts.length > 1)).toBe(true);
  expect(manifest.tables.some(({ parts }) => parts.some(part => part.chunks.length > 1))).toBe(true);
  await restore(target, store);
  expect(await allRows(target.sql)).toEqual(await allRows(db.sql));
  expect(await dumpSchema(target.sql)).toBe(await dumpSchema(db.sql));
  const sequences = (sql: typeof db.sql) => sql`select sequencename, last_value from pg_sequences order by 1`;
  expect(await sequences(target.sql)).toEqual(await sequences(db.sql));
});

test('a snapshot made while blocks arrive is one point of the chain, and the restored database continues to the same tables', async t => {
  const messages = forkedChain(40);
  const [db, target] = [await testDatabase(t), await emptyDatabase(t)];
  await storeIdentity(db.sql, testNetwork, false);
  const half = Math.floor(messages.length / 2);
  await foldAll(db, messages.slice(0, half));
  const fold = startFold(db, { batchBlocks: 1 });
  const store = new FolderStore(testFolder(t));
  // Every chunk that is stored brings the next message, so that the chain moves during the whole copy.
  let next = half;
  const write = store.write.bind(store);
  store.write = async (name, bytes) => {
    const message = messages[next++];
    if (message) await folded(db.sql, await append(db, [message]));
    await write(name, bytes);
  };
  const { manifest } = await create(db, store);
  const rest = next < messages.length ? await append(db, messages.slice(next)) : await headOf(db.sql);
  await folded(db.sql, rest);
  await fold.stop();
  expect(next).toBeGreaterThan(half + 10);
  expect(BigInt(manifest.last_event_id)).toBeLessThan(await headOf(db.sql));

  await restore(target, store);
  const atPoint = await testDatabase(t);
  const events = Number(manifest.event_id);
  await foldAll(atPoint, messages.slice(0, events));
  expect(await dump(target.sql)).toEqual(await dump(atPoint.sql));
  // The node posts what came after the point, as it does to a service that was down.
  await foldAll(target, messages.slice(events));
  expect(await dump(target.sql)).toEqual(await dump(db.sql));
});

test('a second snapshot stores only the chunks that have changed', async t => {
  const chain = testChain({ seed: 9 });
  const trunk = mineLine(chain, chain.genesis, 40);
  const db = await chainDatabase(t, [chain.genesis, ...trunk].flatMap(messagesOf));
  const store = new FolderStore(testFolder(t));
  const first = await create(db, store);
  await foldAll(db, mineLine(chain, trunk.at(-1)!, 1).flatMap(messagesOf));
  const second = await create(db, store);
  expect(second.reusedBytes).toBeGreaterThan(first.storedBytes / 4);
  expect(second.manifest.height).toBe(first.manifest.height + 1);
  expect((await readManifest(store, first.name)).manifest).toEqual(first.manifest);
  for (const { manifest } of [first, second]) {
    expect(await verifyChunks({ store, chunks: chunksOf(manifest), thorough: true })).toEqual([]);
  }
  const target = await emptyDatabase(t);
  await restore(target, store);
  expect(await dump(target.sql)).toEqual(await dump(db.sql));
});

test('a snapshot without events is as a pruned database: it continues, and a fork below its tip is applied', async t => {
  const chain = testChain({ seed: 21 });
  const trunk = mineLine(chain, chain.genesis, 30);
  const loser = mineLine(chain, trunk[3]!, 2);
  const db = await chainDatabase(
    t,
    [chain.genesis, ...trunk.slice(0, 6), ...loser, ...trunk.slice(6)].flatMap(messagesOf),
  );
  const store = new FolderStore(testFolder(t));
  const { manifest } = await createSnapshot({ url: db.url, store, ...small, keepBlocks: 10 });
  const events = manifest.tables.find(({ name }) => name === 'event_log')!.rows;
  expect(Number(manifest.pruned_to)).toBeGreaterThan(20);
  expect(events).toBeLessThan(Number(manifest.last_event_id) - 20);
  expect(events).toBeGreaterThan(Number(manifest.last_event_id) - Number(manifest.pruned_to));

  const target = await emptyDatabase(t);
  await restore(target, store);
  expect(await dump(target.sql)).toEqual(await dump(db.sql));
  const rival = mineLine(chain, trunk[26]!, 6);
  for (const each of [db, target]) await foldAll(each, rival.flatMap(messagesOf));
  expect((await positionOf(target.sql)).height).toBe(rival.at(-1)!.height);
  expect(await dump(target.sql)).toEqual(await dump(db.sql));
});

test('a snapshot of an older schema is restored as it was and then migrated', async t => {
  const [db, target] = [await emptyDatabase(t), await emptyDatabase(t)];
  const last = readMigrations().length - 1;
  await db.sql.begin(tx => applyMigrations(tx, { upTo: last }));
  await storeIdentity(db.sql, testNetwork, false);
  const store = new FolderStore(testFolder(t));
  expect((await create(db, store)).manifest.migrations).toHaveLength(last);
  await restore(target, store);
  expect(await listPending(target.sql)).toEqual([]);
  const current = await testDatabase(t);
  expect(await dumpSchema(target.sql)).toBe(await dumpSchema(current.sql));
});

test('a database that was prepared but holds no chain is filled, unless it is for another chain or has API keys or webhooks', async t => {
  const [db, target] = [await chainDatabase(t), await testDatabase(t)];
  const store = new FolderStore(testFolder(t));
  const snapshot = await create(db, store);
  await target.sql.begin(async tx => {
    await storeIdentity(tx, parseNetwork('mainnet')!, false);
    await expect(checkSnapshotNetwork(tx, snapshot, undefined)).rejects.toThrow(
      /holds testnet .*, but this database holds mainnet/,
    );
    await tx`delete from chain_identity`;
  });
  await addKey(target.sql, 'client', Buffer.alloc(32, 1), { per_second: null, burst: null, max_open: null }, false);
  await expect(restore(target, store)).rejects.toThrow('the database holds API keys');
  await target.sql`delete from api_keys`;
  const hook = {
    ...{
      name: 'hook',
      url: 'https://example.org/',
      selection: {},
      payload: '1' as const,
      batch: 1,
      position: '',
      height: 0,
    },
    ...{ secret: Buffer.alloc(1), secret_key: Buffer.alloc(8) },
  };
  await insertHook(target.sql, hook, 1);
  await expect(restore(target, store)).rejects.toThrow('the database holds webhooks');
  await target.sql`delete from webhooks`;
  await restore(target, store);
  expect(await allRows(target.sql)).toEqual(await allRows(db.sql));
  expect(await dumpSchema(target.sql)).toBe(await dumpSchema(db.sql));
});

test('a snapshot of nothing, during a bulk load or during a rebuild is refused', async t => {
  const store = new FolderStore(testFolder(t));
  await expect(create(await emptyDatabase(t), store)).rejects.toThrow('the database has no tables of Cairn');
  const db = await testDatabase(t);
  await expect(create(db, store)).rejects.toThrow('the database holds no chain');
  await storeIdentity(db.sql, testNetwork, false);
  await foldAll(db, forkedChain(), { bulk: true });
  await expect(create(db, store)).rejects.toThrow('a bulk load of this database has not ended');
  expect(await listSnapshots(store)).toEqual([]);
});

test('a rebuild and a snapshot do not run at once', async t => {
  const db = await chainDatabase(t);
  const store = new FolderStore(testFolder(t));
  const write = store.write.bind(store);
  const refused: string[] = [];
  store.write = async (name, bytes) => {
    if (refused.length === 0) {
      refused.push('');
      const log = { info() {}, warn() {}, error() {} };
      await rebuild({ url: db.url, network: testNetwork, log }).catch(error => refused.push(error.message));
    }
    await write(name, bytes);
  };
  await create(db, store);
  expect(refused[1]).toMatch(/^another rebuild or a snapshot of this database is running/);
});

test('the ranges of a table stay the same as it grows', () => {
  expect(rangesOf({ bytes: 0, pages: 0 }, 1024)).toEqual([]);
  expect(rangesOf({ bytes: 8, pages: 1 }, 1024)).toEqual([{ from: 0, to: undefined, bytes: 8 }]);
  const bounds = (pages: number) => rangesOf({ bytes: pages * 8192, pages }, 65_536).map(range => range.from);
  expect(bounds(20)).toEqual([0, 8, 16]);
  expect(bounds(30)).toEqual([0, 8, 16, 24]);
  // Rows with long values have few pages of their own.
  expect(rangesOf({ bytes: 1 << 30, pages: 4 }, 1 << 20)).toHaveLength(4);
});

test('an address names a store, and after # a snapshot', () => {
  expect(parseAddress('s3://bucket/path')).toEqual({ store: 's3://bucket/path', name: undefined });
  expect(parseAddress('/backup#mainnet-5-20260101T000000Z')).toEqual({
    store: '/backup',
    name: 'mainnet-5-20260101T000000Z',
  });
  expect(() => parseAddress('/backup#../x')).toThrow('is not the name of a snapshot');
});
