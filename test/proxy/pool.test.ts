import { expect, test } from 'vitest';
import { renderPool } from '../../src/proxy/pool/status.ts';
import { impatient, objectOf, startProxy } from '../support/proxy.ts';
import { until } from '../support/service.ts';
import { type Fault, startNodes } from '../support/stub-node.ts';

test('an answer says which node gave it and how high that node is, and nothing else of the node', async t => {
  const [node] = await startNodes(t, 1);
  node!.answers['/v2/pox'] = () => ({
    headers: {
      ...{ 'content-type': 'application/json', server: 'nginx on 10.1.2.3', 'set-cookie': 'a=b' },
      ...{ 'access-control-allow-origin': 'https://elsewhere', 'keep-alive': 'timeout=5', 'x-internal': '10.1.2.3' },
    },
    body: '{"ok":true}',
  });
  const { get } = await startProxy(t, [node!], { options: ['|name=east'] });
  const response = await get('/v2/pox');
  expect(await response.json()).toEqual({ ok: true });
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    'x-stacks-node': 'east',
    'x-stacks-node-height': '100',
    'access-control-allow-origin': '*',
    'content-type': 'application/json',
  });
  expect(headers).not.toHaveProperty('server');
  expect(headers).not.toHaveProperty('set-cookie');
  expect(JSON.stringify(headers)).not.toContain('10.1.2.3');
});

test.each<Fault>(['cut', 'html', 'html as json', 'garbage', 'error', 'redirect'])(
  'a read that one node answers with %s is answered by another',
  async fault => {
    const ending: (() => Promise<void>)[] = [];
    const t = { onTestFinished: (work: () => Promise<void>) => void ending.push(work) };
    try {
      const [bad, good] = await startNodes(t, 2);
      bad!.fault = fault;
      // The bad one is asked first: it weighs far more.
      const { get } = await startProxy(t, [bad!, good!], { options: ['|weight=1000'], pool: { hedgeDelayMs: 5000 } });
      const response = await get('/v2/pox');
      expect([response.status, response.headers.get('x-stacks-node')]).toEqual([200, 'node-2']);
      expect(await response.json()).toMatchObject({ path: '/v2/pox' });
      expect(bad!.paths).toEqual(['GET /v2/pox']);
    } finally {
      for (const work of ending.reverse()) await work();
    }
  },
);

test.each<[Fault, number]>([
  ['cut', 502],
  ['html', 502],
  ['html as json', 502],
  ['garbage', 502],
  ['error', 502],
  ['redirect', 502],
  ['hang', 504],
  ['drip', 504],
])('when every node answers with %o the client gets %i in JSON, without their words', async (fault, status) => {
  const ending: (() => Promise<void>)[] = [];
  const t = { onTestFinished: (work: () => Promise<void>) => void ending.push(work) };
  try {
    const nodes = await startNodes(t, 2);
    const { get } = await startProxy(t, nodes, { pool: status === 504 ? impatient : {} });
    for (const node of nodes) node.fault = fault;
    const response = await get('/v2/pox');
    const body = await objectOf(response);
    expect([response.status, body.statusCode]).toEqual([status, status]);
    expect(JSON.stringify(body)).not.toMatch(/10\.1\.2\.3|127\.0\.0\.1|panicked/);
  } finally {
    for (const work of ending.reverse()) await work();
  }
});

test('unavailable nodes are not called, and are called again when they return', async t => {
  const nodes = await startNodes(t, 2);
  const { get, pool } = await startProxy(t, nodes);
  await nodes[0]!.stop();
  await Promise.all(Array.from({ length: 20 }, async () => expect((await get('/v2/pox')).status).toBe(200)));
  await until(() => pool.nodes[0]!.health.state === 'down');
  expect((await get('/v2/pox')).headers.get('x-stacks-node')).toBe('node-2');
  await nodes[1]!.stop();
  await until(() => pool.nodes[1]!.health.state === 'down');
  const refused = await get('/v2/pox');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await objectOf(refused)).message).toContain('No node can be reached');
  await nodes[0]!.start();
  await until(async () => (await get('/v2/pox')).status === 200);
});

test('a node that hangs costs a hedge, is ejected, and comes back', async t => {
  const nodes = await startNodes(t, 2);
  const { get, pool } = await startProxy(t, nodes, { options: ['|weight=1000'], pool: { checkTimeoutMs: 1000 } });
  nodes[0]!.fault = 'hang';
  nodes[0]!.faultyChecks = true;
  const answers = await Promise.all(Array.from({ length: 8 }, () => get('/v2/pox')));
  expect(new Set(answers.map(answer => answer.headers.get('x-stacks-node')))).toEqual(new Set(['node-2']));
  expect(pool.nodes[0]!.breaker.open || pool.nodes[0]!.health.state === 'down').toBe(true);
  expect(pool.nodes[0]!.inFlight).toBe(0);
  await until(() => nodes[0]!.requests.every(request => request.aborted));
  nodes[0]!.fault = undefined;
  await until(async () => (await get('/v2/pox')).headers.get('x-stacks-node') === 'node-1');
});

test('requests that a node fails by themselves do not eject it: a client can provoke those', async t => {
  const [node] = await startNodes(t, 1);
  node!.answers['/v2/bad'] = () => ({ status: 500, body: 'no' });
  const { get, pool } = await startProxy(t, [node!]);
  for (let i = 0; i < 10; i++) expect((await get('/v2/bad')).status).toBe(502);
  expect(pool.nodes[0]!.breaker.open).toBe(false);
  expect((await get('/v2/pox')).status).toBe(200);
});

