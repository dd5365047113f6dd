import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverAccount } from '../../src/db/embedded/account.ts';
import { isAlive, processIdentity } from '../../src/db/embedded/lock.ts';
import { until } from '../support/service.ts';
import { ask, serverPid, start, startChild, temporaryFolder } from './embedded-support.ts';

test('the server that a killed process left is joined again, with its data', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const child = await startChild(t, { dataDir });
  await ask(child.url, 'create table kept as select 7 as value');
  child.process.kill('SIGKILL');
  await child.exit;
  const server = await start(t, { dataDir });
  expect(await serverPid(server.url)).toBe(child.pid);
  expect(await ask(server.url, 'select value from kept')).toBe(7);
  const identity = processIdentity(child.pid)!;
  await server.stop();
  expect(isAlive(identity)).toBe(false);
});

test('a left server with other settings is replaced', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const child = await startChild(t, { dataDir, settings: { work_mem: '5MB' } });
  child.process.kill('SIGKILL');
  await child.exit;
  const said: string[] = [];
  const server = await start(t, { dataDir, settings: { work_mem: '6MB' }, log: line => said.push(line) });
  expect(await ask(server.url, `select current_setting('work_mem') as value`)).toBe('6MB');
  // Other runs on this machine may have left databases behind.
  expect(said.filter(line => !line.includes('cairn clusters'))).toEqual([
    'stopping the PostgreSQL server that an earlier run left behind',
  ]);
});

test('a left server that no longer answers is replaced', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const child = await startChild(t, { dataDir });
  child.process.kill('SIGKILL');
  await child.exit;
  process.kill(child.pid, 'SIGSTOP');
  const server = await start(t, { dataDir, stopTimeoutMs: 500 });
  expect(await serverPid(server.url)).not.toBe(child.pid);
});

test('a killed server recovers what was committed, though its postmaster.pid is stale', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const first = await start(t, { dataDir });
  await ask(first.url, 'create table kept as select 7 as value');
  const pid = await serverPid(first.url);
  const identity = processIdentity(pid)!;
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(identity));
  const second = await start(t, { dataDir });
  expect(await ask(second.url, 'select value from kept')).toBe(7);
});

test('a server that ends while another user waits for it is started again', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const first = await start(t, { dataDir });
  const pid = await serverPid(first.url);
  process.kill(pid, 'SIGSTOP'); // looks alive, and does not respond
  setTimeout(() => process.kill(pid, 'SIGKILL'), 1_000);
  const second = await start(t, { dataDir });
  expect(await ask(second.url, 'select 1 as value')).toBe(1);
  expect(await serverPid(second.url)).not.toBe(pid);
});

test('a stale postmaster.pid whose number another program has now does not stop a start', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  await (await start(t, { dataDir })).stop();
  // As the server's own user: PostgreSQL takes only such a process for another server.
  const other = spawn('/bin/sleep', ['60'], { ...serverAccount(), cwd: '/', stdio: 'ignore' });
  t.onTestFinished(() => {
    other.kill();
  });
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  writeFileSync(file, [other.pid, join(dataDir, 'postgres', 'cluster'), 1, 5432, dataDir, '', 1, 'ready'].join('\n'));
  const { url } = await start(t, { dataDir });
  expect(await ask(url, 'select 1 as value')).toBe(1);
  expect(other.exitCode).toBe(null);
});

test('a signal to the whole process group leaves the server to be stopped by us', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const child = await startChild(t, { dataDir });
  process.kill(-child.process.pid!, 'SIGTERM');
  expect(await child.next()).toEqual({ answer: 42 });
  await child.exit;
  expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
  expect(readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')).toContain('database system is shut down');
});

test('a server whose data folder was removed is stopped all the same', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const server = await start(t, { dataDir });
  const identity = processIdentity(await serverPid(server.url))!;
  rmSync(dataDir, { recursive: true });
  await server.stop();
  expect(isAlive(identity)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
});

test('a server that does not stop in time is stopped at once', async t => {
  const dataDir = join(temporaryFolder(t), 'data');
  const server = await start(t, { dataDir, stopTimeoutMs: 100 });
  const pid = await serverPid(server.url);
  const identity = processIdentity(pid)!;
  process.kill(pid, 'SIGSTOP'); // hears the first request too late
  setTimeout(() => process.kill(pid, 'SIGCONT'), 300);
  await server.stop();
  expect(isAlive(identity)).toBe(false);
});
