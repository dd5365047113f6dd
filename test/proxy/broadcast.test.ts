import { expect, test, vi } from 'vitest';
import { impatient, objectOf, startProxy, type TestProxy } from '../support/proxy.ts';
import { testNetwork, until } from '../support/service.ts';
import { signTransaction } from '../support/signed.ts';
import { json, type StubNode, startNodes } from '../support/stub-node.ts';

const signed = signTransaction();

/** Makes a node accept everything, or reject it for a reason. */
function judge(node: StubNode, reason?: string): void {
  node.answers['/v2/transactions'] = () =>
    reason === undefined
      ? json(signed.txId)
      : json({ error: 'transaction rejected', reason, reason_data: { actual: 1 }, txid: signed.txId }, 400);
}

type Ending = { onTestFinished(work: () => Promise<void>): void };

async function start(t: Ending, count: number, given: TestProxy = {}) {
  const nodes = await startNodes(t, count);
  for (const node of nodes) judge(node);
  const proxy = await startProxy(t, nodes, given);
  const post = (body: string | Buffer, type?: string) =>
    proxy.get('/v2/transactions', {
      method: 'POST',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  return { ...proxy, nodes, post };
}

test('bytes, hex text and JSON are understood, whatever type they claim, and reach the node as bytes', async t => {
  const { nodes, post } = await start(t, 1);
  const forms: [string | Buffer, string?][] = [
    [signed.raw, 'application/octet-stream'],
    [signed.raw, 'application/x-www-form-urlencoded'],
    [signed.hex, 'text/plain'],
    [`0x${signed.hex}\n`, 'text/plain'],
    [signed.hex, 'application/octet-stream'],
    [JSON.stringify(signed.hex), 'application/json'],
    [JSON.stringify({ tx: signed.hex }), 'application/json'],
    [JSON.stringify({ tx: `0x${signed.hex}`, attachment: null }), 'text/plain'],
  ];
  for (const [body, type] of forms) {
    const response = await post(body, type);
    expect([response.status, await response.json()]).toEqual([200, signed.txId]);
    const sent = nodes[0]!.requests.at(-1)!;
    expect([sent.headers['content-type'], sent.body.equals(signed.raw)]).toEqual(['application/octet-stream', true]);
  }
  await post(JSON.stringify({ tx: signed.hex, attachment: 'c0ffee' }), 'application/json');
  expect(JSON.parse(nodes[0]!.requests.at(-1)!.body.toString())).toEqual({ tx: signed.hex, attachment: 'c0ffee' });
});

const mainnet = { ...testNetwork, chainId: 1, mainnet: true };
const forged = Buffer.from(signed.raw);
forged[60]! ^= 1;

test.each<[string, Buffer | string, string]>([
  ['nothing', '', 'Deserialization'],
  ['text', 'hello', 'Deserialization'],
  ['half a hex digit', `${signed.hex}0`, 'Deserialization'],
  ['broken JSON', '{"tx":', 'Deserialization'],
  ['JSON without a transaction', '{"raw":"00"}', 'Deserialization'],
  ['one byte', Buffer.of(0), 'Deserialization'],
  ['a cut transaction', signed.raw.subarray(0, 100), 'Deserialization'],
  ['bytes left over', Buffer.concat([signed.raw, Buffer.of(0)]), 'Deserialization'],
  ['the wrong network', signTransaction({ network: mainnet }).raw, 'BadTransactionVersion'],
  ['the wrong chain', signTransaction({ network: { ...testNetwork, chainId: 7 } }).raw, 'BadTransactionVersion'],
  ['a forged signature', forged, 'SignatureValidation'],
  ['too low a fee', signTransaction({ fee: 1n }).raw, 'FeeTooLow'],
  [
    'a coinbase',
    signTransaction({ payload: { type: 'coinbase', data: new Uint8Array(32) } }).raw,
    'NoCoinbaseViaMempool',
  ],
])('%s is rejected here, in the form of a node', async (_, body, reason) => {
  const ending: (() => Promise<void>)[] = [];
  try {
    const { nodes, post } = await start({ onTestFinished: work => void ending.push(work) }, 1);
    const response = await post(body, 'application/octet-stream');
    expect([response.status, await objectOf(response)]).toMatchObject([400, { error: 'transaction rejected', reason }]);
    expect(nodes[0]!.requests).toEqual([]);
  } finally {
    for (const work of ending.reverse()) await work();
  }
});

test('a payload type that is newer than our codec goes to the node unjudged', async t => {
  const { nodes, post } = await start(t, 1);
  const payload = signed.raw.length - (1 + 1 + 1 + 20 + 8 + 34);
  expect(signed.raw[payload]).toBe(0);
  const unknownFormat = Buffer.from(signed.raw);
  unknownFormat[payload] = 0x7f;
  expect((await post(unknownFormat)).status).toBe(200);
  expect(nodes[0]!.requests[0]!.body.equals(unknownFormat)).toBe(true);
});

test('it is sent to several nodes, and the first that accepts it answers', async t => {
  const { nodes, post } = await start(t, 4);
  judge(nodes[0]!, 'BadNonce');
  nodes[1]!.fault = 'hang';
  // The answer shows that nobody waited for the node that hangs.
  expect((await post(signed.raw)).status).toBe(200);
  expect(nodes.reduce((sum, node) => sum + node.requests.length, 0)).toBe(3);
});

test('a rejection is passed on with its reason and data', async t => {
  const { nodes, post } = await start(t, 2);
  for (const node of nodes) judge(node, 'NotEnoughFunds');
  const response = await post(signed.raw);
  expect([response.status, await objectOf(response)]).toEqual([
    400,
    { error: 'transaction rejected', reason: 'NotEnoughFunds', reason_data: { actual: 1 }, txid: signed.txId },
  ]);
});

test('one that judges counts more than one that fails', async t => {
  const { nodes, post } = await start(t, 2);
  nodes[0]!.fault = 'error';
  judge(nodes[1]!, 'BadNonce');
  expect(await objectOf(await post(signed.raw))).toMatchObject({ reason: 'BadNonce' });
});

test.each([
  ['error', 502],
  ['html', 502],
  ['html as json', 502],
  ['garbage', 502],
  ['hang', 504],
] as const)('when every node answers with %s, it is %i', async (fault, status) => {
  const ending: (() => Promise<void>)[] = [];
  try {
    const { nodes, post } = await start({ onTestFinished: work => void ending.push(work) }, 2, {
      pool: status === 504 ? impatient : {},
    });
    for (const node of nodes) node.fault = fault;
    const response = await post(signed.raw);
    expect([response.status, (await objectOf(response)).statusCode]).toEqual([status, status]);
  } finally {
    for (const work of ending.reverse()) await work();
  }
});

test('a sender reads its own write: its questions go to the node that accepted', async t => {
  const { nodes, post, get } = await start(t, 3, { options: ['|weight=1000'] });
  judge(nodes[0]!, 'BadNonce');
  judge(nodes[1]!, 'BadNonce');
  expect((await post(signed.raw)).headers.get('x-stacks-node')).toBe('node-3');
  const asked = async (path: string) => (await get(path)).headers.get('x-stacks-node');
  expect(await asked(`/v2/accounts/${signed.sender}?proof=0`)).toBe('node-3');
  expect(await asked(`/v2/transactions/unconfirmed/${signed.txId}`)).toBe('node-3');
  expect(await asked('/v2/accounts/ST000000000000000000002AMW42H')).toBe('node-1');
});

test('the sender is answered when the index knows of it, and not kept waiting by an index that fails', async t => {
  const announced: Uint8Array[] = [];
  const announce = vi.fn(async (raw: Uint8Array) => void announced.push(raw));
  const { nodes, post } = await start(t, 1, { proxy: { announce } });
  await post(signed.hex);
  expect(announced.map(raw => Buffer.from(raw).equals(signed.raw))).toEqual([true]);
  announce.mockRejectedValueOnce(new Error('no database'));
  expect((await post(signed.raw)).status).toBe(200);
  judge(nodes[0]!, 'BadNonce');
  await post(signed.raw);
  expect(announce).toHaveBeenCalledTimes(2);
  await until(() => nodes[0]!.requests.length === 3);
});
