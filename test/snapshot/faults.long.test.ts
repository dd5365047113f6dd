import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSchema } from '../../src/app/database.ts';
import { FolderStore } from '../../src/ingest/snapshot/folder-store.ts';
import { listSnapshots, readManifest } from '../../src/ingest/snapshot/manifest.ts';
import { restoreSnapshot } from '../../src/ingest/snapshot/restore.ts';
import { isRestoring } from '../../src/ingest/snapshot/restore-state.ts';
import { chunksOf, verifyChunks } from '../../src/ingest/snapshot/verify.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { allRows, cairn, chainDatabase, create, restore, small, testFolder, traces } from './support.ts';

const child = fileURLToPath(new URL('./stalling-child.mjs', import.meta.url));

/** One chain for all tests: none of them changes it. */
let db: TestDatabase;
beforeAll(async () => {
  db = await chainDatabase(undefined);
});
afterAll(async () => await db.drop());

/** Runs the child until it has stopped in the middle, and kills it. */
async function killMidway(options: object): Promise<void> {
  const running = spawn(process.execPath, [child, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(running, 'exit');
  await Promise.race([
    once(running.stdout, 'data'),
    ended.then(([code]) => Promise.reject(new Error(`it ended with code ${code}`))),
  ]);
  running.kill('SIGKILL');
  await ended;
}

test('a restore that was killed continues with the parts that are missing, and until then nothing else uses the database', async t => {
  const folder = testFolder(t);
  const store = new FolderStore(folder);
  const { manifest } = await create(db, store);
  const target = await emptyDatabase(t);
  const chunks = manifest.tables.flatMap(({ parts }) => parts.flatMap(part => part.chunks)).length;
  await killMidway({
    action: 'restore',
    url: target.url,
    folder,
    after: Math.floor(chunks * 0.7),
    commitBytes: 16 << 10,
  });

  expect(await isRestoring(target.sql)).toBe(true);
  const log = { info() {} } as unknown as Parameters<typeof prepareSchema>[1];
  await expect(prepareSchema(target.sql, log)).rejects.toThrow(
    'the restore of a snapshot into this database is not complete',
  );
  const other = new FolderStore(testFolder(t));
  await create(db, other);
  await expect(restore(target, other)).rejects.toThrow(/^the restore of the snapshot .* is not complete/);

  let reads = 0;
  const read = store.read.bind(store);
  store.read = name => {
    if (name.startsWith('chunks/')) reads++;
    return read(name);
  };
  const lines: string[] = [];
  const snapshot = await readManifest(store, undefined);
  await restoreSnapshot({ url: target.url, store, snapshot, verify: false, log: line => lines.push(line) });
  expect(lines[0]).toMatch(/^continuing the restore of the snapshot/);
  expect(reads).toBeLessThan(chunks * 0.9);
  expect(await isRestoring(target.sql)).toBe(false);
  expect(await allRows(target.sql)).toEqual(await allRows(db.sql));
});

test('a create that was killed leaves no snapshot, and the next one uses its chunks', async t => {
  const folder = testFolder(t);
  await killMidway({ action: 'create', url: db.url, folder, after: 20, ...small });
  const store = new FolderStore(folder);
  expect(await listSnapshots(store)).toEqual([]);
  await expect(readManifest(store, undefined)).rejects.toThrow('there is no snapshot in');
  const { manifest, reusedBytes } = await create(db, store);
  expect(reusedBytes).toBeGreaterThan(0);
  expect(await verifyChunks({ store, chunks: chunksOf(manifest), thorough: true })).toEqual([]);
});

test('a create that loses a connection copies the part again from the same point', async t => {
  const store = new FolderStore(testFolder(t));
  const write = store.write.bind(store);
  let ended = 0;
  store.write = async (name, bytes) => {
    if (ended === 0) {
      const killed = await db.sql<{ ended: boolean }[]>`
        select pg_terminate_backend(a.pid) as ended
        from pg_stat_activity a
        where a.datname = current_database() and a.application_name = 'cairn snapshot' and a.query like 'copy %'
      `;
      ended = killed.length;
    }
    await write(name, bytes);
  };
  const { manifest } = await create(db, store);
  expect(ended).toBeGreaterThan(0);
  const target = await emptyDatabase(t);
  await restore(target, store);
  expect(await allRows(target.sql)).toEqual(await allRows(db.sql));
  expect(manifest.tables.length).toBeGreaterThan(80);
});

const chunkFiles = (folder: string) =>
  readdirSync(join(folder, 'chunks'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
const manifestFile = (folder: string) => join(folder, 'snapshots', readdirSync(join(folder, 'snapshots'))[0]!);

/** Ways to damage a snapshot, and what a restore and `verify` say. */
const damages: Record<string, [damage: (folder: string) => void, message: RegExp]> = {
  'a missing chunk': [
    folder => rmSync(chunkFiles(folder)[3]!),
    /is damaged: chunks\/\S+ is missing; nothing was written/,
  ],
  'a truncated chunk': [folder => truncateSync(chunkFiles(folder)[5]!, 10), /has 10 bytes instead of \d+; nothing/],
  'a changed chunk': [
    folder => {
      const file = chunkFiles(folder)[7]!;
      const bytes = readFileSync(file);
      bytes[4]! ^= 1;
      writeFileSync(file, bytes);
    },
    /has a wrong checksum; nothing was written/,
  ],
  'a truncated manifest': [
    folder => truncateSync(manifestFile(folder), 500),
    /the manifest .* is damaged: it is not JSON/,
  ],
  'a changed manifest': [
    folder => {
      const file = manifestFile(folder);
      writeFileSync(file, readFileSync(file, 'utf8').replace('"network":"testnet"', '"network":"mainnet"'));
    },
    /the manifest .* is damaged: its checksum does not match/,
  ],
  'a manifest of something else': [
    folder => writeFileSync(manifestFile(folder), '{"a":1}'),
    /is not a manifest of Cairn/,
  ],
};

test('damaged snapshots are refused before anything is written', async t => {
  const target = await emptyDatabase(t);
  for (const [name, [damage, message]] of Object.entries(damages)) {
    const folder = testFolder(t);
    const store = new FolderStore(folder);
    await create(db, store);
    damage(folder);
    await expect(restore(target, store), name).rejects.toThrow(message);
    expect(await traces(target.sql), name).toEqual([]);
  }
});

test('without the check before, a damaged chunk stops the restore, which goes on when the chunk is repaired', async t => {
  const folder = testFolder(t);
  const store = new FolderStore(folder);
  await create(db, store);
  const target = await emptyDatabase(t);
  const file = chunkFiles(folder)[7]!;
  const bytes = readFileSync(file);
  truncateSync(file, 10);
  const snapshot = await readManifest(store, undefined);
  const again = () => restoreSnapshot({ url: target.url, store, snapshot, verify: false });
  await expect(again()).rejects.toThrow(
    /has 10 bytes instead of \d+: the snapshot is damaged, and the database is not complete/,
  );
  writeFileSync(file, bytes);
  await again();
  expect(await allRows(target.sql)).toEqual(await allRows(db.sql));
});

test('the commands create, list, verify and restore, and refuse another chain and a database that is in use', async t => {
  const folder = testFolder(t);
  const target = await emptyDatabase(t);
  const [source, empty] = [{ DATABASE_URL: db.url }, { DATABASE_URL: target.url }];
  const [created, none] = await Promise.all([
    cairn(source, 'snapshot', 'create', folder),
    cairn({}, 'snapshot', 'list', testFolder(t)),
  ]);
  expect(created).toMatchObject({
    code: 0,
    err: expect.stringMatching(/snapshot testnet-15-\w+ at height 15: .* of rows in .*\/s/),
  });
  expect(none).toMatchObject({ code: 0, out: '', err: expect.stringContaining('there is no snapshot in') });
  const [listed, json, verified, foreign, used] = await Promise.all([
    cairn({}, 'snapshot', 'list', folder),
    cairn({}, 'snapshot', 'list', folder, '--json'),
    cairn({}, 'snapshot', 'verify', folder),
    cairn({ ...empty, CAIRN_NETWORK: 'mainnet' }, 'snapshot', 'restore', folder),
    cairn(source, 'snapshot', 'restore', folder),
  ]);
  const [name] = /^testnet-15-\w+(?= {2}height 15 {2})/.exec(listed.out) ?? [''];
  expect(JSON.parse(json.out)).toMatchObject([{ name, height: 15, network: 'testnet', pruned_to: '0' }]);
  expect(verified).toMatchObject({ code: 0, err: expect.stringContaining(`snapshot ${name} is complete`) });
  expect(foreign).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /holds testnet \(chain id 0x80000000\), but CAIRN_NETWORK is mainnet .*: one database holds one chain/,
    ),
  });
  expect(used).toMatchObject({ code: 2, err: expect.stringContaining('the database holds a chain already') });
  expect(await traces(target.sql)).toEqual([]);

  const missing = await cairn(empty, 'snapshot', 'restore', `${folder}#testnet-1-20200101T000000Z`);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('there is no snapshot testnet-1-') });
  const restored = await cairn(empty, 'snapshot', 'restore', `${folder}#${name}`);
  expect(restored).toMatchObject({
    code: 0,
    err: expect.stringContaining(`${name} is restored: testnet at height 15`),
  });
  expect(await allRows(target.sql)).toEqual(await allRows(db.sql));

  truncateSync(chunkFiles(folder)[0]!, 3);
  expect(await cairn({}, 'snapshot', 'verify', folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`snapshot ${name} is damaged: 1 of`),
  });
  expect(await cairn({}, 'snapshot', 'erase', folder)).toMatchObject({
    code: 2,
    err: expect.stringContaining('expects create, list, verify, restore'),
  });
});
