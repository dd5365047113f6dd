import { buffer, none, ok, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { sha512_256 } from '@cairn-stacks/codec/hash';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { callPayload, deployPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import type { Simulation } from '@cairn-stacks/devnet/simulation';
import { expect, test } from 'vitest';
import { command, startSimulation } from '../support/simulation.ts';

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
type Json = any;

const boot = 'ST000000000000000000002AMW42H';
const names = 'ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M';
const user = accountAt(0, false);
const label = (text: string) => buffer(Buffer.from(text));

/** A client of the node RPC of a devnet. */
function clientOf(devnet: Simulation) {
  const request = (path: string, init: RequestInit = {}) => fetch(`${devnet.url}${path}`, init);
  const post = (path: string, body: unknown) =>
    request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const json = async (path: string) => {
    const response = await request(path);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as Json;
  };
  const read = async (contract: string, name: string, args: ClarityValue[]) => {
    const body = { sender: user.address, arguments: args.map(arg => toHex(encodeClarity(arg))) };
    const response = await post(`/v2/contracts/call-read/${contract.replace('.', '/')}/${name}`, body);
    const { result, cause } = (await response.json()) as { result?: string; cause?: string };
    return result === undefined ? cause : decodeClarity(fromHex(result));
  };
  const send = async (payload: Payload, fee = 5_000n) => {
    const nonce = devnet.residents.nextNonce(0);
    const order = { network: devnet.node.network, origin: { account: user, nonce }, fee, payload, sign: false };
    const { raw } = makeTransaction({ ...order, postConditionMode: 'allow' });
    const response = await request('/v2/transactions', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(raw.slice(2), 'hex'),
    });
    return { status: response.status, json: (await response.json()) as Json };
  };
  return { request, post, json, read, send };
}

const bare = (id: string) => id.slice(2);

test('a client finds blocks, tenures, sortitions and transactions as a node serves them', async t => {
  const devnet = await startSimulation(t, { firstBlocks: 30, sign: true });
  const { json, request } = clientOf(devnet);
  const { node } = devnet;
  const { tip } = node;
  expect(await json('/v3/health')).toEqual({
    difference_from_max_peer: 0,
    max_stacks_height_of_neighbors: tip.height,
    max_stacks_neighbor_address: null,
    node_stacks_tip_height: tip.height,
  });
  expect(await json('/v2/neighbors')).toEqual({ bootstrap: [], sample: [], inbound: [], outbound: [] });

  const [latest, last] = await json('/v3/sortitions/latest_and_last');
  expect(latest).toMatchObject({
    burn_block_height: tip.burn.height,
    was_sortition: true,
    stacks_parent_ch: last.consensus_hash,
  });
  expect(latest.miner_pk_hash160).toMatch(/^0x[0-9a-f]{40}$/);
  expect(await json('/v3/sortitions')).toEqual([latest]);
  expect(await json(`/v3/sortitions/burn_height/${tip.burn.height}`)).toEqual([latest]);
  expect(await json(`/v3/sortitions/burn/${bare(tip.burn.hash)}`)).toEqual([latest]);
  expect(await json(`/v3/sortitions/consensus/${bare(latest.consensus_hash)}`)).toEqual([latest]);
  expect((await request('/v3/sortitions/burn_height/1')).status).toBe(404);

  const headers = await json('/v2/headers/5');
  expect(headers).toHaveLength(5);
  expect(headers[0].parent_block_id).toBe(bare(tip.parent!.indexHash));
  expect((await request('/v2/headers/2101')).status).toBe(400);

  const tenure = await json(`/v3/tenures/blocks/${bareHex(tip.tenure.consensusHash)}`);
  expect(tenure).toMatchObject({ burn_block_height: tip.burn.height, burn_block_hash: bare(tip.burn.hash) });
  expect(tenure.stacks_blocks[0]).toMatchObject({
    block_id: bare(tip.indexHash),
    header_type: 'nakamoto',
    height: tip.height,
  });
  expect(await json(`/v3/tenures/blocks/height/${tip.burn.height}`)).toEqual(tenure);
  expect(await json(`/v3/tenures/blocks/hash/${bare(tip.burn.hash)}`)).toEqual(tenure);
  expect((await json(`/v3/tenures/tip/${tenure.consensus_hash}`)).Nakamoto).toMatchObject({ chain_length: tip.height });
  const forks = await json(`/v3/tenures/fork_info/${bare(latest.consensus_hash)}/${bare(last.consensus_hash)}`);
  expect(forks.map((each: Json) => each.consensus_hash)).toEqual([latest.consensus_hash, last.consensus_hash]);
  const bytes = await (await request(`/v3/tenures/${bare(tip.indexHash)}`)).arrayBuffer();
  expect(bytes.byteLength).toBeGreaterThan(200);

  const mined = tip.parent!.transactions.at(-1) ?? tip.transactions[0]!;
  expect(await json(`/v3/transaction/${bare(mined.txId)}`)).toMatchObject({ tx: bare(mined.raw), is_canonical: true });
  expect((await request(`/v3/transaction/${'0'.repeat(64)}`)).status).toBe(404);
  const cycle = Math.floor(tip.burn.height / 20);
  const signer = bareHex(accountAt(2_000, false).publicKey);
  expect((await json(`/v3/signer/${signer}/${cycle}`)).blocks_signed).toBeGreaterThan(0);
  expect(await json(`/v3/signer/02${'11'.repeat(32)}/${cycle}`)).toEqual({ blocks_signed: 0 });
  expect(await json(`/v3/stacker_set/${cycle + 1}`)).toMatchObject({ stacker_set: { signers: expect.any(Array) } });
});

test('hostile requests are answered, and the node lives on', async t => {
  const devnet = await startSimulation(t, { firstBlocks: 2 });
  const { request, post, json } = clientOf(devnet);
  for (const path of [
    '/%ff',
    '/v2/accounts/%00',
    '/v3/sortitions/burn_height/99999999999',
    '/v2/headers/-1',
    '/v2/headers/0',
  ]) {
    expect([400, 404]).toContain((await request(path)).status);
  }
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const response = await post(`/v2/contracts/call-read/${boot}/pox-4/${name}`, {
      sender: user.address,
      arguments: [],
    });
    expect(await response.json()).toMatchObject({ okay: false });
    expect((await request(`/v2/constant_val/${boot}/pox-4/${name}`)).status).toBe(404);
    expect((await request(`/v2/data_var/${boot}/pox-4/${name}`)).status).toBe(404);
    expect((await post(`/v2/map_entry/${boot}/bns/${name}`, '0x09')).status).toBe(404);
    expect((await request(`/v2/clarity/metadata/${boot}/pox-4/${name}`)).status).toBe(404);
  }
  for (const body of [null, 7, [], {}, { sender: user.address }, { sender: 'x', arguments: [] }]) {
    expect((await post(`/v2/contracts/call-read/${boot}/pox-4/get-pox-info`, body)).status).toBe(400);
  }
  for (const key of ['0x', '0x0b00000001', 'zz', 5, '0x09']) {
    expect((await post(`/v2/map_entry/${boot}/pox-4/stacking-state`, key)).status).toBe(400);
  }
  expect((await json('/v2/info')).stacks_tip_height).toBe(2);
});

