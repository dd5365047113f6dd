import { expect, test } from 'vitest';
import { node as nodeKind } from '../../src/config/setting.ts';
import { NodePool } from '../../src/proxy/pool/node-pool.ts';
import { Simulator } from '../../src/proxy/simulator.ts';
import { testNetwork, until } from '../support/service.ts';
import { signTransaction } from '../support/signed.ts';
import {
  type Fault,
  json,
  type StubNode,
  type StubRequest,
  type StubResponse,
  startNodes,
} from '../support/stub-node.ts';

const signed = signTransaction();
const SECRET = 'the-secret-of-the-node';
const PATH = '/v3/transactions/simulate';
const cost = { runtime: 0, read_count: 0, read_length: 0, write_count: 0, write_length: 0 };
const simulated = {
  ...{ txid: signed.txId, tip_block_id: '01'.repeat(32), consensus_hash: '02'.repeat(20), block_height: 101 },
  ...{ result_hex: '0x0703', stx_burned: 0, execution_cost: cost, execution_limit: cost, events: [] },
  ...{ post_condition_aborted: false, vm_error: null },
};

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A simulator in front of stub nodes called a, b, …; each has the secret unless its options say otherwise. */
async function start(t: Ending, count: number, given: { options?: string[]; timeoutMs?: number } = {}) {
  const stubs = await startNodes(t, count);
  for (const stub of stubs) stub.answers[PATH] = () => json(simulated);
  const pool = new NodePool({
    nodes: stubs.map(
      ({ url }, i) => nodeKind.parse(`${url}|name=${'abc'[i]}${given.options?.[i] ?? `|auth=${SECRET}`}`)!,
    ),
    chainId: testNetwork.chainId,
    ...{ timeoutMs: given.timeoutMs ?? 600_000, hedgeDelayMs: 60, maxLag: 5, connections: 32, responseLimit: 1000 },
    ...{ checkMs: 50, checkTimeoutMs: 600_000 },
  });
  const lines: string[] = [];
  const log = { warn: (details: object, message: string) => void lines.push(`${JSON.stringify(details)} ${message}`) };
  const simulator = new Simulator({ pool, network: testNetwork, log: log as never });
  await pool.start();
  t.onTestFinished(() => pool.stop(0));
  const ask = (raw: Uint8Array = signed.raw) => simulator.simulate(raw, { 'x-request-id': 'r1' });
  const fails = async () => {
    const error = (await ask().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )) as { status: number; message: string } | undefined;
    expect(JSON.stringify([error?.message, lines])).not.toContain(SECRET);
    expect(error?.message).not.toMatch(/127\.0\.0\.1/);
    return [error?.status, error?.message];
  };
  return { stubs, pool, ask, fails, lines };
}

const askedOf = (stub: StubNode) => stub.requests.filter(({ url }) => url === PATH);

test('the node gets the transaction and its secret, and its result is read', async t => {
  const { stubs, ask } = await start(t, 1);
  expect(await ask()).toMatchObject({ node: 'a', height: 100, simulation: { status: 'success', height: 101 } });
  const [sent] = askedOf(stubs[0]!) as [StubRequest];
  expect(JSON.parse(sent.body.toString())).toEqual({ transaction_hex: signed.hex });
  expect(sent.headers).toMatchObject({
    authorization: SECRET,
    'content-type': 'application/json',
    'x-request-id': 'r1',
  });
});

test('what is no transaction of this network is refused before a node is asked', async t => {
  const { stubs, ask } = await start(t, 1);
  const mainnet = signTransaction({ network: { ...testNetwork, chainId: 1, mainnet: true } }).raw;
  const forged = Buffer.from(signed.raw);
  forged[60]! ^= 1;
  for (const [raw, reason] of [
    [Buffer.of(1, 2, 3), /^Deserialization: /],
    [Buffer.alloc((2 << 20) + 1), /^Deserialization: more than 2097152 bytes$/],
    [mainnet, /^BadTransactionVersion$/],
    [forged, /^SignatureValidation: /],
  ] as const) {
    expect(await ask(raw)).toEqual({ node: undefined, refused: expect.stringMatching(reason) });
  }
  expect(askedOf(stubs[0]!)).toEqual([]);
  // Blocks take transactions without a fee, which no mempool does.
  const free = signTransaction({ fee: 0n });
  stubs[0]!.answers[PATH] = () => json({ ...simulated, txid: free.txId });
  expect(await ask(free.raw)).toMatchObject({ simulation: { status: 'success' } });
});

test('a refusal by the node is passed on without its secret, and no other node is asked', async t => {
  const { stubs, ask } = await start(t, 2);
  for (const stub of stubs)
    stub.answers[PATH] = ({ headers }) => ({
      status: 400,
      body: `Error processing transaction: bad nonce ${headers.authorization} ${'x'.repeat(9_000)}`,
    });
  const answer = await ask();
  expect(answer).toMatchObject({ refused: expect.stringMatching(/^Error processing transaction: bad nonce … x+$/) });
  expect((answer as { refused: string }).refused).toHaveLength(4_096);
  expect(stubs.flatMap(askedOf)).toHaveLength(1);
});

