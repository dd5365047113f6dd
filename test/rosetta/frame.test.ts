import { parseNetwork } from '@cairn-stacks/codec/network';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { buildOfflineApi } from '../../src/app/rosetta-offline.ts';
import { createLog } from '../../src/log.ts';
import { RosettaError } from '../../src/rosetta/errors.ts';
import { rosettaRoute } from '../../src/rosetta/route.ts';
import { networkRoutes } from '../../src/rosetta/routes/network.ts';
import { rosettaServer } from '../../src/rosetta/server.ts';

const silent = createLog({ level: 'silent', format: 'json' });
const network = parseNetwork('testnet')!;
const network_identifier = { blockchain: 'stacks', network: 'testnet' };

const failing = rosettaRoute({
  path: '/fail',
  operationId: 'fail',
  summary: 'Fails as it is told',
  request: Type.Object({ network_identifier: Type.Unknown(), how: Type.String() }),
  response: Type.Object({}),
  handler: ({ how }) => {
    if (how === 'database') throw Object.assign(new Error('gone'), { code: 'LOST' });
    if (how === 'block') throw new RosettaError(605, undefined, 500);
    throw new Error('a secret');
  },
});

async function serve(compat = false) {
  const app = Fastify();
  const routes = [...networkRoutes({ network, compat, callMethods: ['one'] }), failing];
  const log = createLog({ level: 'silent', format: 'json' });
  const unavailable = (error: unknown) => (error as { code?: string }).code === 'LOST';
  await app.register(rosettaServer({ routes, network, compat, bodyLimit: 2000, log, unavailable }));
  return async (path: string, body: unknown, type = 'application/json') => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await app.inject({
      method: 'POST',
      url: `/rosetta/v1${path}`,
      headers: { 'content-type': type },
      payload,
    });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
}

/** Milliseconds of the processor that the work took: unlike the time on the clock they do not depend on other processes. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('lists the one network, whatever the body is', async () => {
  const ask = await serve();
  for (const body of [{}, '', { x: 1 }]) {
    const { status, body: answer } = await ask('/network/list', body);
    expect([status, answer]).toEqual([200, { network_identifiers: [network_identifier] }]);
  }
});

test('options follow the specification, and the incumbent where asked to', async () => {
  const { body } = await (await serve())('/network/options', { network_identifier });
  expect(body.allow).toMatchObject({ call_methods: ['one'], balance_exemptions: [], mempool_coins: false });
  expect(body.allow.errors).toHaveLength(46);
  const { body: compat } = await (await serve(true))('/network/options', { network_identifier });
  expect(Object.keys(compat.allow)).toEqual([
    'operation_statuses',
    'operation_types',
    'errors',
    'historical_balance_lookup',
  ]);
  expect(compat.allow.errors).toHaveLength(45);
  expect(compat.version.rosetta_version).toBe('1.4.6');
});

test.each([
  [{}, 613],
  [{ network_identifier: {} }, 617],
  [{ network_identifier: { blockchain: 'stacks' } }, 618],
  [{ network_identifier: { blockchain: 'bitcoin', network: 'testnet' } }, 611],
  [{ network_identifier: { blockchain: 'stacks', network: 'mainnet' } }, 610],
  [{ network_identifier: 5 }, 609],
  [{ network_identifier, more: 1 }, 609],
  [[], 609],
  ['5', 609],
  ['{bad', 609],
])('refuses %j with %i', async (body, code) => {
  const { status, body: answer } = await (await serve())('/network/options', body);
  expect(status).toBe(500);
  expect(answer).toMatchObject({ code, retriable: false, message: expect.any(String) });
});

test('names the missing property', async () => {
  const { body } = await (await serve())('/network/options', {});
  expect(body.details).toEqual({ message: "the body must have required property 'network_identifier'" });
});

test('reads any body as JSON', async () => {
  const { status } = await (await serve())('/network/options', JSON.stringify({ network_identifier }), 'text/plain');
  expect(status).toBe(200);
});

test('a body that is no JSON is our own failure only for clients of the incumbent', async () => {
  const { status, body } = await (await serve(true))('/network/options', '{bad');
  expect([status, Object.keys(body)]).toEqual([500, ['error']]);
});

test('refuses bodies that are too large with an error object', async () => {
  const { status, body } = await (await serve())('/network/options', {
    network_identifier,
    metadata: { x: 'x'.repeat(3000) },
  });
  expect([status, body.code, body.retriable]).toEqual([500, 609, false]);
});

test('marks retriable errors, and hides internal details', async () => {
  const ask = await serve();
  const answers = await Promise.all(['database', 'block', 'bug'].map(how => ask('/fail', { network_identifier, how })));
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [500, { code: 646, message: 'Service unavailable.', retriable: true, details: expect.any(Object) }],
    [500, { code: 605, message: 'Block not found.', retriable: true, details: expect.any(Object) }],
    [500, { code: 612, message: 'Unknown error.', retriable: false }],
  ]);
});

test('unknown paths have their own error, and every response has an ETag', async () => {
  const { status, body, headers } = await (await serve())('/nope', {});
  expect([status, body]).toEqual([404, { message: 'POST /rosetta/v1/nope not found' }]);
  expect(headers.etag).toMatch(/^W\/"/);
});

test('a body of a million operations is refused before it holds up others, and says what to mend', async () => {
  const app = buildOfflineApi({ rosettaCompat: false, bodyLimit: 10_000_000, maxInFlight: 10 }, network, silent);
  const ask = (operations: string) =>
    app.inject({
      method: 'POST',
      url: '/rosetta/v1/construction/preprocess',
      headers: { 'content-type': 'application/json' },
      payload: `{"network_identifier":${JSON.stringify(network_identifier)},"operations":[${operations}]}`,
    });
  await ask('0');
  for (const item of ['0', '{}', '[]']) {
    const payload = Array(1_000_000).fill(item).join(',');
    const parsing = await cpuOf(() => JSON.parse(`[${payload}]`));
    let answer!: Awaited<ReturnType<typeof ask>>;
    const answering = await cpuOf(async () => {
      answer = await ask(payload);
    });
    // Checking all of them took seconds of the processor, in which nobody else was answered.
    expect(answering).toBeLessThan(10 * parsing + 1000);
    expect(answer.statusCode).toBe(500);
    expect(answer.json().details.message).toMatch(/more than 5000 values/);
  }
  const many = await ask(Array(101).fill('{}').join(','));
  expect(many.statusCode).toBe(500);
});