test('clients of pox-4 and of both naming contracts find every function that they call', async t => {
  const devnet = await startSimulation(t, { firstBlocks: 40 });
  const { read, json, post } = clientOf(devnet);
  const { node, residents } = devnet;
  const pox = `${boot}.pox-4`;
  const address = tuple({ version: buffer(Uint8Array.of(0)), hashbytes: buffer(new Uint8Array(20).fill(9)) });
  expect(await read(pox, 'can-stack-stx', [address, uint(10n ** 12n), uint(7), uint(2)])).toMatchObject({ type: 'ok' });
  expect(await read(pox, 'can-stack-stx', [address, uint(1), uint(7), uint(2)])).toMatchObject({ type: 'err' });
  const stacker = [...node.state.locked.keys()].find(each => node.state.data.has(`${pox} signer of ${each}`));
  expect(await read(pox, 'get-stacker-info', [principal(stacker!)])).toMatchObject({ type: 'some' });
  const slots = (await read(pox, 'get-reward-set-size', [uint(6)])) as { value: bigint };
  expect(slots.value).toBeGreaterThan(0n);
  expect(await read(pox, 'get-reward-set-pox-address', [uint(6), uint(0)])).toMatchObject({ type: 'some' });
  const { current_cycle, next_cycle } = await json('/v2/pox');
  for (const { id, stacked_ustx } of [current_cycle, next_cycle]) {
    const totals = await Promise.all(
      [pox, `${boot}.pox-5`].map(contract => read(contract, 'get-total-ustx-stacked', [uint(id)])),
    );
    const sum = (totals as { value: bigint }[]).reduce((all, { value }) => all + value, 0n);
    expect([id, stacked_ustx]).toEqual([id, Number(sum)]);
    expect(stacked_ustx).toBeGreaterThan(0);
  }
  expect(await json(`/v2/constant_val/${boot}/pox-4/MAX_POX_REWARD_CYCLES`)).toEqual({
    data: toHex(encodeClarity(uint(12))),
  });
  expect(await json(`/v2/data_var/${boot}/pox-4/pox-reward-cycle-length?proof=0`)).toEqual({
    data: toHex(encodeClarity(uint(20))),
  });

  const v2 = `${names}.BNS-V2`;
  const { value: last } = ((await read(v2, 'get-last-token-id', [])) as { value: { value: bigint } }).value;
  expect(last).toBeGreaterThan(0n);
  const fqn = (await read(v2, 'get-bns-from-id', [uint(last)])) as Json;
  const [name, space] = fqn.value.entries.map((entry: Json) => entry.value) as [ClarityValue, ClarityValue];
  const owner = (await read(v2, 'get-owner-name', [name, space])) as Json;
  expect(owner).toMatchObject({ type: 'ok', value: { type: 'some', value: { type: 'principal' } } });
  expect(await read(v2, 'get-bns-info', [name, space])).toMatchObject({ type: 'some', value: { type: 'tuple' } });
  expect(await read(v2, 'get-bns-info', [label('nobody'), space])).toEqual(none);
  expect(await read(v2, 'can-resolve-name', [space, name])).toMatchObject({ type: 'ok', value: { type: 'tuple' } });
  expect(await read(v2, 'get-primary', [owner.value.value])).toMatchObject({ type: 'ok', value: { type: 'some' } });
  expect(await read(v2, 'get-primary', [principal(user.address)])).toEqual({ type: 'err', value: uint(131) });
  expect(await read(v2, 'get-namespace-properties', [label('btc')])).toMatchObject({ type: 'ok' });
  expect(await read(v2, 'can-namespace-be-registered', [label('btc')])).toMatchObject({ value: { value: false } });
  expect(await read(v2, 'can-namespace-be-registered', [label('free')])).toMatchObject({ value: { value: true } });
  expect(await read(`${names}.zonefile-resolver`, 'resolve-name', [name, space])).toMatchObject({ type: 'ok' });

  const bns = residents.bootContract('bns');
  expect(await read(bns, 'can-namespace-be-registered', [label('cairn')])).toMatchObject({ value: { value: false } });
  expect(await read(bns, 'can-receive-name', [principal(user.address)])).toMatchObject({ value: { value: true } });
  const entry = await post(`/v2/map_entry/${boot}/bns/namespaces?proof=0`, toHex(encodeClarity(label('cairn'))));
  expect(decodeClarity(fromHex(((await entry.json()) as { data: string }).data))).toMatchObject({ type: 'some' });
});