const response = (status: number, body: string, type = 'application/json'): (() => StubResponse) => {
  return () => ({ status, headers: { 'content-type': type }, body });
};
const large = JSON.stringify({ ...simulated, vm_error: 'x'.repeat(9 << 20) });

test.each<[string, Fault | (() => StubResponse), number, RegExp]>([
  ['text', response(200, 'hello'), 502, /^The node a sent no usable response to the simulation: the body is not JSON$/],
  ['other JSON', response(200, '{"txid":"00"}'), 502, /^The node a sent no usable response .*txid has 1 bytes/],
  ['too much', response(200, large), 502, /^The node a sent no usable response .*more than 8388608 bytes$/],
  ['HTML', 'html', 502, /^The node a sent no usable response .*: it sent HTML$/],
  ['HTML as JSON', 'html as json', 502, /^The node a sent no usable response .*: it sent HTML$/],
  [
    'no HTTP',
    'garbage',
    502,
    /^The (node a sent no usable response .*: it does not speak HTTP$|connection to the node a broke)/,
  ],
  ['a redirect', 'redirect', 502, /^The node a sent no usable response .*: it sent the status 302$/],
  ['an error', 'error', 502, /^The node a failed to simulate the transaction \(status 500\)$/],
  ['half a response', 'cut', 502, /^The connection to the node a broke/],
  [
    'a refusal of the secret',
    response(401, 'Unauthorized'),
    502,
    /^The node a cannot simulate: it refuses the auth=TOKEN/,
  ],
  [
    'no secret of its own',
    response(400, 'Bad Request.', 'text/plain'),
    502,
    /^The node a cannot simulate: it has no auth_token/,
  ],
  [
    'no such path',
    response(404, 'No such file'),
    502,
    /^The node a cannot simulate: it has no \/v3\/transactions\/simulate/,
  ],
])('a node that sends %s is named in the error', async (_, fault, status, message) => {
  const ending: (() => Promise<void>)[] = [];
  try {
    const { stubs, fails } = await start({ onTestFinished: work => void ending.push(work) }, 1);
    if (typeof fault === 'function') stubs[0]!.answers[PATH] = fault;
    else stubs[0]!.fault = fault;
    expect(await fails()).toEqual([status, expect.stringMatching(message)]);
  } finally {
    for (const work of ending.reverse()) await work();
  }
});

test.each<Fault>(['hang', 'drip'])(
  'a node that does not finish (%s) is named, and no other node is asked',
  async fault => {
    const ending: (() => Promise<void>)[] = [];
    try {
      const { stubs, fails } = await start({ onTestFinished: work => void ending.push(work) }, 2, { timeoutMs: 1_000 });
      for (const stub of stubs) stub.fault = fault;
      expect(await fails()).toEqual([
        504,
        expect.stringMatching(/^The node [ab] did not finish the simulation in time$/),
      ]);
      expect(stubs.flatMap(askedOf)).toHaveLength(1);
    } finally {
      for (const work of ending.reverse()) await work();
    }
  },
);

test('a node that fails is replaced by another one, and one without a secret is never asked', async t => {
  const { stubs, ask } = await start(t, 3, {
    options: ['|weight=100', `|weight=10|auth=${SECRET}`, `|auth=${SECRET}`],
  });
  stubs[1]!.answers[PATH] = response(200, 'hello');
  expect(await ask()).toMatchObject({ node: 'c', simulation: { status: 'success' } });
  expect(stubs.map(stub => askedOf(stub).length)).toEqual([0, 1, 1]);
});

test('the refusal of a secret is logged once, for the operator', async t => {
  const { stubs, fails, lines } = await start(t, 1);
  stubs[0]!.answers[PATH] = response(401, 'Unauthorized');
  await fails();
  await fails();
  expect(lines).toEqual([expect.stringContaining('a node cannot simulate: it refuses the auth=TOKEN of CAIRN_NODES')]);
});

test('without a node that may be asked, the error says what to configure', async t => {
  expect(await (await start(t, 0)).fails()).toEqual([503, expect.stringContaining('set CAIRN_NODES')]);
  const { fails, stubs } = await start(t, 1, { options: [''] });
  expect(await fails()).toEqual([503, expect.stringContaining('add |auth=TOKEN')]);
  expect(askedOf(stubs[0]!)).toEqual([]);
});

test('a node that is gone gives an error without its address', async t => {
  const { stubs, fails, pool } = await start(t, 1);
  await stubs[0]!.stop();
  expect(await fails()).toEqual([expect.toBeOneOf([502, 503]), expect.stringMatching(/node a broke|can be reached/)]);
  await until(() => pool.rankOf(pool.nodes[0]!) === 3);
  expect(await fails()).toEqual([503, expect.stringContaining('No node that simulates can be reached')]);
});

test('more simulations at once than nodes should bear are refused', async t => {
  const { stubs, ask, fails } = await start(t, 1);
  stubs[0]!.fault = 'hang';
  const hanging = Array.from({ length: 8 }, () => ask().catch(() => undefined));
  await until(() => askedOf(stubs[0]!).length === 8);
  expect(await fails()).toEqual([503, expect.stringContaining('busy')]);
  await stubs[0]!.stop();
  await Promise.all(hanging);
  expect(await fails()).not.toEqual([503, expect.stringContaining('busy')]);
});
