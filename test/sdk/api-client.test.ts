import { readFileSync } from 'node:fs';
import * as client9 from '@stacks/blockchain-api-client';
import * as client8 from 'blockchain-api-client-8';
import { describe, expect, test } from 'vitest';
import { devnetForFile } from '../support/sdk.ts';
import { until } from '../support/service.ts';

const devnet = devnetForFile({ blocks: 20 });
const majors = [
  { major: 8, folder: 'blockchain-api-client-8', client: client8 as unknown as typeof client9 },
  { major: 9, folder: '@stacks/blockchain-api-client', client: client9 },
];

/** The paths that the types of a client know, with their methods. */
function listPaths(folder: string): { path: string; methods: string[] }[] {
  const text = readFileSync(new URL(`../../node_modules/${folder}/lib/generated/schema.d.ts`, import.meta.url), 'utf8');
  const paths = text.slice(text.indexOf('export interface paths'), text.indexOf('\nexport type webhooks'));
  return [...paths.matchAll(/^ {4}"(\/[^"]*)": \{([\s\S]*?)^ {4}\};/gm)].map(([, path, body]) => ({
    path: path!,
    methods: ['get', 'post'].filter(method => new RegExp(`^ {8}${method}: (?!never)`, 'm').test(body!)),
  }));
}

/** A transfer and a contract of the chain. */
async function samples() {
  const { results } = await devnet.get<{ results: Record<string, string>[] }>(
    '/extended/v1/tx?limit=1&type=token_transfer',
  );
  return { transfer: results[0]!, contract: 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F.stone' };
}

describe.each(majors)('@stacks/blockchain-api-client $major', ({ client, folder }) => {
  test('blocks, accounts, transactions, contracts and tokens are read', async () => {
    const api = client.createClient({ baseUrl: devnet.url });
    const { transfer, contract } = await samples();
    const { height, index_block_hash: tip } = await devnet.settled();
    const read = async (path: string, params: object = {}) => {
      const { data, error, response } = await api.GET(path as '/extended', { params } as never);
      expect([path, response.status, error]).toEqual([path, 200, undefined]);
      return data as unknown as Record<string, unknown>;
    };
    expect(await read('/extended')).toMatchObject({ status: 'ready', chain_tip: { block_height: height } });
    expect(await read('/extended/v2/blocks/{height_or_hash}', { path: { height_or_hash: height } })).toMatchObject({
      index_block_hash: tip,
    });
    expect(await read('/extended/v2/blocks/', { query: { limit: 2 } })).toMatchObject({
      results: [{ height }, { height: height - 1 }],
    });
    expect(await read('/extended/v1/tx/{tx_id}', { path: { tx_id: transfer.tx_id } })).toMatchObject({
      tx_id: transfer.tx_id,
      tx_type: 'token_transfer',
    });
    const principal = transfer.sender_address!;
    const { stx } = (await read('/extended/v1/address/{principal}/balances', { path: { principal } })) as {
      stx: { balance: string };
    };
    const { balance, locked } = await devnet.get<{ balance: string; locked: string }>(
      `/v2/accounts/${principal}?proof=0`,
    );
    expect(BigInt(stx.balance)).toBe(BigInt(balance) + BigInt(locked));
    expect(await read('/extended/v1/contract/{contract_id}', { path: { contract_id: contract } })).toMatchObject({
      contract_id: contract,
    });
    expect(
      await read('/extended/v1/tokens/ft/{token}/holders', { path: { token: `${contract}::stone` } }),
    ).toMatchObject({ total: expect.any(Number) });
    expect(await read('/extended/v2/pox/cycles')).toMatchObject({ total: expect.any(Number) });
  });

  test('every path that the client knows is a path of the service', async () => {
    const { paths } = await devnet.get<{ paths: Record<string, object> }>('/openapi.json');
    const shapes = new Map(Object.entries(paths).map(([path, item]) => [shapeOf(path), Object.keys(item)]));
    const known = listPaths(folder);
    expect(known.length).toBeGreaterThan(80);
    const missing = known.flatMap(({ path, methods }) =>
      methods.filter(method => !shapes.get(shapeOf(path))?.includes(method)).map(method => `${method} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('the faucet of the official client pays', async () => {
    const api = client.createClient({ baseUrl: devnet.url });
    const address = devnet.account(folder.endsWith('8') ? 'wallet_5' : 'wallet_6').address;
    const balance = async () =>
      BigInt((await devnet.get<{ balance: string }>(`/extended/v1/address/${address}/stx`)).balance);
    const before = await balance();
    const { data, error } = await api.POST('/extended/v1/faucets/stx', { params: { query: { address } } } as never);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ success: true, txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    await devnet.mine();
    expect((await balance()) - before).toBe(500_000_000n);
  });

  test('both kinds of sockets announce a block', async () => {
    const heights: [string, number][] = [];
    const ws = await client.connectWebSocketClient(devnet.url.replace('http', 'ws'));
    await ws.subscribeBlocks(block => void heights.push(['ws', block.height]));
    const io = new client.StacksApiSocketClient({ url: devnet.url });
    await new Promise<void>(resolve => io.socket.on('connect', () => resolve()));
    const subscribed = new Promise<void>(resolve => io.socket.emit('subscribe', 'block', () => resolve()));
    io.socket.on('block', (block: { height: number }) => void heights.push(['io', block.height]));
    await subscribed;
    const { height } = await devnet.mine();
    await until(async () => heights.length >= 2);
    expect(heights.sort()).toEqual([
      ['io', height],
      ['ws', height],
    ]);
    io.socket.close();
    ws.webSocket.close();
  });
});

/** A path without the names of its parameters and without a last slash. */
function shapeOf(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1');
}
