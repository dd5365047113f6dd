import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { serveMetrics } from '../../src/api/metrics-server.ts';
import { runCli } from '../../src/commands/cli.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { addHook } from '../../src/webhooks/manage.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { serveChain } from '../support/served-chain.ts';
import { startReceiver } from './support/receiver.ts';
import { startWorld, webhookKey } from './support/world.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

function line(length: number) {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, length);
  return { chain, blocks, posted: [chain.genesis, ...blocks] };
}

/** The private port of a service with this database. */
async function startPort(t: Ending, { admin, database }: Awaited<ReturnType<typeof startWorld>>, token?: string) {
  const server = createServer(
    serveMetrics({
      metrics: createMetrics(),
      sql: database.sql,
      log: createLog({ level: 'silent', format: 'json' }),
      readiness: { sql: database.sql, readyMaxLag: 60 },
      admin: { sql: database.sql, token, webhooks: admin },
    }),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(base + path, { method, headers, ...text });
    const given = await response.text();
    return { status: response.status, body: path === '/metrics' ? given : JSON.parse(given) };
  };
  return ask;
}

test('the admin routes manage webhooks and refuse what cannot be', async t => {
  const { posted } = line(3);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  const ask = await startPort(t, world);
  const filter = { topics: ['transfers'], asset: 'STX' };
  const added = await ask('POST', '/admin/webhooks', { name: 'hook', url: receiver.url, start: 2, filter });
  expect(added).toMatchObject({ status: 201, body: { name: 'hook', state: 'active', block_height: 1, filter } });
  expect(added.body.secret).toMatch(/^whsec_/);
  const listed = await ask('GET', '/admin/webhooks');
  expect(listed.body.webhooks).toEqual(
    [{ ...added.body, secret: undefined }].map(hook => JSON.parse(JSON.stringify(hook))),
  );
  expect(JSON.stringify(listed.body)).not.toContain('whsec_');

  expect(await ask('POST', '/admin/webhooks/hook/test')).toMatchObject({
    ...{ status: 200, body: { name: 'hook', delivered: true, status: 204, error: null } },
  });
  const [{ body, headers, type }] = receiver.requests as [(typeof receiver.requests)[0]];
  expect(type).toBe('cairn.test');
  expect(new Webhook(added.body.secret).verify(body, headers as Record<string, string>)).toMatchObject({
    data: { hook: 'hook', version: 1 },
  });
  const { deliveries } = (await ask('GET', '/admin/webhooks/hook/deliveries?limit=1')).body;
  expect(deliveries).toMatchObject([{ kind: 'test', status: 204, error: null, webhook_id: headers['webhook-id'] }]);
  const before = await ask('GET', `/admin/webhooks/hook/deliveries?before=${deliveries[0].id}`);
  expect(before.body).toEqual({ deliveries: [] });

  expect((await ask('POST', '/admin/webhooks/hook/pause')).body.state).toBe('paused');
  expect((await ask('POST', '/admin/webhooks/hook/resume', { start: 0 })).body).toMatchObject({
    ...{ state: 'active', block_height: -1 },
  });
  const cases = [
    ['POST', '/admin/webhooks', { name: 'hook', url: receiver.url }, 409, 'exists: remove it first'],
    ['POST', '/admin/webhooks', { name: 'b', url: 'https://10.0.0.1/' }, 400, 'not a public address'],
    ['POST', '/admin/webhooks', { name: 'b', url: receiver.url, start: 99 }, 400, 'above the next block'],
    ['POST', '/admin/webhooks', { name: 'b', url: receiver.url, start: 'A'.repeat(76) }, 400, 'position'],
    ['POST', '/admin/webhooks', '{', 400, 'not JSON'],
    [
      'POST',
      '/admin/webhooks',
      { name: 'b', url: `${receiver.url}?${'x'.repeat(10_000)}` },
      413,
      'more than 10000 bytes',
    ],
    ['GET', '/admin/webhooks/nobody', undefined, 404, 'no webhook with the name nobody'],
    ['DELETE', '/admin/webhooks/nobody', undefined, 404, 'no webhook'],
    ['POST', '/admin/webhooks/nobody/pause', undefined, 404, 'no webhook'],
    ['POST', '/admin/webhooks/nobody/test', undefined, 404, 'no webhook'],
    ['POST', '/admin/webhooks/nobody/redeliver', { from: 1, to: 2 }, 404, 'no webhook'],
    ['POST', '/admin/webhooks/hook/redeliver', { from: 1, to: 2 }, 400, 'received blocks up to -1'],
    ['POST', '/admin/webhooks/hook/resume', { begin: 1 }, 400, 'expected {"start"?}'],
    ['POST', '/admin/webhooks/hook/explode', undefined, 405, 'expected GET or POST /admin/webhooks'],
    ['PUT', '/admin/webhooks/hook', {}, 405, 'expected'],
    ['GET', '/admin/webhooks/hook/deliveries?limit=0', undefined, 400, 'limit'],
    ['GET', '/admin/webhooks/hook/deliveries?before=x', undefined, 400, 'before'],
  ] as const;
  for (const [method, path, given, status, words] of cases) {
    const refused = await ask(method, path, given);
    expect([path, refused.status, refused.body.message]).toEqual([path, status, expect.stringContaining(words)]);
  }
  expect((await ask('GET', '/admin/webhooks', undefined, { origin: 'http://a.example' })).status).toBe(403);
  expect(await ask('DELETE', '/admin/webhooks/hook')).toEqual({ status: 200, body: { name: 'hook', removed: true } });
  const locked = await startPort(t, world, 'a token of the operator');
  expect((await locked('GET', '/admin/webhooks')).status).toBe(401);
  const authorization = 'Bearer a token of the operator';
  expect((await locked('GET', '/admin/webhooks', undefined, { authorization })).body).toEqual({ webhooks: [] });
});

