import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultProxy } from '../../bench/support/faults/fault-proxy.ts';
import { FaultServer } from '../../bench/support/faults/fault-server.ts';
import { ServiceProcess } from '../../bench/support/faults/service-process.ts';
import { SteadyWrites } from '../../bench/support/faults/steady-writes.ts';
import { freePort } from '../../bench/support/free-port.ts';
import { until } from '../support/service.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cairn-faults-'));
chmodSync(folder, 0o755);

let server: FaultServer;
let port: number;
/** Takes all events, and folds when the other one does not. */
let standby: ServiceProcess;
let writes: SteadyWrites;

beforeAll(async () => {
  port = await freePort();
  server = await FaultServer.start(join(folder, 'data'), port);
  watch = new pg.Client({ connectionString: server.urlAt('127.0.0.1', port) });
  await watch.connect();
});

afterAll(async () => {
  await writes?.stop();
  await standby?.stop();
  await watch?.end();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** One connection for all questions: a new one for each would cost the server more than the fold does. */
let watch: pg.Client;

type Position = { writer: string; event_id: string; height: number };

async function position(): Promise<Position> {
  const { rows } = await watch.query<Position>('select writer, event_id, height from fold_position');
  return rows[0]!;
}

/** A process that ingests, behind a proxy of its own. */
async function startWriter(): Promise<{ service: ServiceProcess; proxy: FaultProxy }> {
  const proxy = await FaultProxy.open({ port: 0 }, { port });
  const service = await ServiceProcess.start({
    program,
    env: { CAIRN_ROLE: 'ingest', DATABASE_URL: server.urlAt('127.0.0.1', proxy.port) },
  });
  return { service, proxy };
}

/** A process that waits until the writer is gone. */
async function startStandby(): Promise<ServiceProcess> {
  const service = await ServiceProcess.start({
    program,
    env: { CAIRN_ROLE: 'ingest', DATABASE_URL: server.urlAt('127.0.0.1', port) },
  });
  await until(async () => (await connections('cairn fold lease')) === 2);
  return service;
}

/** Waits until there is another writer, which then goes on with the log. */
async function takeover(): Promise<void> {
  const before = await position();
  await until(async () => (await position()).writer !== before.writer);
  await until(async () => BigInt((await position()).event_id) > BigInt(before.event_id));
}

test('a standby takes over from a writer whose network is gone, and the writer lives', async t => {
  const first = await startWriter();
  t.onTestFinished(async () => {
    await first.service.stop();
    await first.proxy.close();
  });
  await until(() => writesThrough(first.proxy));
  standby = await startStandby();
  writes = new SteadyWrites({ seed: 7, ports: () => [standby.observerPort], everyMs: 100 });
  await writes.start(10);
  await until(async () => (await position()).height > 10);
  const { writer } = await position();

  first.proxy.stall();
  await takeover();

  // Back on the network, it finds another writer and leaves the tables alone.
  first.proxy.resume();
  const after = await position();
  expect(BigInt(after.writer)).toBe(BigInt(writer) + 1n);
  const height = writes.height + 30;
  await until(async () => (await position()).height >= height);
  expect((await position()).writer).toBe(after.writer);
  expect(first.service.died).toBe(false);
});

test('a standby takes over from a writer that was killed', async t => {
  const first = await startWriter();
  t.onTestFinished(() => first.proxy.close());
  // The standby of the last test writes now: it hands over when it stops.
  await standby.stop();
  await until(() => writesThrough(first.proxy));
  standby = await startStandby();
  await first.service.kill();
  await takeover();
});

test('a standby takes over from a writer that hangs', async t => {
  const first = await startWriter();
  t.onTestFinished(async () => {
    await first.service.kill();
    await first.proxy.close();
  });
  await standby.stop();
  await until(() => writesThrough(first.proxy));
  standby = await startStandby();
  first.service.signal('SIGSTOP');
  await takeover();
  first.service.signal('SIGCONT');
  const { writer } = await position();
  const height = writes.height + 30;
  await until(async () => (await position()).height >= height);
  expect((await position()).writer).toBe(writer);

  // Whatever happened, the tables hold the blocks that were acknowledged.
  await writes.stop();
  await until(async () => (await position()).height >= writes.height);
  const { rows } = await watch.query<{ height: number; hash: string }>(
    `select height, '0x' || encode(hash, 'hex') as hash from blocks where height > 1 order by height`,
  );
  expect(rows).toEqual(writes.blocks.flatMap(block => (block ? [{ height: block.height, hash: block.hash }] : [])));
});

/** Whether the only process left that ingests has begun to write. */
const writesThrough = async (proxy: FaultProxy) =>
  proxy.connections > 0 && (await connections('cairn fold writer')) === 1;

async function connections(name: string): Promise<number> {
  const { rows } = await watch.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where application_name = $1',
    [name],
  );
  return rows[0]!.count;
}
