import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { none, principal, uint } from '@cairn-stacks/codec/clarity/build';
import { callPayload, deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction, type Order } from '@cairn-stacks/devnet/residents/wallet';
import { infoRoutes } from '@cairn-stacks/devnet/rpc/info';
import { serveRoutes } from '@cairn-stacks/devnet/rpc/server';
import { authToken, simulationRoutes } from '@cairn-stacks/devnet/rpc/simulation';
import { expect, test } from 'vitest';
import { node as nodeKind } from '../../src/config/setting.ts';
import { RateGate } from '../../src/http/limits/rate-limits.ts';
import { createLog } from '../../src/log.ts';
import { NodePool } from '../../src/proxy/pool/node-pool.ts';
import { Simulator } from '../../src/proxy/simulator.ts';
import { startShell } from '../support/api.ts';
import { type TestDevnet, testDevnet } from '../support/devnet.ts';
import { simulatorOf } from '../support/simulated.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
type Json = any;

const alice = accountAt(0, false).address;
const bob = accountAt(1, false).address;
const noTip = { current: undefined };

/** Signs for a devnet as account 0, with its next nonce. */
function transactionOf(
  { node, residents }: TestDevnet,
  payload: Payload,
  order: Partial<Order> & { nonce?: bigint } = {},
) {
  const { nonce = residents.nextNonce(0), ...others } = order;
  const origin = { account: accountAt(0, false), nonce };
  return makeTransaction({ network: node.network, origin, fee: 1000n, payload, sign: false, ...others });
}

/** The API in front of a devnet that has lived for some blocks. */
async function start(t: Ending, blocks = 4) {
  const devnet = testDevnet();
  devnet.live(blocks);
  const { app } = await startShell(t, noTip, { simulate: simulatorOf(devnet.node) });
  const post = async (payload: object) => {
    const { statusCode, headers, body } = await app.inject({
      method: 'POST',
      url: '/extended/v1/tx/simulate',
      payload,
    });
    return { status: statusCode, headers, body: JSON.parse(body) as Json };
  };
  const simulate = (payload: Payload, order?: Parameters<typeof transactionOf>[2]) =>
    post({ transaction: transactionOf(devnet, payload, order).raw });
  return { devnet, post, simulate };
}

test('a transfer is simulated as it is mined, and changes nothing', async t => {
  const { devnet, simulate } = await start(t);
  const { node } = devnet;
  const before = node.state.stx.get(bob);
  const { status, body, headers } = await simulate(transferPayload(bob, 7n, 'hi'));
  expect([status, headers['x-stacks-node'], headers['cache-control']]).toEqual([200, 'devnet', 'no-store']);
  const amounts = (sent: string, received: string, net: string) => ({
    asset: { type: 'stx' },
    balance_change: { sent, received, net },
  });
  expect(body).toMatchObject({
    ...{ tx_status: 'success', node: 'devnet', block_height: node.tip.height + 1, vm_error: null, stx_burned: '0' },
    tip_index_block_hash: node.tip.indexHash,
    result: { hex: '0x0703', repr: '(ok true)' },
    fee: { payer: alice, amount: '1000' },
    events: [{ event_index: 0, event_type: 'stx_asset', asset: { sender: alice, recipient: bob, amount: '7' } }],
    post_conditions: { held: true, reason: null, conditions: [], uncovered: [] },
  });
  expect(body.balance_changes).toEqual([
    { principal: alice, ...amounts('1007', '0', '-1007') },
    { principal: bob, ...amounts('0', '7', '7') },
  ]);
  expect(node.state.stx.get(bob)).toBe(before);
  expect(node.mempool.has(body.tx_id)).toBe(false);
});

