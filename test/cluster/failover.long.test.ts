import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseCluster, type Member } from '../../bench/support/cluster/database-cluster.ts';
import { ServiceProcess } from '../../bench/support/faults/service-process.ts';
import { SteadyWrites } from '../../bench/support/faults/steady-writes.ts';
import { program } from '../faults/expectations.ts';
import { until } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-failover-'));
chmodSync(folder, 0o755);

let cluster: DatabaseCluster;
let observers: ServiceProcess[];
let api: ServiceProcess;
let writes: SteadyWrites;
let older = 0;
let seen = 0;
let reading: Promise<void>;
let over = false;

beforeAll(async () => {
  cluster = await DatabaseCluster.open({ folder, standbys: 2 });
  const DATABASE_URL = cluster.urlOf(...cluster.members);
  const start = (role: string, name: string) =>
    ServiceProcess.start({
      program,
      env: { DATABASE_URL, CAIRN_ROLE: role, CAIRN_DATA_DIR: join(folder, name) },
    });
  observers = [await start('ingest', 'one'), await start('ingest', 'two')];
  let turn = 0;
  // Each post goes to the next observer that runs.
  const ports = () => {
    const running = observers.filter(observer => !observer.ended).map(({ observerPort }) => observerPort);
    turn++;
    return [...running.slice(turn % running.length), ...running.slice(0, turn % running.length)];
  };
  writes = new SteadyWrites({ seed: 5, ports, everyMs: 100 });
  await writes.start(10);
  api = await start('api', 'three');
  reading = read();
});

afterAll(async () => {
  over = true;
  await reading;
  await writes?.stop();
  await Promise.all([api?.stop(), ...(observers ?? []).map(observer => observer.stop())]);
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Reads the tip all the time, and counts responses that show less than an earlier one. */
async function read(): Promise<void> {
  while (!over) {
    const response = await fetch(`http://127.0.0.1:${api.apiPort}/extended/v2/blocks?limit=1`);
    const body = (await response.json()) as { results?: { height: number }[] };
    const height = body.results?.[0]?.height;
    if (height === undefined) continue;
    if (height < seen) older++;
    seen = Math.max(seen, height);
  }
}

/** All acknowledged blocks, as a server has them. */
async function expectAllBlocks({ server }: Member): Promise<void> {
  const known = writes.blocks.flatMap(block => (block ? [{ height: block.height, hash: block.hash }] : []));
  await until(async () => {
    const [row] = await server.ask<{ height: number }>('select height from fold_position');
    return row!.height >= known.at(-1)!.height;
  });
  const rows = await server.ask<{ height: number; hash: string }>(
    `select height, '0x' || encode(hash, 'hex') as hash from blocks where height > 1 and height <= $1 order by height`,
    [known.at(-1)!.height],
  );
  expect(rows).toEqual(known);
}

test('nodes may post to any of two observers, and the loss of the one that folds loses nothing', async () => {
  const height = writes.height + 10;
  await until(async () => seen >= height);
  await observers[0]!.kill();
  const after = writes.height + 10;
  await until(async () => seen >= after);
  await expectAllBlocks(cluster.primary);
});

test('after the promotion of a standby that lost commits, events and responses go on and nothing is lost', async () => {
  const [next, other] = cluster.standbys;
  await cluster.caughtUp(next!);
  for (const standby of [next!, other!]) await cluster.disconnect(standby);
  const lost = writes.height + 5;
  await until(async () => seen >= lost);
  cluster.primary.server.kill();
  await cluster.promote(next!);
  const height = writes.height + 3;
  await until(async () => seen >= height);
  await expectAllBlocks(next!);
  // Ten seconds after a loss responses show what the database has, and the log says so: a machine may be too busy for less.
  const gaveUp = api.lines.some(line => line.includes('responses show its older state now'));
  if (!gaveUp) expect(older).toBe(0);
  expect(observers[1]!.lines.some(line => line.includes('the event log has lost acknowledged events'))).toBe(true);
  const metrics = await (await fetch(`http://127.0.0.1:${observers[1]!.metricsPort}/metrics`)).text();
  const [, restored] = /^cairn_acknowledged_events_restored_total (\d+)$/m.exec(metrics) ?? [];
  expect(Number(restored)).toBeGreaterThan(4);
});