const source = `;; A counter that only holds data.
(define-constant owner tx-sender)
(define-constant err-denied (err u401))
(define-data-var counter uint u7)
(define-map prices {item: (string-ascii 10)} uint)
(map-set prices {item: "tea"} u3)
(define-fungible-token point u1000)
(define-read-only (get-counter) (var-get counter))
(define-read-only (get-price (item (string-ascii 10))) (default-to u0 (map-get? prices {item: item})))
(define-read-only (describe (by uint)) (ok {next: (+ (var-get counter) by), owner: owner, supply: (ft-get-supply point)}))
(define-public (increment (by uint))
  (begin
    (asserts! (is-eq tx-sender owner) err-denied)
    (var-set counter (+ (var-get counter) by))
    (ok (var-get counter))))
`;

test('a contract of a user has its interface, its data, and functions that read', async t => {
  const devnet = await startSimulation(t, { firstBlocks: 3 });
  const { read, json, post, send } = clientOf(devnet);
  const mine = () => command(devnet, 'mine?count=2');
  expect((await send(deployPayload('counter', source, 3))).status).toBe(200);
  await mine();
  const contract = `${user.address}.counter`;
  const path = `${user.address}/counter`;
  const found = await json(`/v2/contracts/interface/${path}`);
  expect(found.functions).toContainEqual({
    name: 'increment',
    access: 'public',
    args: [{ name: 'by', type: 'uint128' }],
    outputs: { type: { response: { ok: 'uint128', error: 'uint128' } } },
  });
  expect(found.variables).toEqual([
    { name: 'err-denied', type: { response: { ok: 'none', error: 'uint128' } }, access: 'constant' },
    { name: 'owner', type: 'principal', access: 'constant' },
    { name: 'counter', type: 'uint128', access: 'variable' },
  ]);
  expect(found.fungible_tokens).toEqual([{ name: 'point' }]);
  expect(await json(`/v2/contracts/source/${path}`)).toMatchObject({ source, publish_height: expect.any(Number) });
  expect(await json(`/v2/constant_val/${path}/owner`)).toEqual({ data: toHex(encodeClarity(principal(user.address))) });
  expect(await json(`/v2/data_var/${path}/counter?proof=0`)).toEqual({ data: toHex(encodeClarity(uint(7))) });
  const key = toHex(encodeClarity(tuple({ item: stringAscii('tea') })));
  expect(await (await post(`/v2/map_entry/${path}/prices?proof=0`, key)).json()).toEqual({
    data: toHex(encodeClarity(some(uint(3)))),
  });
  const stored = bareHex(sha512_256(Buffer.from(`vm::${contract}::1::counter`)));
  expect(await json(`/v2/clarity/marf/${stored}?proof=0`)).toEqual({ data: toHex(encodeClarity(uint(7))) });
  expect(await json(`/v2/clarity/metadata/${path}/vm-metadata::9::contract-src`)).toEqual({ data: source });
  expect(await read(contract, 'get-counter', [])).toEqual(uint(7));
  expect(await read(contract, 'get-price', [stringAscii('tea')])).toEqual(uint(3));
  expect(await read(contract, 'get-price', [stringAscii('gold')])).toEqual(uint(0));
  expect(await read(contract, 'describe', [uint(2)])).toEqual(
    ok(tuple({ next: uint(9), owner: principal(user.address), supply: uint(0) })),
  );

  const sent = await send(callPayload(contract, 'increment', [uint(1)]));
  expect(sent.status).toBe(200);
  await mine();
  const blocks = [devnet.node.tip, devnet.node.tip.parent!];
  const failed = blocks.flatMap(block => block.transactions).find(each => each.txId === `0x${sent.json}`)!;
  expect(failed).toMatchObject({
    status: 'abort_by_response',
    vmError: expect.stringMatching(/does not run increment.*docs\/devnet\.md/),
  });
  expect((await send(callPayload(contract, 'increment', [none]))).json).toMatchObject({
    reason: 'BadFunctionArgument',
    reason_data: { message: "expecting expression of type 'uint', found '(optional UnknownType)'" },
  });
  expect((await send(callPayload(contract, 'increment', []))).json).toMatchObject({
    reason_data: { message: 'expecting 1 arguments, got 0' },
  });
  expect((await send(callPayload(contract, 'nothing', []))).json).toMatchObject({ reason: 'NoSuchPublicFunction' });
  expect((await send(deployPayload('counter', source, 3))).json).toMatchObject({ reason: 'ContractAlreadyExists' });
  expect((await send(deployPayload('n'.repeat(41), source, 3))).json).toMatchObject({ reason: 'Deserialization' });
  expect((await send(deployPayload('accent', ';; é', 3))).json).toMatchObject({ reason: 'Deserialization' });
});

