import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { transferPayload } from '@cairn-stacks/codec/transaction/build';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { cycleLength } from '@cairn-stacks/devnet/contracts/pox/cycle';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import type { Simulation } from '@cairn-stacks/devnet/simulation';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { append, folded, startFold, until } from '../support/service.ts';
import { command, startObserver, startSimulation } from '../support/simulation.ts';

const statusOf = async (devnet: Simulation) =>
  (await (await fetch(`${devnet.url}/devnet`)).json()) as Record<string, unknown>;

/** Sends a transfer of account 0 through the RPC; resolves with the status and the id. */
async function pay(devnet: Simulation, nonce: bigint) {
  const origin = { account: accountAt(0, false), nonce };
  const payload = transferPayload(accountAt(1, false).address, 5n);
  const { raw, txId } = makeTransaction({ network: devnet.node.network, origin, fee: 1000n, payload, sign: false });
  const response = await fetch(`${devnet.url}/v2/transactions`, { method: 'POST', body: Buffer.from(fromHex(raw)) });
  return { status: response.status, txId };
}

const minedIn = (devnet: Simulation, txId: string) => devnet.node.tip.transactions.some(each => each.txId === txId);

test('a block on command contains what is pending, also what has just arrived', async t => {
  const devnet = await startSimulation(t, {});
  const { txId } = await pay(devnet, 0n);
  await command(devnet, 'mine');
  expect(minedIn(devnet, txId)).toBe(true);
});

test('mining stops and starts again on command', async t => {
  const devnet = await startSimulation(t, { blockSeconds: 0 });
  await until(async () => devnet.node.tip.height > 8);
  expect(await command(devnet, 'stop')).toMatchObject({ block_seconds: null });
  const { height } = await statusOf(devnet);
  expect(await command(devnet, 'mine?count=2')).toMatchObject({ height: Number(height) + 2 });
  expect(await command(devnet, 'start?seconds=0')).toMatchObject({ block_seconds: 0 });
  await until(async () => devnet.node.tip.height > Number(height) + 4);
});

test('Bitcoin jumps to a height and to the next cycle, and no reward set is skipped', async t => {
  const devnet = await startSimulation(t, {});
  const { burn_block_height: start } = await statusOf(devnet);
  const first = (Math.floor(Number(start) / cycleLength) + 1) * cycleLength;
  expect(await command(devnet, 'next-cycle')).toMatchObject({
    burn_block_height: first,
    reward_cycle: first / cycleLength,
  });
  expect(await command(devnet, `burn-height?to=${first + 50}`)).toMatchObject({ burn_block_height: first + 50 });
  expect(devnet.node.tip.burn.height).toBe(first + 50);
  const cycles = [...devnet.node.blocks.values()].flatMap(({ body }: { body: { cycle_number?: unknown } }) =>
    typeof body.cycle_number === 'number' ? [body.cycle_number] : [],
  );
  const now = first / cycleLength;
  expect(cycles.slice(-3)).toEqual([now, now + 1, now + 2]);
});

test.each([
  ['mine?count=1001', 'count is a number up to 1000'],
  ['mine?count=-1', 'count is a number up to 1000'],
  ['fork?depth=3', 'fork has no parameter depth; it takes count'],
  ['stop?now=1', 'stop has no parameter now; it takes none'],
  ['burn-height', 'to is a number'],
  ['burn-height?to=1', 'Bitcoin is at'],
  ['burn-height?to=99999999', 'to is at most'],
  ['drop?tx=0x00', 'tx is the id of a pending transaction'],
  ['reset?name=nothing', 'there is no snapshot nothing'],
  ['snapshot?name=a/b', 'name has up to 64'],
  ['rpc?delay=x', 'delay is a number'],
])('%s is refused with a reason', async (path, reason) => {
  const ending: (() => unknown)[] = [];
  const devnet = await startSimulation({ onTestFinished: work => void ending.push(work) }, { firstBlocks: 1 });
  const response = await fetch(`${devnet.url}/devnet/${path}`, { method: 'POST' });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(reason)]);
  for (const end of ending) await end();
});