test('metrics tell how far webhooks are and since when they fail', async t => {
  const { posted } = line(3);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t, () => 500);
  await world.add(receiver.url, { name: 'failing' });
  await world.add(receiver.url, { name: 'fresh', start: 'now' });
  await world.startWorker();
  await world.inState('failing', 'failing');
  const ask = await startPort(t, world);
  const text = (await ask('GET', '/metrics')).body as string;
  const sampleOf = (series: string) =>
    Number(
      text
        .split('\n')
        .find(row => row.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  expect(sampleOf('cairn_webhooks{state="active"}')).toBe(1);
  expect(sampleOf('cairn_webhooks{state="failing"}')).toBe(1);
  expect(sampleOf('cairn_webhook_failing_seconds{hook="failing"}')).toBeGreaterThan(0);
  expect(sampleOf('cairn_webhook_failing_seconds{hook="fresh"}')).toBe(0);
  expect(sampleOf('cairn_webhook_backlog_blocks{hook="failing"}')).toBe(3);
  expect(sampleOf('cairn_webhook_backlog_blocks{hook="fresh"}')).toBe(0);
});

test('the API tells names and states of webhooks, and no URL', async t => {
  const { posted } = line(2);
  const { get, database } = await serveChain(t, posted);
  const world = await startWorld(t, []);
  expect(await get('/extended/v1/status/webhooks')).toEqual({ webhooks: [] });
  await addHook({ ...world.admin, sql: database.sql }, { name: 'shop', url: 'https://example.org/token', start: 2 });
  expect(await get('/extended/v1/status/webhooks')).toEqual({
    webhooks: [{ name: 'shop', state: 'active', block_height: 1, backlog_blocks: 1, delivered_at: null }],
  });
});

test('cairn webhooks does the same from the command line', async t => {
  const { posted } = line(3);
  const world = await startWorld(t, posted);
  const receiver = await startReceiver(t);
  const env = {
    ...{ DATABASE_URL: world.database.url, CAIRN_WEBHOOK_KEY: webhookKey, CAIRN_WEBHOOK_ALLOW: '127.0.0.1' },
  };
  const cairn = async (...args: string[]) => {
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
      return { code: await runCli(['webhooks', ...args], env), ...printed };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };
  expect((await cairn('list')).out).toBe('there are no webhooks\n');
  const added = await cairn(
    'add',
    'hook',
    receiver.url,
    '--topics',
    'blocks,transfers',
    '--start',
    '1',
    '--batch',
    '2',
  );
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(added.out).toMatch(/^hook {2}active {2}block -1 {2}3 to go {2}http.*\nsecret whsec_.*\nkeep the secret/);
  expect((await cairn('test', 'hook')).out).toContain('the receiver responded with status 204');
  await world.startWorker();
  await world.caughtUp();
  expect(receiver.heights()).toEqual([1, 2, 3]);
  expect((await cairn('log', 'hook')).out).toContain('2 messages of blocks 1 to 2');
  expect(JSON.parse((await cairn('show', 'hook')).out)).toMatchObject({ name: 'hook', batch: 2, deliveries: 2 });
  expect((await cairn('redeliver', 'hook', '--from', '2', '--to', '9')).out).toContain(
    'the blocks 2 to 3 are delivered',
  );
  expect((await cairn('pause', 'hook')).out).toContain('paused');
  expect((await cairn('resume', 'hook', '--start', 'now')).out).toContain('active');
  expect(JSON.parse((await cairn('list', '--json')).out)).toMatchObject({ name: 'hook', state: 'active' });
  receiver.answer = () => 500;
  const cases = [
    [['test', 'hook'], 'the request did not arrive: the receiver responded with status 500'],
    [['add', 'hook', receiver.url], 'a webhook with the name hook exists'],
    [['add', 'b', 'https://[::1]/'], '::1 is refused'],
    [['add', 'b', receiver.url, '--topics', 'nothing'], 'filter.topics.0'],
    [['add', 'b', receiver.url, '--batch', 'many'], '--batch expects a number'],
    [['add', 'b'], 'cairn webhooks add expects NAME URL'],
    [['pause', 'nobody'], 'there is no webhook with the name nobody'],
    [['redeliver', 'hook'], 'expects --from HEIGHT and --to HEIGHT'],
    [['list', '--from', '1'], '--from does not belong to cairn webhooks list'],
    [['explode'], 'expects one of add, list'],
  ] as const;
  for (const [args, words] of cases)
    expect(await cairn(...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  expect((await cairn('--help')).out).toContain('usage: cairn webhooks add NAME URL | add --chainhook FILE | list');
  expect((await cairn('remove', 'hook')).out).toBe('hook is removed\n');
});
