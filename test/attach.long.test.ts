import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { encodeMessage } from '@cairn-stacks/devnet/node/outbox';
import { openSimulation, type Simulation } from '@cairn-stacks/devnet/simulation';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../bench/support/free-port.ts';
import { findIdentity, storeIdentity } from '../src/app/identity.ts';
import { mineLine, testChain } from './support/chain.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { build } from './support/running-service.ts';
import { append, headOf, until } from './support/service.ts';
import { startNodes } from './support/stub-node.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

beforeAll(build);

type Ending = { onTestFinished(work: () => Promise<void>): void };
type Place = { api: number; observer: number; metrics: number; node: number };

/** Ports that are free now: what is started before its counterpart has to know where that will be. */
async function freePorts(): Promise<Place> {
  const [api, observer, metrics, node] = [await freePort(), await freePort(), await freePort(), await freePort()];
  return { api, observer, metrics, node };
}

/** A service, as a process, with a database of its own, that is told of one node. */
function startService(t: Ending, { url }: TestDatabase, place: Place, settings: Record<string, string> = {}) {
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: url, CAIRN_NODES: `http://127.0.0.1:${place.node}|auth=devnet` },
    ...{ CAIRN_API_PORT: String(place.api), CAIRN_OBSERVER_PORT: String(place.observer) },
    ...{ CAIRN_METRICS_PORT: String(place.metrics), ...settings },
  };
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', chunk => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  const stop = async () => {
    child.kill('SIGTERM');
    return await ended;
  };
  t.onTestFinished(async () => void (await stop()));
  return { ended, stop };
}

/** A simulated node that behaves like a real one towards its observer. */
async function startNode(t: Ending, place: Place): Promise<Simulation> {
  const node = await openSimulation({
    ...{ observer: `http://127.0.0.1:${place.observer}`, host: '127.0.0.1', port: place.node },
    ...{ blockSeconds: 3600, seed: 1, sign: false, firstBlocks: 6, blocking: true },
  });
  t.onTestFinished(() => node.stop());
  node.run();
  return node;
}

type Readiness = { status: string; reason?: string; block_height?: number | null; parked?: number };

/** What `/readyz` says; undefined while nobody listens. */
async function readiness({ api }: Place): Promise<{ code: number; body: Readiness } | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${api}/readyz`);
    return { code: answer.status, body: (await answer.json()) as Readiness };
  } catch {
    return undefined;
  }
}

const untilServed = (place: Place, height: number) =>
  until(async () => {
    const found = await readiness(place);
    return found?.code === 200 && found.body.block_height === height;
  });

const post = (place: Place, { path, text }: { path: string; text: string }) =>
  fetch(`http://127.0.0.1:${place.observer}${path}`, { method: 'POST', body: text }).then(
    ({ status }) => status,
    () => 0,
  );

/** True if the node answers; one that hangs says nothing for any time. */
const answers = (place: Place) =>
  fetch(`http://127.0.0.1:${place.node}/v2/info`, { signal: AbortSignal.timeout(300) }).then(
    () => true,
    () => false,
  );

test('started before its node, it says what is missing, and follows the node once there is one', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  startService(t, database, place);
  const waiting = await until(async () => {
    const found = await readiness(place);
    return found?.body.reason?.includes('the network') && found;
  });
  expect(waiting).toMatchObject({ code: 503, body: { status: 'not ready' } });
  expect(waiting.body.reason).toContain(`no node has responded (http://127.0.0.1:${place.node})`);
  expect(waiting.body.reason).toContain(`posted to the observer at 127.0.0.1:${place.observer} (0 events stored)`);
  const node = await startNode(t, place);
  await node.exclusively(async () => {});
  await untilServed(place, 6);
  expect((await findIdentity(database.sql))?.network).toEqual(parseNetwork('testnet'));
});

test('a node that posts block 0 before its RPC opens, and was started first, is followed from block 0', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const node = await startNode(t, place);
  await until(async () => node.outbox.pending.length > 0);
  expect(await answers(place)).toBe(false);
  startService(t, database, place);
  await node.exclusively(async () => {});
  await untilServed(place, 6);
  await until(() => answers(place));
});