test('a lost broadcast is accepted and never mined, and a pending transaction is dropped', async t => {
  const { url, received } = await startObserver(t);
  const devnet = await startSimulation(t, { observer: url });
  await command(devnet, 'lose-broadcasts');
  const lost = await pay(devnet, 0n);
  expect([lost.status, devnet.node.mempool.has(lost.txId)]).toEqual([200, false]);
  const sent = await pay(devnet, 0n);
  expect(devnet.node.mempool.has(sent.txId)).toBe(true);
  await command(devnet, `drop?tx=${sent.txId}&reason=TooExpensive`);
  expect(devnet.node.mempool.has(sent.txId)).toBe(false);
  const dropped = received
    .filter(({ path }) => path === '/drop_mempool_tx')
    .map(({ body }) => JSON.parse(String(body)));
  expect(dropped).toContainEqual({ dropped_txids: [sent.txId], reason: 'TooExpensive', new_txid: null });
});

test('the RPC fails and waits on command, for as many requests as wanted', async t => {
  const devnet = await startSimulation(t, {});
  const info = async () => (await fetch(`${devnet.url}/v2/info`)).status;
  await command(devnet, 'rpc?fail=true&count=2');
  expect([await info(), await info(), await info()]).toEqual([500, 500, 200]);
  await command(devnet, 'rpc?delay=150&count=1');
  const before = performance.now();
  expect(await info()).toBe(200);
  expect(performance.now() - before).toBeGreaterThan(140);
  await command(devnet, 'rpc?fail=true');
  expect(await statusOf(devnet)).toMatchObject({ rpc_fault: { fails: true } });
  await command(devnet, 'rpc');
  expect([await info(), (await statusOf(devnet)).rpc_fault]).toEqual([200, null]);
});

test('a reset takes chain, accounts, mempool and index back, as often as wanted', async t => {
  const database = await testDatabase(t);
  const fold = startFold(database, { network: { name: 'devnet', chainId: 0x8000_0000, mainnet: false } });
  t.onTestFinished(() => fold.stop());
  let last = 0n;
  const take = async (message: { path: string; body: Buffer }) => {
    last = await append(database, [{ path: message.path, body: String(message.body) }]);
  };
  const { url } = await startObserver(t, { take });
  const devnet = await startSimulation(t, { observer: url, firstBlocks: 7 });
  const position = async () => {
    const { height, index_hash: hash, halted_at: halted } = await folded(database.sql, last);
    const rows = await database.sql<{ id: Buffer }[]>`select tx_id as id from mempool where status = 0`;
    return { height, tip: bareHex(hash), halted, pending: rows.map(({ id }) => bareHex(id)).sort() };
  };
  const nodeState = () => ({ height: devnet.node.tip.height, tip: devnet.node.tip.indexHash.slice(2), halted: null });
  const nodePending = () => devnet.node.mempool.list().map(({ txId }) => txId);
  await command(devnet, 'snapshot?name=start');
  const [before, pendingBefore, indexBefore] = [nodeState(), nodePending(), await position()];
  for (let i = 0; i < 3; i++) {
    // The same transaction in every round: it was dropped with the branch.
    const { txId } = await pay(devnet, 0n);
    await command(devnet, `mine?count=${i + 2}`);
    expect(devnet.node.state.nonce(accountAt(0, false).address)).toBe(1n);
    expect(await position()).toMatchObject(nodeState());
    const [mined] = await database.sql`select from transactions where tx_id = ${Buffer.from(txId.slice(2), 'hex')}`;
    expect(mined).toBeDefined();
    expect(await command(devnet, 'reset?name=start')).toMatchObject({ height: before.height });
    expect(devnet.node.state.nonce(accountAt(0, false).address)).toBe(0n);
    expect([nodeState(), nodePending()]).toEqual([before, pendingBefore]);
    expect(await position()).toEqual(indexBefore);
  }
});
