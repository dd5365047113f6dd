import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromHex } from '@cairn-stacks/codec/hex';
import { transferPayload } from '@cairn-stacks/codec/transaction/build';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { describe, expect, test } from 'vitest';
import type { Faucets } from '../../src/api/faucets/access.ts';
import { BitcoinFaucet, bitcoinRpc } from '../../src/api/faucets/bitcoin-faucet.ts';
import { Claims } from '../../src/api/faucets/claims.ts';
import { type BroadcastResult, type StacksAccess, StacksFaucet } from '../../src/api/faucets/stacks-faucet.ts';
import { startShell } from '../support/api.ts';
import { testDevnet } from '../support/devnet.ts';

const bob = accountAt(40, false).address;
const regtest = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const pay = () => transferPayload(bob, 5n, 'faucet');

/** A faucet of some accounts of the devnet, which judges what it sends as a node does. */
function devnetFaucet(accounts: number[], more: Partial<StacksAccess> = {}) {
  const { node } = testDevnet({ sign: true });
  const send = async (raw: Uint8Array): Promise<BroadcastResult> => {
    const answer = node.submit(raw);
    if (!('reason' in answer)) return { accepted: true };
    const { reason, reason_data: data } = answer as { reason: string; reason_data?: { expected?: number } };
    return { accepted: false, reason, expectedNonce: data?.expected };
  };
  const access: StacksAccess = {
    nextNonce: async () => 0,
    pendingNonces: async () => [],
    estimateFee: async () => 300n,
    send,
    ...more,
  };
  const keys = accounts.map(index => accountAt(index, false).key);
  return { node, faucet: new StacksFaucet({ chainId: node.network.chainId, keys, access }) };
}

const nonceOf = ({ txRaw }: { txRaw: string }) => Number(decodeTransaction(fromHex(txRaw)).auth.origin.nonce);

describe('a faucet of the Stacks chain', () => {
  test('signs what a node accepts, each gift with a nonce of its own', async () => {
    const { node, faucet } = devnetFaucet([0]);
    const gifts = await Promise.all([faucet.give(pay), faucet.give(pay), faucet.give(pay)]);
    expect(gifts.map(nonceOf)).toEqual([0, 1, 2]);
    expect(node.mempool.size).toBe(3);
    const { payload, auth } = decodeTransaction(fromHex(gifts[0]!.txRaw));
    expect(payload).toMatchObject({ type: 'token_transfer', amount: 5n });
    expect(auth.origin.fee).toBe(300n);
  });

  test('steps over nonces that are pending, and over those a node knows better', async () => {
    const { faucet } = devnetFaucet([0], { pendingNonces: async () => [0, 1] });
    expect(nonceOf(await faucet.give(pay))).toBe(2);
    const { node, faucet: late } = devnetFaucet([0]);
    expect(nonceOf(await late.give(pay))).toBe(0);
    node.mine();
    // The nonce it is told is old; the node says which one it expects.
    const stale = devnetFaucet([0]);
    await stale.faucet.give(pay);
    stale.node.mine();
    expect(nonceOf(await stale.faucet.give(pay))).toBe(1);
  });

  test('uses its next account when one has run dry, and reports when all have', async () => {
    const poor = 900;
    expect(nonceOf(await devnetFaucet([poor, 0]).faucet.give(pay))).toBe(0);
    await expect(devnetFaucet([poor]).faucet.give(pay)).rejects.toMatchObject({ status: 503 });
  });

  test('pays the usual fee where no node has an opinion, and never more than one STX', async () => {
    const feeWith = async (estimateFee: StacksAccess['estimateFee']) => {
      const { txRaw } = await devnetFaucet([0], { estimateFee }).faucet.give(pay);
      return decodeTransaction(fromHex(txRaw)).auth.origin.fee;
    };
    expect(await feeWith(async () => Promise.reject(new Error('no estimate')))).toBe(200n);
    expect(await feeWith(async () => 10n ** 12n)).toBe(1_000_000n);
  });
});

test('claims are counted within their window, and what failed does not count', () => {
  const claims = new Claims();
  const twice = { times: 2, windowMs: 1000 };
  expect([claims.take('a', twice, 0), claims.take('a', twice, 10), claims.take('a', twice, 20)]).toEqual([
    true,
    true,
    false,
  ]);
  claims.undo('a');
  expect(claims.take('a', twice, 30)).toBe(true);
  expect(claims.take('b', twice, 30)).toBe(true);
  expect(claims.take('a', twice, 1031)).toBe(true);
});