test('a contract call is simulated with its events, and post-conditions end as they would', async t => {
  const { devnet, simulate } = await start(t, 6);
  const { node } = devnet;
  const contractOf = (asset: string) => asset.split('::')[0]!;
  const [held] = [...node.state.ft].find(([key, amount]) => amount > 2n && key.startsWith(`${alice} `))!;
  const asset = held.split(' ')[1]!;
  const contract = contractOf(asset);
  const call = callPayload(contract, 'transfer', [uint(2n), principal(alice), principal(bob), none]);
  const condition = (amount: bigint) => ({
    ...{
      type: 'fungible' as const,
      principal: { type: 'origin' as const },
      condition: 'sent_less_than_or_equal_to' as const,
    },
    asset: { contract: { ...parsePrincipal(contract), name: contract.split('.')[1]! }, asset: asset.split('::')[1]! },
    amount,
  });
  const asked = { principal: { type_id: 'principal_origin' }, type: 'fungible' };

  const allowed = await simulate(call, { postConditionMode: 'allow' });
  const left = { principal: alice, asset: { type: 'ft', identifier: asset }, amount: '2' };
  expect(allowed.body).toMatchObject({
    tx_status: 'success',
    events: [{ event_type: 'fungible_token_asset', asset: { asset_id: asset, amount: '2' } }],
    balance_changes: [
      { principal: alice, asset: { type: 'stx' } },
      { ...{ principal: alice, asset: { type: 'ft', identifier: asset } }, balance_change: { net: '-2' } },
      { ...{ principal: bob, asset: { type: 'ft', identifier: asset } }, balance_change: { net: '2' } },
    ],
    post_conditions: { mode: 'allow', held: true, conditions: [], uncovered: [left] },
  });

  const covered = await simulate(call, { postConditionMode: 'deny', postConditions: [condition(2n)] });
  expect(covered.body.post_conditions).toMatchObject({
    ...{ mode: 'deny', held: true, uncovered: [] },
    conditions: [{ condition: asked, holds: true, moved: '2' }],
  });

  const aborted = await simulate(call, { postConditionMode: 'allow', postConditions: [condition(1n)] });
  expect(aborted.body).toMatchObject({
    ...{ tx_status: 'abort_by_post_condition', events: [] },
    balance_changes: [{ principal: alice, asset: { type: 'stx' }, balance_change: { sent: '1000' } }],
    post_conditions: {
      held: false,
      reason: expect.any(String),
      conditions: [{ condition: asked, holds: false, moved: null }],
    },
  });

  const denied = await simulate(call, { postConditionMode: 'deny' });
  expect(denied.body).toMatchObject({ tx_status: 'abort_by_post_condition', post_conditions: { held: false } });

  const refused = await simulate(
    callPayload(contract, 'transfer', [uint(2n), principal(bob), principal(alice), none]),
    {
      postConditionMode: 'deny',
      postConditions: [condition(2n)],
    },
  );
  expect(refused.body).toMatchObject({
    tx_status: 'abort_by_response',
    post_conditions: { held: null, reason: null, conditions: [{ holds: null, moved: null }] },
  });
});

test('a deploy is simulated, and its contract does not exist afterwards', async t => {
  const { devnet, simulate } = await start(t, 2);
  const source = '(define-public (go) (ok u1))';
  const first = await simulate(deployPayload('mine', source, 3), { fee: 0n });
  expect(first.body).toMatchObject({ tx_status: 'success', fee: { amount: '0' }, balance_changes: [] });
  expect(devnet.node.state.contracts.has(`${alice}.mine`)).toBe(false);
  expect((await simulate(deployPayload('mine', source, 3))).body.tx_status).toBe('success');
});

test('what cannot be executed is refused with the reason of the node', async t => {
  const { simulate } = await start(t, 2);
  const reasons: [Awaited<ReturnType<typeof simulate>>, string][] = [
    [await simulate(transferPayload(bob, 7n), { nonce: 20n }), 'BadNonce'],
    [await simulate(transferPayload(bob, 10n ** 15n)), 'NotEnoughFunds'],
    [await simulate(callPayload(`${alice}.nothing`, 'go', [])), 'NoSuchContract'],
  ];
  for (const [{ status, body }, reason] of reasons) {
    const message = expect.stringMatching(`^the node devnet cannot execute the transaction: Error .*${reason}`);
    expect([status, body]).toEqual([400, expect.objectContaining({ message })]);
  }
});

