import { readFileSync } from 'node:fs';
import * as client9 from '@stacks/blockchain-api-client';
import { makeSTXTokenTransfer } from '@stacks/transactions';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as client8 from 'blockchain-api-client-8';
import { beforeAll, describe, expect, test } from 'vitest';
import { devnetForFile } from '../support/sdk.ts';
import { until } from '../support/service.ts';

// Bonds begin with cycle 6.
const devnet = devnetForFile({ blocks: 25 });
const majors = [
  { major: 8, folder: 'blockchain-api-client-8', client: client8 as unknown as typeof client9 },
  { major: 9, folder: '@stacks/blockchain-api-client', client: client9 },
];
const deployer = 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F';

type Row = Record<string, string>;
type Parameter = { name: string; in: string; required?: boolean; schema: { type?: string } };
type Operation = {
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};
type Document = { paths: Record<string, Record<string, Operation>> };

let document: Document;
/** What exists on the chain, by the names of parameters. */
let known: Record<string, string | number>;
/** Where a name means something else. */
let elsewhere: { under: RegExp; values: Record<string, string | number> }[];

beforeAll(async () => {
  await devnet.burnHeight(125);
  await devnet.mine(12);
  document = await devnet.get('/openapi.json');
  const list = async (path: string) => (await devnet.get<{ results: Row[] }>(path)).results;
  const { height, burn_block_height: burnHeight, reward_cycle: cycle } = await devnet.caughtUp();
  const block = await devnet.get<Row>(`/extended/v2/blocks/${height}`);
  const [transfer] = await list('/extended/v1/tx?limit=1&type=token_transfer');
  const stone = `${deployer}.stone`;
  const marbles = `${deployer}.marbles::marble`;
  const [mint] = (await list(`/extended/v1/tokens/nft/mints?asset_identifier=${marbles}`)) as unknown as {
    value: { hex: string };
  }[];
  const [signer] = await list(`/extended/v2/pox/cycles/${cycle}/signers`);
  const [lock] = await list('/extended/v1/pox4/events?limit=1');
  const [reward] = await list('/extended/v1/burnchain/rewards?limit=1');
  const [manager] = await list('/extended/v3/staking/signers');
  const [allowed] = await list('/extended/v3/staking/bonds/0/allowlist');
  const [registered] = await list('/extended/v3/staking/bonds/0/registrations');
  const [delegation] = (await list('/extended/v1/pox4/events?limit=50')).filter(each => each.name === 'delegate-stx');
  const [name] = await devnet.get<string[]>('/v1/names');
  const { zonefile_hash: zoneFileHash = '' } = await devnet.get<Row>(`/v1/names/${name}`);
  const principal = transfer!.sender_address!;
  known = {
    ...{ principal, address: principal, pool_principal: String((delegation as never as Data)?.data.delegate_to) },
    ...{ tx_id: transfer!.tx_id!, id: principal, contract_id: stone, token: `${stone}::stone` },
    ...{ asset_identifier: marbles, value: mint!.value.hex, trait_abi: '{"functions":[]}' },
    ...{ hash: block.hash!, block_hash: block.hash!, height, height_or_hash: height, tenure_height: 1 },
    ...{ burn_block_hash: block.burn_block_hash!, burn_block_height: burnHeight, timestamp: block.block_time! },
    ...{ pox: 'pox4', cycle_number: cycle, bond_index: 0, signer_key: signer!.signing_key! },
    ...{ network: 'testnet', blockchain: 'stacks', name: name!, tld: name!.split('.')[1]!, zoneFileHash },
    burnchain_address: reward!.reward_recipient!,
  };
  elsewhere = [
    { under: /^\/extended\/v1\/burnchain\//, values: { address: reward!.reward_recipient! } },
    { under: /^\/extended\/v1\/\{pox\}\//, values: { tx_id: lock!.tx_id!, principal: lock!.stacker! } },
    { under: /balances\/ft\/\{asset_identifier\}/, values: { asset_identifier: `${stone}::stone` } },
    { under: /^\/extended\/v3\/staking\/signers\//, values: { principal: manager!.signer! } },
    { under: /\/allowlist\/\{principal\}/, values: { principal: allowed!.staker! } },
    { under: /\/registrations\/\{principal\}/, values: { principal: registered!.staker! } },
    { under: /burn-blocks/, values: { height_or_hash: burnHeight } },
    { under: /faucets\/btc/, values: { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' } },
  ];
  // One transaction stays pending.
  const { privateKey: senderKey } = devnet.account('wallet_7');
  const pending = await makeSTXTokenTransfer({ recipient: principal, amount: 1n, senderKey, network: devnet.network });
  await fetch(`${devnet.url}/v2/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(pending.serializeBytes()),
  });
  await until(async () => (await devnet.get<{ total: number }>('/extended/v1/tx/mempool')).total > 0);
});

type Data = { data: { delegate_to: string } };

/** The paths that the types of a client know, with their methods. */
function listPaths(folder: string): { path: string; methods: string[] }[] {
  const text = readFileSync(new URL(`../../node_modules/${folder}/lib/generated/schema.d.ts`, import.meta.url), 'utf8');
  const paths = text.slice(text.indexOf('export interface paths'), text.indexOf('\nexport type webhooks'));
  return [...paths.matchAll(/^ {4}"(\/[^"]*)": \{([\s\S]*?)^ {4}\};/gm)].map(([, path, body]) => ({
    path: path!,
    methods: ['get', 'post'].filter(method => new RegExp(`^ {8}${method}: (?!never)`, 'm').test(body!)),
  }));
}

/** Paths whose subject does not exist on the devnet, or that are off. */
const notFound: Record<string, number> = {
  // The devnet has no microblocks.
  '/extended/v1/microblock/{hash}': 404,
  // There is no Bitcoin to pay from.
  '/extended/v1/faucets/btc/{address}': 403,
};

/** The operation of the service at a path of a client, and its own path. */
function operationAt(path: string, method: 'get' | 'post'): { own: string; operation: Operation } {
  const own = Object.keys(document.paths).find(
    each => shapeOf(each) === shapeOf(path) && document.paths[each]?.[method],
  );
  if (own === undefined) throw new Error(`${method} ${path} is not a path of the service`);
  return { own, operation: document.paths[own]![method]! };
}

/** The arguments of a path: what its text names, and the queries that the service requires. */
function argumentsOf(path: string) {
  const values = { ...known, ...elsewhere.find(({ under }) => under.test(path))?.values };
  const take = (name: string) => {
    if (values[name] === undefined) throw new Error(`${path}: nothing is known for ${name}`);
    return values[name];
  };
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  const queries = (operationAt(path, 'get').operation.parameters ?? []).filter(
    each => each.in === 'query' && (each.required || (path === '/extended/v1/tx/events' && each.name === 'address')),
  );
  return {
    path: Object.fromEntries(names.map(name => [name, take(name)])),
    query: Object.fromEntries(
      queries.map(({ name, schema }) => [name, schema.type === 'array' ? [take(name)] : take(name)]),
    ),
  };
}

/** Checks a response against the schema that the service declares for it. */
function schemaErrors(path: string, status: number, body: unknown): unknown {
  const { own, operation } = operationAt(path, 'get');
  const code = [String(status), `${String(status)[0]}XX`].find(each => operation.responses[each]) ?? String(status);
  const types = Object.keys(operation.responses[code]?.content ?? {});
  if (types.length !== 1) return `${path} ${status}: ${types.length} types are declared`;
  const pointer = ['paths', own, 'get', 'responses', code, 'content', types[0]!, 'schema'];
  const encoded = pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv().compile({ $ref: `document.json#/${encoded.join('/')}` });
  return validate(body) ? null : validate.errors;
}

let validator: Ajv2020 | undefined;
function ajv(): Ajv2020 {
  // The words of OpenAPI for people are no keywords of JSON Schema.
  validator ??= new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document.json');
  return validator;
}

describe.each(majors)('@stacks/blockchain-api-client $major', ({ client, folder }) => {
  test('every path that can be read is read, and what comes has the declared shape', async () => {
    const api = client.createClient({ baseUrl: devnet.url });
    const failed: unknown[] = [];
    for (const { path } of listPaths(folder).filter(({ methods }) => methods.includes('get'))) {
      const params = argumentsOf(path);
      const wanted = path.endsWith('/plain') ? { parseAs: 'text' } : {};
      const { data, error, response } = await api.GET(path as '/extended', { params, ...wanted } as never);
      const errors = schemaErrors(path, response.status, data ?? error);
      if (response.status !== (notFound[path] ?? 200) || errors)
        failed.push({ path, params, response: response.status, errors });
    }
    expect(failed).toEqual([]);
  });

  test('what is read is what is on the chain', async () => {
    const api = client.createClient({ baseUrl: devnet.url });
    const { height, index_block_hash: tip } = await devnet.caughtUp();
    const read = async (path: string, params: object = {}) => {
      const { data } = await api.GET(path as '/extended', { params } as never);
      return data as unknown as Record<string, unknown>;
    };
    expect(await read('/extended')).toMatchObject({ status: 'ready', chain_tip: { block_height: height } });
    expect(await read('/extended/v2/blocks/{height_or_hash}', { path: { height_or_hash: height } })).toMatchObject({
      index_block_hash: tip,
    });
    const { stx } = (await read('/extended/v1/address/{principal}/balances', { path: known })) as {
      stx: { balance: string };
    };
    const { balance, locked } = await devnet.get<{ balance: string; locked: string }>(
      `/v2/accounts/${known.principal}?proof=0`,
    );
    expect(BigInt(stx.balance)).toBe(BigInt(balance) + BigInt(locked));
    expect(await read('/extended/v1/tx/mempool')).toMatchObject({ results: expect.any(Array) });
  });

  test('every path that the client knows is a path of the service', async () => {
    const shapes = new Map(Object.entries(document.paths).map(([path, item]) => [shapeOf(path), Object.keys(item)]));
    const known = listPaths(folder);
    expect(known.length).toBeGreaterThan(80);
    const missing = known.flatMap(({ path, methods }) =>
      methods.filter(method => !shapes.get(shapeOf(path))?.includes(method)).map(method => `${method} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('every path that is posted to answers: the faucets and the former fee rate', async () => {
    const api = client.createClient({ baseUrl: devnet.url });
    const { address } = devnet.account(folder.endsWith('8') ? 'wallet_5' : 'wallet_6');
    const balances = async () => {
      const stx = await devnet.get<{ balance: string }>(`/extended/v1/address/${address}/stx`);
      const { fungible_tokens: tokens } = await devnet.get<{ fungible_tokens: Record<string, { balance: string }> }>(
        `/extended/v1/address/${address}/balances`,
      );
      const sbtc = Object.entries(tokens).find(([asset]) => asset.endsWith('::sbtc-token'))?.[1].balance;
      return { stx: BigInt(stx.balance), sbtc: BigInt(sbtc ?? 0) };
    };
    const before = await balances();
    const paid = { status: 200, data: { success: true, txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) } };
    const expected: Record<string, { params?: object; body?: object; status: number; data?: object }> = {
      '/extended/v1/faucets/stx': { params: { query: { address } }, ...paid },
      '/extended/v1/faucets/sbtc': { params: { query: { address } }, ...paid },
      // There is no Bitcoin to pay from.
      '/extended/v1/faucets/btc': { body: { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }, status: 403 },
      '/extended/v1/fee_rate/': { body: { transaction: '0x00' }, status: 200, data: { fee_rate: expect.any(Number) } },
    };
    const paths = listPaths(folder).filter(({ methods }) => methods.includes('post'));
    expect(paths.filter(({ path }) => !expected[path])).toEqual([]);
    for (const { path } of paths) {
      const { params, body, status, data: wanted } = expected[path]!;
      const { data, response } = await api.POST(path as '/extended/v1/faucets/stx', { params, body } as never);
      expect([path, response.status, data]).toEqual([path, status, wanted && expect.objectContaining(wanted)]);
    }
    await devnet.mine();
    const after = await balances();
    expect(after.stx - before.stx).toBe(500_000_000n);
    if (paths.some(({ path }) => path.endsWith('sbtc'))) expect(after.sbtc).toBeGreaterThan(before.sbtc);
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
