import { spawn } from 'node:child_process';
import { once } from 'node:events';
import S3rver from '@20minutes/s3rver';
import { expect, test } from 'vitest';
import { freePort } from '../../bench/support/free-port.ts';
import { chunkName } from '../../src/ingest/snapshot/chunk.ts';
import { createSnapshot } from '../../src/ingest/snapshot/create.ts';
import { listSnapshots, readManifest } from '../../src/ingest/snapshot/manifest.ts';
import { openStore } from '../../src/ingest/snapshot/open-store.ts';
import { restoreSnapshot } from '../../src/ingest/snapshot/restore.ts';
import { chunksOf, verifyChunks } from '../../src/ingest/snapshot/verify.ts';
import { emptyDatabase } from '../support/database.ts';
import { isInstalled } from '../support/installed.ts';
import { until } from '../support/service.ts';
import { allRows, cairn, chainDatabase, testFolder } from './support.ts';

type Ending = Parameters<typeof testFolder>[0];
type Server = { endpoint: string; keys: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string } };

/** The server of a package. It computes another signature than the client for a list, whose path ends in a slash. */
async function startS3rver(t: Ending): Promise<Server> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory: testFolder(t),
    configureBuckets: [{ name: 'backups', configs: [] }],
  });
  const { port } = await server.run();
  t.onTestFinished(() => server.close());
  return {
    endpoint: `http://127.0.0.1:${port}`,
    keys: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
  };
}

/** Another implementation, in Python. */
async function startMoto(t: Ending): Promise<Server> {
  const port = await freePort();
  const child = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  t.onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const ready = () =>
    fetch(`${endpoint}/backups`, { method: 'PUT' }).then(
      response => response.ok,
      () => false,
    );
  await until(ready);
  return { endpoint, keys: { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' } };
}

const servers: [name: string, start: (t: Ending) => Promise<Server>][] = [
  ['s3rver', startS3rver],
  ['moto', startMoto],
];

test.for(servers)('a snapshot goes to a bucket of %s and back', async ([name, start], context) => {
  context.skip(name === 'moto' && !isInstalled('moto_server'), 'moto_server is not installed');
  // Ends are run here, the last first, before the test is over.
  const ends: (() => Promise<void> | void)[] = [];
  const t = { onTestFinished: (end: () => Promise<void> | void) => void ends.unshift(end) };
  try {
    const { endpoint, keys } = await start(t);
    Object.assign(process.env, keys);
    const [db, target] = [await chainDatabase(undefined), await emptyDatabase()];
    t.onTestFinished(() => db.drop());
    t.onTestFinished(() => target.drop());
    const open = async (url: string) => {
      const store = await openStore(url, { s3Endpoint: endpoint, s3Region: 'us-east-1' });
      t.onTestFinished(() => store.close());
      return store;
    };
    const url = 's3://backups/cairn/mainnet';
    const env = { AWS_ENDPOINT_URL_S3: endpoint, ...keys, DATABASE_URL: db.url };
    const created = await cairn(env, 'snapshot', 'create', url);
    expect(created).toMatchObject({ code: 0, err: expect.stringContaining('snapshot testnet-15-') });
    const store = await open(url);
    const { storedBytes, reusedBytes } = await createSnapshot({ url: db.url, store });
    expect(reusedBytes).toBe(storedBytes);
    const names = await listSnapshots(store);
    expect(names.length).toBeGreaterThan(0);
    const snapshot = await readManifest(store, names.at(-1));
    expect(await verifyChunks({ store, chunks: chunksOf(snapshot.manifest) })).toEqual([]);
    await restoreSnapshot({ url: target.url, store, snapshot, verify: true });
    expect(await allRows(target.sql)).toEqual(await allRows(db.sql));

    await store.write(
      chunkName(snapshot.manifest.tables.find(table => table.rows > 0)!.parts[0]!.chunks[0]!),
      Buffer.from('x'),
    );
    expect(await verifyChunks({ store, chunks: chunksOf(snapshot.manifest) })).toHaveLength(1);
    await expect(readManifest(await open('s3://backups/other'), undefined)).rejects.toThrow(
      'there is no snapshot in s3://backups/other',
    );
    await expect(listSnapshots(await open('s3://no-such-bucket'))).rejects.toThrow(
      /^s3:\/\/no-such-bucket: NoSuchBucket/,
    );
  } finally {
    for (const end of ends) await end();
  }
});