describe('the routes', () => {
  const tip = { current: undefined };
  type Shell = Parameters<typeof startShell>[2];

  async function start(t: Parameters<typeof startShell>[0], faucets: Faucets, shell: Shell = {}) {
    const { app } = await startShell(t, tip, { faucets, ...shell });
    return async (path: string, method: 'POST' | 'GET' = 'POST', body?: string, type = 'application/json') => {
      const answer = await app.inject({
        ...{ url: `/extended/v1/faucets/${path}`, method },
        ...(body !== undefined && { body, headers: { 'content-type': type } }),
      });
      return { status: answer.statusCode, body: answer.json() };
    };
  }

  test('are closed unless opened, and on mainnet always', async t => {
    const post = await start(t, {});
    for (const [path, error] of [
      [`stx?address=${bob}`, 'STX faucet is not available'],
      [`sbtc?address=${bob}`, 'sBTC faucet is not available'],
      [`btc?address=${regtest}`, 'BTC faucet is not available'],
    ] as const) {
      expect(await post(path)).toEqual({ status: 403, body: { error, success: false } });
    }
    expect((await post(`btc/${regtest}`, 'GET')).status).toBe(403);
    const { faucet } = devnetFaucet([0]);
    const mainnet = await start(t, { stx: { faucet, minimumStacking: async () => 1n } }, { network: 'mainnet' });
    expect(await mainnet(`stx?address=${bob}`)).toMatchObject({ status: 403, body: { success: false } });
  });

  test('give STX five times in five minutes to one address', async t => {
    const { faucet, node } = devnetFaucet([0]);
    const post = await start(t, { stx: { faucet, minimumStacking: async () => 1_000_000n } });
    const given = await post(`stx?address=${bob}`);
    expect(given).toMatchObject({ status: 200, body: { success: true } });
    expect(decodeTransaction(fromHex(given.body.txRaw)).payload).toMatchObject({ amount: 500_000_000n });
    expect(node.mempool.size).toBe(1);
    for (let i = 0; i < 4; i++) expect((await post(`stx?address=${bob}`)).status).toBe(200);
    expect(await post(`stx?address=${bob}`)).toEqual({
      status: 429,
      body: { error: 'Too many requests', success: false },
    });
    const stacked = await post(`stx?address=${bob}&stacking=true`);
    expect(decodeTransaction(fromHex(stacked.body.txRaw)).payload).toMatchObject({ amount: 1_200_000n });
    expect((await post(`stx?address=${bob}&stacking=true`)).status).toBe(429);
  });

  test('reject invalid addresses with an explanation', async t => {
    const { faucet } = devnetFaucet([0]);
    const btc = new BitcoinFaucet(async () => 'unused');
    const post = await start(t, { btc, stx: { faucet, minimumStacking: async () => 1n } });
    expect(await post('stx')).toEqual({ status: 400, body: { error: 'address required', success: false } });
    expect((await post('stx?address=nobody')).status).toBe(400);
    const ofMainnet = await post('stx?address=SP000000000000000000002Q6VF78');
    expect(ofMainnet).toMatchObject({ status: 400, body: { error: expect.stringContaining('of mainnet') } });
    expect((await post('btc?address=nobody', 'POST', '')).body).toMatchObject({ success: false });
    const inBody = await post('stx', 'POST', JSON.stringify({ address: bob }));
    expect(inBody).toMatchObject({ status: 400, body: { help: expect.stringContaining('?address='), success: false } });
    for (const wrong of ['', 'x', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']) {
      expect((await post(`btc?address=${wrong}`)).status, wrong).toBe(400);
    }
    const both = await post(`btc?address=${regtest}&large=true&xlarge=true`);
    expect(both.body.error).toBe('cannot simultaneously request a large and xlarge amount');
    expect((await post(`btc/${'x'.repeat(300)}`, 'GET')).status).toBe(400);
  });

  test('say that a request has failed also where it does not reach the faucet', async t => {
    const { faucet } = devnetFaucet([0]);
    const post = await start(t, { stx: { faucet, minimumStacking: async () => 1n } });
    for (const [status, path, body] of [
      [400, `stx?address=${bob}&stacking=perhaps`, undefined],
      [400, `sbtc?address=${bob}&address=${bob}`, undefined],
      [400, 'btc', '{"address":'],
      [400, 'btc', '{"address":{"of":"nobody"}}'],
      [413, 'btc', JSON.stringify({ address: 'x'.repeat(20_000) })],
    ] as const) {
      const refused = await post(path, 'POST', body);
      expect([path, refused]).toMatchObject([path, { status, body: { success: false, error: expect.any(String) } }]);
    }
  });

  test('give bitcoin through the RPC of a node, by query, JSON or form', async t => {
    const calls: { method: string; params: unknown[]; login: string | undefined }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', chunk => {
        text += chunk;
      });
      request.on('end', () => {
        const { method, params } = JSON.parse(text);
        calls.push({ method, params, login: request.headers.authorization });
        const results: Record<string, unknown> = {
          sendtoaddress: 'ab'.repeat(32),
          gettransaction: { hex: '0200' },
          scantxoutset: { total_amount: 1.5 },
        };
        response.end(JSON.stringify({ result: results[method], error: null }));
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    t.onTestFinished(() => new Promise<void>(resolve => void server.close(() => resolve())));
    const failures: unknown[] = [];
    const url = `http://btc:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
    const post = await start(t, { btc: new BitcoinFaucet(bitcoinRpc(url, error => failures.push(error))) });
    const gift = { status: 200, body: { success: true, txid: 'ab'.repeat(32), raw_tx: '0200' } };
    expect(await post(`btc?address=${regtest}&large=true`)).toEqual(gift);
    expect(await post('btc', 'POST', JSON.stringify({ address: regtest }))).toEqual(gift);
    expect(await post('btc', 'POST', `address=${regtest}`, 'application/x-www-form-urlencoded')).toEqual(gift);
    expect(await post(`btc/${regtest}`, 'GET')).toEqual({ status: 200, body: { balance: 1.5 } });
    const login = `Basic ${Buffer.from('btc:secret').toString('base64')}`;
    expect(calls[0]).toEqual({ method: 'sendtoaddress', params: [regtest, 0.01], login });
    expect(calls[2]).toMatchObject({ method: 'sendtoaddress', params: [regtest, 0.0001] });
    expect(failures).toEqual([]);
  });

  test('say 503 when the Bitcoin node is away', async t => {
    const failures: unknown[] = [];
    const rpc = bitcoinRpc('http://127.0.0.1:1', error => failures.push(error));
    const post = await start(t, { btc: new BitcoinFaucet(rpc) });
    expect(await post(`btc?address=${regtest}`)).toMatchObject({ status: 503, body: { success: false } });
    expect(failures).toHaveLength(1);
  });
});