test('a node that is behind is called only if there is no other', async t => {
  const nodes = await startNodes(t, 3);
  nodes[0]!.height = 80;
  const { get, pool } = await startProxy(t, nodes, { options: ['|weight=1000'] });
  for (let i = 0; i < 10; i++) expect((await get('/v2/pox')).headers.get('x-stacks-node')).not.toBe('node-1');
  expect(renderPool(pool).nodes.map(({ state, lag }) => [state, lag])).toEqual([
    ['behind', 20],
    ['healthy', 0],
    ['healthy', 0],
  ]);
  await Promise.all([nodes[1]!.stop(), nodes[2]!.stop()]);
  const response = await get('/v2/pox');
  expect([response.status, response.headers.get('x-stacks-node-height')]).toEqual([200, '80']);
});

test('a node that claims a height it cannot show is doubted; one that shows the block is believed', async t => {
  const nodes = await startNodes(t, 3);
  nodes[0]!.height = 1_000_000;
  nodes[0]!.answers['/v3/blocks/height/1000000'] = () => ({ status: 404, body: 'no' });
  const { get, pool } = await startProxy(t, nodes, { options: ['|weight=1000'] });
  const liar = pool.nodes[0]!;
  await until(() => liar.health.state === 'up' && !liar.health.believed && pool.best === 100);
  expect(renderPool(pool).nodes.map(({ state }) => state)).toEqual(['doubted', 'healthy', 'healthy']);
  expect((await get('/v2/pox')).headers.get('x-stacks-node-height')).toBe('100');
  nodes[0]!.answers['/v3/blocks/height/1000000'] = () => ({
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(10),
  });
  await until(() => pool.best === 1_000_000);
  expect(renderPool(pool).nodes.map(({ state }) => state)).toEqual(['healthy', 'behind', 'behind']);
});

test('the index is a witness too: a lone node cannot lie', async t => {
  const [node] = await startNodes(t, 1);
  node!.height = 1_000_000;
  node!.answers['*'] = () => ({ status: 404, body: 'no' });
  const { pool } = await startProxy(t, [node!], { pool: { indexHeight: () => 90 } });
  expect(renderPool(pool)).toMatchObject({ best_height: null, nodes: [{ state: 'doubted' }] });
});

test('a node of another network is not called', async t => {
  const nodes = await startNodes(t, 2);
  nodes[0]!.chainId = 1;
  const { get, pool } = await startProxy(t, nodes, { options: ['|weight=1000'] });
  expect((await get('/v2/pox')).headers.get('x-stacks-node')).toBe('node-2');
  expect(renderPool(pool).nodes[0]).toMatchObject({ state: 'down', reason: 'it is on another network' });
});

test('weights share the load', async t => {
  const nodes = await startNodes(t, 2);
  for (const node of nodes) node.fault = { delayMs: 10 };
  const { get } = await startProxy(t, nodes, { options: ['|weight=3'], pool: { hedgeDelayMs: 2000 } });
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 24 }, () => get('/v2/pox')));
  const [heavy, light] = nodes.map(node => node.requests.length) as [number, number];
  expect(heavy).toBeGreaterThan(light * 1.5);
  expect(light).toBeGreaterThan(5);
});

test('when every connection of every node is busy, the rest is refused at once', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!], { pool: { connections: 2 } });
  node!.fault = 'hang';
  const open = [get('/v2/pox'), get('/v2/pox')];
  await until(() => node!.requests.length === 2);
  const refused = await get('/v2/pox');
  expect([refused.status, (await objectOf(refused)).message]).toEqual([
    503,
    'The nodes are busy; try again in a moment',
  ]);
  await node!.stop();
  for (const response of await Promise.all(open)) expect(response.status).toBe(502);
});

test('the state of the pool is public, its addresses and headers are not', async t => {
  const nodes = await startNodes(t, 2);
  await nodes[1]!.stop();
  const { get, metrics } = await startProxy(t, nodes, { options: ['|header=x-api-key:SECRET|auth=TOKEN'] });
  const text = await (await get('/extended/v1/status/nodes')).text();
  expect(JSON.parse(text)).toMatchObject({
    best_height: 100,
    healthy: 1,
    nodes: [
      {
        name: 'node-1',
        state: 'healthy',
        ejections: 0,
        height: 100,
        burn_height: 1000,
        lag: 0,
        peer_lag: 0,
        server_version: 'stub',
      },
      { name: 'node-2', state: 'down', reason: 'it cannot be reached', height: null },
    ],
  });
  expect(text).not.toMatch(/127\.0\.0\.1|SECRET|TOKEN/);
  await get('/v2/pox');
  const series = await metrics.registry.metrics();
  expect(series).toContain('cairn_node_healthy{node="node-1"} 1');
  expect(series).toContain('cairn_node_up{node="node-2"} 0');
  expect(series).toContain('cairn_node_calls_total{node="node-1",outcome="answered"} 1');
  expect(nodes[0]!.requests[0]!.headers).toMatchObject({ 'x-api-key': 'SECRET' });
  expect(nodes[0]!.requests[0]!.headers).not.toHaveProperty('authorization');
});