test.each([
  ['(define-constant a', 'List expressions (..) left opened.'],
  ['(define-constant a u1))', "Tried to close list which isn't open."],
  ['(define-constant a "x)', 'Failed to lex input remainder: line 1'],
  ['(define-data-var a uint 7)', "expecting expression of type 'uint', found 'int'"],
  ['(define-data-var a word u7)', 'could not parse type: word'],
  ['(define-constant a u1) (define-constant a u2)', "defining 'a' conflicts with previous value"],
  ['(define-public (go) (nonexistent u1))', "use of unresolved function 'nonexistent'"],
  ['(define-public (go))', 'invalid function definition'],
  [`(define-constant a u${'9'.repeat(60)})`, `Failed to parse int literal '${'9'.repeat(60)}'`],
  [`(define-constant a ${'(ok '.repeat(80)}u1${')'.repeat(80)})`, 'Expression nesting is too deep'],
])('the deploy of %s fails as on a node', async (text, problem) => {
  const { testDevnet } = await import('../support/devnet.ts');
  const { node, send } = testDevnet();
  send(0, deployPayload('broken', text, 3), { fee: 9_000n });
  node.mine();
  node.mine();
  const [mined] = [node.tip, node.tip.parent!]
    .flatMap(block => block.transactions)
    .filter(each => each.vmError !== null);
  expect(mined).toMatchObject({ status: 'abort_by_response', vmError: `:0:0: ${problem}`, contractInterface: null });
  expect(toHex(mined!.result)).toBe('0x0809');
});

test('an estimate of something that is not a payload in hex, or of a length that is not a number, is refused', async t => {
  const { post } = clientOf(await startSimulation(t, { firstBlocks: 2 }));
  const transaction_payload = `00051a${'11'.repeat(20)}00000000000003e8${'00'.repeat(34)}`;
  const statusOf = async (body: unknown) => (await post('/v2/fees/transaction', body)).status;
  expect(await statusOf({ transaction_payload, estimated_len: 180 })).toBe(200);
  for (const body of [{ transaction_payload: {} }, { transaction_payload, estimated_len: {} }, {}, null]) {
    expect([body, await statusOf(body)]).toEqual([body, 400]);
  }
});