test('a body that has no transaction is refused with what to send', async t => {
  const { post } = await start(t, 1);
  const refusals: [object, number, RegExp][] = [
    [{}, 400, /transaction/],
    [{ transaction: 5 }, 400, /transaction|hex/],
    [{ transaction: 'zz' }, 400, /pattern/],
    [{ transaction: '0x' }, 400, /pattern/],
    [{ transaction: '0x123' }, 400, /odd number of hex digits/],
    [{ transaction: '00'.repeat((2 << 20) + 100) }, 400, /4194306/],
    [{ transaction: '00'.repeat(3 << 20) }, 413, /large/],
  ];
  for (const [payload, status, message] of refusals) {
    const { status: actual, body } = await post(payload);
    expect([actual, body.message]).toEqual([status, expect.stringMatching(message)]);
  }
});

test('without a node the response says what to configure, and each request costs its client as much as a node works', async t => {
  const url = '/extended/v1/tx/simulate';
  const { app } = await startShell(t, noTip, {});
  const alone = await app.inject({ method: 'POST', url, payload: { transaction: '0x00' } });
  expect([alone.statusCode, alone.json().message]).toEqual([503, expect.stringContaining('CAIRN_NODES')]);

  const rates = new RateGate({ perSecond: 1, burst: 50, maxOpen: 10, trustedProxies: [] });
  const limited = await startShell(t, noTip, { rates, simulate: async () => ({ node: undefined, refused: 'no' }) });
  const ask = () =>
    limited.app.inject({ method: 'POST', url, remoteAddress: '10.9.8.7', payload: { transaction: '0x00' } });
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await ask()).statusCode);
  expect(statuses).toEqual([400, 400, 429, 429]);
});

test('a devnet answers over HTTP only those who know its secret', async t => {
  const devnet = testDevnet({ sign: true });
  devnet.node.mine();
  const { node } = devnet;
  const server = await serveRoutes([...infoRoutes(node), ...simulationRoutes(node)], { host: '127.0.0.1', port: 0 });
  t.onTestFinished(() => server.stop());
  const start = async (auth: string) => {
    const pool = new NodePool({
      nodes: [nodeKind.parse(`${server.url}|name=devnet${auth}`)!],
      chainId: node.network.chainId,
      ...{
        timeoutMs: 600_000,
        hedgeDelayMs: 60,
        maxLag: 5,
        connections: 8,
        responseLimit: 1000,
        checkTimeoutMs: 600_000,
      },
    });
    t.onTestFinished(() => pool.stop(0));
    await pool.start();
    const log = createLog({ level: 'silent', format: 'json' });
    const simulator = new Simulator({ pool, network: node.network, log });
    return (raw: Uint8Array) => simulator.simulate(raw, {});
  };
  const { raw } = transactionOf(devnet, transferPayload(bob, 7n), { sign: true });
  const bytes = Buffer.from(raw.slice(2), 'hex');
  const simulate = await start(`|auth=${authToken}`);
  expect(await simulate(bytes)).toMatchObject({ node: 'devnet', simulation: { status: 'success' } });
  const other = await start('|auth=another');
  await expect(other(bytes)).rejects.toThrow('The node devnet cannot simulate: it refuses the auth=TOKEN');

  const ask = (query: string, body: unknown, headers: Record<string, string> = { authorization: authToken }) =>
    fetch(`${server.url}/v3/transactions/simulate${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const transaction_hex = raw.slice(2);
  expect((await ask('', { transaction_hex }, {})).status).toBe(401);
  expect((await ask('', { transaction_hex: raw })).status).toBe(400);
  expect((await ask('', null)).status).toBe(400);
  expect((await ask('', { transaction_hex }, { authorization: authToken, 'content-type': 'text/plain' })).status).toBe(
    400,
  );
  expect((await ask(`?tip=${'ab'.repeat(32)}`, { transaction_hex })).status).toBe(404);
  expect((await ask(`?tip=${node.chain.genesis.indexHash}`, { transaction_hex })).status).toBe(400);
  expect((await ask(`?tip=${node.tip.indexHash.slice(2)}`, { transaction_hex })).status).toBe(200);
});
