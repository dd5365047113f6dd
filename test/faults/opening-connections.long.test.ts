import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { databaseLost, isConnectionLost } from '../../src/db/database-error.ts';
import { connectTo, throughPort } from '../db/tcp-proxy.ts';
import { emptyDatabase } from '../support/database.ts';

test('a server that ends connections while they open counts as lost, and not as a fault of the program', async t => {
  const server = createServer(socket => socket.once('data', () => socket.end()));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const sql = connect(`postgres://nobody@127.0.0.1:${port}/none`, { max: 1, name: 'opening', readOnly: true });
  const error = await sql`select 1`.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await sql.end({ timeout: 0 });
  expect(error).toBeInstanceOf(Error);
  expect(databaseLost(error)).toBe(true);
});

/** Listens on the socket of a PostgreSQL server and never accepts a connection, as a server that is stopped. */
const STOPPED = `
  require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => {
    require('node:fs').writeSync(1, 'listening');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test.runIf(process.platform === 'linux')('a server that is stopped counts as lost when its queue is full', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-stopped-'));
  const path = join(folder, '.s.PGSQL.5432');
  const server = spawn(process.execPath, ['-e', STOPPED, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.onTestFinished(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  await once(server.stdout, 'data');
  const waiting = Array.from({ length: 8 }, () => dial(path).on('error', () => {}));
  t.onTestFinished(() => waiting.forEach(socket => void socket.destroy()));
  await Promise.race(waiting.map(socket => new Promise(resolve => socket.once('close', resolve))));
  const sql = connect(`postgres://nobody@${encodeURIComponent(folder)}/none`, { max: 1, name: 'opening' });
  t.onTestFinished(() => sql.end({ timeout: 0 }));
  const error: unknown = await sql`select 1`.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'EAGAIN' });
  expect(databaseLost(error)).toBe(true);
});

test('a read waits for another connection where the first ones end while they open', async t => {
  const { url } = await emptyDatabase(t);
  let left = 3;
  const server = createServer(client => {
    client.on('error', () => {});
    if (left-- > 0) {
      client.once('data', () => client.destroy());
      return;
    }
    const upstream = connectTo(url);
    upstream.on('error', () => {});
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const options = { max: 1, name: 'opening', readOnly: true, statementTimeoutMs: 5000 };
  const sql = connect(throughPort(url, port), options);
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  expect(await Promise.all([sql`select 1 as n`, sql.begin(tx => tx`select 1 as n`)])).toEqual([[{ n: 1 }], [{ n: 1 }]]);
});

test('a read does not suffer from connections that are terminated the moment they are open', async t => {
  const { url } = await emptyDatabase(t);
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command'];
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const fatal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), body]);
  fatal.writeInt32BE(body.length + 4, 1);
  const ready = Buffer.from('5a0000000549', 'hex');
  let left = 2;
  const server = createServer(client => {
    const upstream = connectTo(url);
    const dies = left-- > 0;
    let answers = 0;
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    upstream.on('data', chunk => {
      if (chunk.subarray(-6).equals(ready)) answers++;
      // The first is for the login, the second for what is asked of a new connection.
      if (dies && answers === 2) client.end(Buffer.concat([chunk, fatal]));
      else client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const sql = connect(throughPort(url, port), { max: 1, name: 'opening', readOnly: true, statementTimeoutMs: 5000 });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
});

test.each(['EAI_AGAIN', 'EAGAIN', 'EMFILE', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', '57P05', '40001'])(
  '%s becomes a 503: the database may return soon',
  code => {
    const error = Object.assign(new Error('no luck'), { code });
    expect(databaseLost(error)).toBe(true);
  },
);

test.each(['EAI_AGAIN', 'EHOSTUNREACH'])('a read whose connection fails with %s may be repeated', code => {
  expect(isConnectionLost(Object.assign(new Error('no luck'), { code }))).toBe(true);
});
