import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { runCli } from '../../src/commands/cli.ts';
import { testDatabase } from '../support/database.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { until } from '../support/service.ts';
import { StubNode } from '../support/stub-node.ts';

const ends: (() => Promise<void>)[] = [];
const file = { onTestFinished: (end: () => Promise<void>) => void ends.unshift(end) };
const node = new StubNode();
let url = '';
/** Keys are optional in the first process and required in the second. */
let optional: RunningService;
let required: RunningService;

beforeAll(async () => {
  url = (await testDatabase(file)).url;
  await node.start();
  file.onTestFinished(() => node.stop());
  const shared = { DATABASE_URL: url, CAIRN_NETWORK: 'testnet', CAIRN_DEVNET: 'false', CAIRN_NODES: node.url };
  [optional, required] = await Promise.all([
    startService(file, { ...shared, CAIRN_API_KEYS: 'optional' }),
    startService(file, { ...shared, CAIRN_API_KEYS: 'required', CAIRN_ROLE: 'api' }),
  ]);
});

afterAll(async () => {
  for (const end of ends) await end();
});

/** Runs a command in this process, with what it prints. */
async function cairn(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const into = (key: 'out' | 'err') => (text: string | Uint8Array) => {
    printed[key] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  try {
    const code = await runCli(args, { DATABASE_URL: url });
    return { code, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const ask = (service: RunningService, path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.addresses.api}${path}`, { headers });

const addKey = async (...args: string[]) => (await cairn('keys', 'add', ...args)).out.trim();

test('a key opens every running process, and its revocation closes them', async () => {
  const key = await addKey('wallet');
  expect(key).toMatch(/^cairn_[\w-]{43}$/);
  const statuses = async (headers: Record<string, string>) =>
    Promise.all([optional, required].map(async service => (await ask(service, '/extended', headers)).status));
  await until(async () => (await statuses({ 'x-api-key': key })).every(status => status === 200));
  expect(await statuses({ authorization: `Bearer ${key}` })).toEqual([200, 200]);
  expect(await statuses({ 'x-hiro-api-key': key })).toEqual([200, 200]);
  expect(await statuses({ 'x-hiro-api-key': 'a key of another service' })).toEqual([200, 401]);
  expect(await statuses({})).toEqual([200, 401]);

  expect(await cairn('keys', 'revoke', 'wallet')).toMatchObject({ code: 0, out: 'wallet is revoked\n' });
  await until(async () => (await statuses({ 'x-api-key': key })).every(status => status === 401));
});

test('missing, malformed, unknown and revoked keys get 401 with the header that says how', async () => {
  const revoked = await addKey('gone');
  await cairn('keys', 'revoke', 'gone');
  const unknown = `cairn_${'A'.repeat(43)}`;
  const cases: [Record<string, string>, RegExp, RegExp][] = [
    [{}, /needs a key/, /^Bearer realm="Cairn API key", error_description="send an API key as x-api-key/],
    [{ 'x-api-key': 'abc' }, /malformed/, /error="invalid_token".*malformed/],
    [{ 'x-api-key': '' }, /malformed/, /error="invalid_token"/],
    [{ authorization: 'Bearer cairn_short' }, /malformed/, /error="invalid_token"/],
    [{ 'x-api-key': unknown }, /not known/, /error="invalid_token".*not known/],
    [{ 'x-api-key': revoked }, /revoked/, /error="invalid_token".*revoked/],
  ];
  await until(async () => /revoked/.test(await (await ask(required, '/extended', { 'x-api-key': revoked })).text()));
  // A cached response, the fast path to a node, and a path that does not exist.
  for (const path of ['/extended/v1/status', '/v2/info', '/nothing']) {
    for (const [headers, message, challenge] of cases) {
      const response = await ask(required, path, headers);
      expect([path, headers, response.status]).toEqual([path, headers, 401]);
      expect(response.headers.get('www-authenticate')).toMatch(challenge);
      expect(await response.json()).toMatchObject({ statusCode: 401, message: expect.stringMatching(message) });
    }
  }
  // Whoever sends a wrong key is told so, even where no key is needed.
  expect((await ask(optional, '/extended', { 'x-api-key': unknown })).status).toBe(401);
  for (const path of ['/healthz', '/readyz']) expect((await ask(required, path)).status).not.toBe(401);
  const preflight = await fetch(`${required.addresses.api}/extended`, { method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
});

test('a key has limits and metrics of its own, also on this machine and for cached responses', async () => {
  const small = await addKey('small', '--rate', '1', '--burst', '3');
  const large = await addKey('large', '--rate', '0');
  await until(async () => (await ask(required, '/extended', { 'x-api-key': large })).status === 200);
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await ask(required, '/extended', { 'x-api-key': small })).status);
  expect(statuses.slice(0, 1)).toEqual([200]);
  expect(statuses.slice(3)).toEqual([429, 429]);
  for (let i = 0; i < 5; i++) expect((await ask(required, '/extended', { 'x-api-key': large })).status).toBe(200);
  await ask(required, '/extended/v2/blocks?limit=3', { 'x-api-key': large });
  const metrics = await (await fetch(required.addresses.metrics!)).text();
  expect(metrics).toMatch(/cairn_api_key_requests_total\{key="small",outcome="limited"\} [234]\n/);
  expect(metrics).toMatch(/cairn_api_key_requests_total\{key="large",outcome="allowed"\} [6-9]\n/);
  expect(metrics).toMatch(/cairn_api_key_rejections_total\{reason="missing"\} \d+\n/);
  expect(metrics).toMatch(/cairn_api_key_work_seconds_total\{key="large"\}/);
  expect(metrics).not.toContain(small);
});

test('a WebSocket needs the key too, and ends when the key is revoked', async t => {
  const key = await addKey('socket');
  const address = `${required.addresses.api!.replace('http', 'ws')}/extended/v1/ws`;
  const open = (query: string, headers = {}) =>
    new Promise<WebSocket | number>((resolve, reject) => {
      const socket = new WebSocket(address + query, { headers });
      t.onTestFinished(() => socket.terminate());
      socket.once('open', () => resolve(socket));
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.once('error', reject);
    });
  expect(await open('')).toBe(401);
  const first = await until(async () => {
    const opened = await open(`?api_key=${key}`);
    return typeof opened === 'number' ? undefined : opened;
  });
  const second = await open('', { 'x-api-key': key });
  const closed = [first, second as WebSocket].map(socket => new Promise(resolve => socket.once('close', resolve)));
  const poll = () => fetch(`${required.addresses.api}/socket.io/?EIO=4&transport=polling`);
  expect((await poll()).status).toBe(401);
  await cairn('keys', 'revoke', 'socket');
  await Promise.all(closed);
});

test('no key reaches a node or the log', async () => {
  const key = await addKey('quiet');
  await until(async () => (await ask(required, '/v2/info', { authorization: `Bearer ${key}` })).status === 200);
  expect(JSON.stringify(node.requests)).not.toContain('cairn_');
  expect(JSON.stringify([...optional.lines(), ...required.lines()])).not.toContain(key);
});

test('the command lists keys without their hashes and rejects what it does not understand', async () => {
  await addKey('listed', '--rate', '5', '--open', '2');
  const { out } = await cairn('keys', 'list', '--json');
  const keys = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
  expect(keys.find(({ name }) => name === 'listed')).toEqual({
    ...{ name: 'listed', per_second: 5, burst: null, max_open: 2, hooks: false },
    ...{ created_at: expect.any(String), revoked_at: null },
  });
  const refused = [
    [['add', 'listed'], 'a key with the name listed is in use: revoke it first'],
    [['add', 'a b'], 'a b is not a name of a key'],
    [['add', 'x', '--rate', 'many'], '--rate expects a number'],
    [['revoke', 'nobody'], 'there is no key with the name nobody'],
    [['revoke'], 'cairn keys revoke expects NAME'],
    [['rotate', 'x'], 'cairn keys expects add, list or revoke'],
  ] as const;
  for (const [args, message] of refused) {
    const { code, err } = await cairn('keys', ...args);
    expect([args, code, err.includes(message)]).toEqual([args, 2, true]);
  }
});

test('admin routes are on the private port only, for this machine and not for web pages', async () => {
  const admin = optional.addresses.metrics!.replace('/metrics', '/admin/keys');
  const post = (body: string, headers = {}) => fetch(admin, { method: 'POST', body, headers });
  const made = await post('{"name":"by-http","per_second":7}');
  expect([made.status, ((await made.json()) as { key: string }).key]).toEqual([201, expect.stringMatching(/^cairn_/)]);
  expect((await post('{"name":"by-http"}')).status).toBe(409);
  expect((await post('{"name":"bad name"}')).status).toBe(400);
  expect((await post('{')).status).toBe(400);
  expect((await post('{"name":"evil"}', { origin: 'http://page.example' })).status).toBe(403);
  expect((await post('{"name":"evil"}', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
  expect(await (await fetch(admin)).json()).toMatchObject({
    keys: expect.arrayContaining([expect.objectContaining({ name: 'by-http', per_second: 7 })]),
  });
  expect((await fetch(`${admin}/by-http`, { method: 'DELETE' })).status).toBe(200);
  expect((await fetch(`${admin}/by-http`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(optional, '/admin/keys')).status).toBe(404);
  // A process that never writes has no admin routes.
  expect((await fetch(required.addresses.metrics!.replace('/metrics', '/admin/keys'))).status).toBe(404);
});