test('a running node whose RPC hangs while its observer is down keeps no database from starting', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const { stop } = startService(t, database, place);
  const node = await startNode(t, place);
  await node.exclusively(async () => {});
  await untilServed(place, 6);

  // The outage: a block that nobody takes blocks the node.
  const restart = async (on: TestDatabase, before: typeof stop) => {
    expect((await before()).code).toBe(0);
    const mined = node.exclusively(() => node.step());
    await until(async () => node.outbox.pending.length > 0);
    expect(await answers(place)).toBe(false);
    const { stop } = startService(t, on, place);
    await mined;
    return stop;
  };
  const again = await restart(database, stop);
  await untilServed(place, 7);

  // An empty database learns its network in the same way; the history before its first event has to come from elsewhere.
  const empty = await testDatabase(t);
  await restart(empty, again);
  const found = await until(async () => {
    const now = await readiness(place);
    return now?.body.parked === 1 && now;
  });
  expect(found.code).toBe(503);
  expect(found.body.reason).toContain('there is no block to serve yet: 1 blocks wait for ancestors');
  expect((await findIdentity(empty.sql))?.network).toEqual(parseNetwork('testnet'));
});

test('where no node ever answers, the first block with a transaction tells the network', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const chain = testChain({ seed: 31 });
  const [first, second] = mineLine(chain, chain.genesis, 2);
  startService(t, database, place);
  // Block 0 alone does not tell it: its transactions have no chain id.
  await until(async () => (await post(place, encodeMessage(chain.genesis))) === 200);
  const waiting = await until(async () => {
    const found = await readiness(place);
    return found?.body.reason?.includes('(1 events stored)') && found;
  });
  expect(waiting.code).toBe(503);
  expect(await findIdentity(database.sql)).toBeUndefined();
  for (const block of [first!, second!]) expect(await post(place, encodeMessage(block))).toBe(200);
  await untilServed(place, 2);
  expect((await findIdentity(database.sql))?.network).toEqual(parseNetwork('testnet'));
});

test('a stop ends the wait for the network, and the next start goes on from the log', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const { stop } = startService(t, database, place, { CAIRN_NODES: '' });
  await until(async () => (await readiness(place))?.body.reason?.includes('the network'));
  expect((await stop()).code).toBe(0);
  const chain = testChain({ seed: 32 });
  await append(database, [chain.genesis, ...mineLine(chain, chain.genesis, 3)]);
  startService(t, database, place, { CAIRN_NODES: '' });
  await untilServed(place, 3);
});

test('a node that hangs for ever does not keep a database with a known network from starting', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const [stub] = await startNodes(t, 1);
  Object.assign(stub!, { fault: 'hang', faultyChecks: true });
  await storeIdentity(database.sql, parseNetwork('testnet')!, false);
  startService(t, database, place, { CAIRN_NODES: stub!.url });
  await until(
    async () => (await fetch(`http://127.0.0.1:${place.api}/extended`).catch(() => undefined))?.status === 200,
  );
});

test('a node of another chain than the database is refused before it can post', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const [stub] = await startNodes(t, 1);
  await storeIdentity(database.sql, parseNetwork('mainnet')!, false);
  const { code, errors } = await startService(t, database, place, { CAIRN_NODES: stub!.url }).ended;
  expect(code).toBe(2);
  expect(errors).toContain(
    `the node at ${stub!.url} is on testnet (chain id 0x80000000), but this database holds mainnet`,
  );
  expect(await headOf(database.sql)).toBe(0n);
});

test('a node of another chain than the events that came first is refused', async t => {
  const [database, place] = [await testDatabase(t), await freePorts()];
  const [stub] = await startNodes(t, 1);
  const chain = testChain({ seed: 33, network: { name: 'mainnet', chainId: 1, mainnet: true } });
  await append(database, [chain.genesis, chain.mine()]);
  const { code, errors } = await startService(t, database, place, { CAIRN_NODES: stub!.url }).ended;
  expect(code).toBe(2);
  expect(errors).toContain('is on testnet (chain id 0x80000000), but the received events are from mainnet');
  expect(await findIdentity(database.sql)).toBeUndefined();
});
