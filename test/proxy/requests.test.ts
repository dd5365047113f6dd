import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { objectOf, startProxy } from '../support/proxy.ts';
import { until } from '../support/service.ts';
import { startNodes } from '../support/stub-node.ts';

/** Sends bytes as they are and gives what comes back until the connection ends or an answer is whole. */
function sendRaw(base: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', data => {
      text += data.toString('latin1');
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      const end = text.indexOf('\r\n\r\n');
      if (end > 0 && length !== undefined && text.length >= end + 4 + Number(length)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.setTimeout(120_000, () => socket.destroy(new Error(`a hung socket after ${text}`)));
  });
}

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

test('method, path, query and body reach the node as they are', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!]);
  await get('/v2/accounts/ST1?proof=0&tip=%20a');
  await get('/v3/anything/new');
  await get('/v2/contracts/call-read/ST1/name/is-ok%3F', { method: 'POST', body: '{"a":1}' });
  await get('/v2/contracts/call-read/ST1/name/a%2Fb%2A%3C', { method: 'POST', body: 'x' });
  await get('/v2/contracts/call-read/ST1.name/%2F', { method: 'POST', body: 'x' });
  await get('/v2/contracts/call-read/ST1.name/get-it/', { method: 'POST', body: 'x' });
  await get('/v2/map_entry/ST1/name/map', { method: 'POST' });
  expect(node!.paths).toEqual([
    'GET /v2/accounts/ST1?proof=0&tip=%20a',
    'GET /v3/anything/new',
    'POST /v2/contracts/call-read/ST1/name/is-ok%3F',
    'POST /v2/contracts/call-read/ST1/name/a%2Fb%2A%3C',
    'POST /v2/contracts/call-read/ST1/name/%2F',
    'POST /v2/contracts/call-read/ST1/name/get-it',
    'POST /v2/map_entry/ST1/name/map',
  ]);
  expect(node!.requests.map(({ body }) => body.toString())).toEqual(['', '', '{"a":1}', 'x', 'x', 'x', '']);
});

test('a node gets no headers but those it needs', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!], { proxy: { nodePaths: ['/v3/blocks/replay'] } });
  const headers = {
    ...{ authorization: 'client', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', 'x-api-key': 'k', te: 'trailers' },
    ...{ 'content-type': 'application/json', accept: 'application/json' },
  };
  await get('/v2/map_entry/a/b/c', { method: 'POST', headers, body: '"00"' });
  const { host: _, ...sent } = node!.requests[0]!.headers;
  expect(sent).toEqual({
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': '4',
    connection: 'keep-alive',
  });
  await get('/v3/blocks/replay/00', { headers });
  expect(node!.requests[1]!.headers.authorization).toBe('client');
});

test.each([
  ['GET /v2//info', 400],
  ['GET //v2/info', 404],
  ['GET /v2/../extended', 400],
  ['GET /v2/./info', 400],
  ['GET /v2/%2e%2e/x', 400],
  ['GET /v2/.%2E', 400],
  ['GET /v2/a%2Fb', 400],
  ['GET /v2/a%5cb', 400],
  ['GET /v2/a\\b', 400],
  ['GET /v2/a%252e', 400],
  ['GET /v2/a%00', 400],
  ['GET /v2/a%0d%0aX:1', 400],
  ['GET /v2/%zz', 400],
  ['GET /v2/a#b', 400],
  ['GET /v2/é', 400],
  ['GET http://10.1.2.3/v2/info', 400],
  ['POST /v3/block_proposal', 403],
  ['POST /v3/block%5Fproposal', 403],
  ['POST /v3/blocks/upload/', 403],
  ['GET /v3/blocks/replay/00', 403],
  ['GET /v3/blocks/%72eplay/00', 403],
  ['POST /v2/microblocks', 403],
  ['POST /v2/blocks/upload/00', 403],
  ['POST /v3/contracts/fast-call-read/a/b/c', 403],
  ['POST /v3/transactions/simulate', 403],
  ['POST /v2/stackerdb/a/b/chunks', 403],
  ['PUT /v2/info', 404],
  ['DELETE /v2/info', 404],
])('%s is answered %i here and never reaches a node', async (line, status) => {
  const ending: (() => Promise<void>)[] = [];
  const t = { onTestFinished: (work: () => Promise<void>) => void ending.push(work) };
  try {
    const [node] = await startNodes(t, 1);
    const { base } = await startProxy(t, [node!]);
    const text = await sendRaw(base, `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    expect([line, statusOf(text)]).toEqual([line, status]);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toHaveProperty('error');
    expect(node!.requests).toEqual([]);
  } finally {
    for (const work of ending.reverse()) await work();
  }
});

test('a path meant for nodes is offered where the settings say so', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!], { proxy: { nodePaths: ['/v3/block_proposal'] } });
  expect((await get('/v3/block_proposal', { method: 'POST', body: 'x' })).status).toBe(200);
  expect((await get('/v3/blocks/upload', { method: 'POST', body: 'x' })).status).toBe(403);
});

test.each([
  'POST /v2/map_entry/a/b/c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v3/block_proposal HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /v2/map_entry/a/b/c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  'GET /v2/pox HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n',
  'GET /v2/pox HTTP/1.1\r\nHost : x\r\n\r\n',
])('a request that two servers could read in two ways is refused: %j', async bytes => {
  const ending: (() => Promise<void>)[] = [];
  const t = { onTestFinished: (work: () => Promise<void>) => void ending.push(work) };
  try {
    const [node] = await startNodes(t, 1);
    const { base } = await startProxy(t, [node!]);
    expect(statusOf(await sendRaw(base, bytes))).toBe(400);
    expect(node!.requests).toEqual([]);
  } finally {
    for (const work of ending.reverse()) await work();
  }
});

test('a body beyond the limit is rejected, with or without a declared length', async t => {
  const [node] = await startNodes(t, 1);
  const { get, base } = await startProxy(t, [node!]);
  const declared = await get('/v2/map_entry/a/b/c', { method: 'POST', body: 'x'.repeat(100_001) });
  expect([declared.status, (await objectOf(declared)).error]).toEqual([413, 'Payload Too Large']);
  const chunk = `${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`;
  const head = 'POST /v2/transactions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  expect(statusOf(await sendRaw(base, head + chunk.repeat(6)))).toBe(413);
  expect(node!.requests).toEqual([]);
});

test('a client that goes away is not waited for by the node', async t => {
  const [node] = await startNodes(t, 1);
  const { base, pool } = await startProxy(t, [node!]);
  node!.fault = 'hang';
  const socket: Socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write('GET /v2/pox HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => node!.requests.length === 1);
  socket.destroy();
  await until(() => node!.requests[0]!.aborted);
  expect([pool.nodes[0]!.inFlight, pool.open, pool.nodes[0]!.counts.failed]).toEqual([0, 0, {}]);
});

test('a large answer is passed on piece by piece, at the pace of the client', async t => {
  const [node] = await startNodes(t, 1);
  const body = Buffer.alloc(6_000_000, 'stacks');
  node!.answers['/v3/tenures/x'] = () => ({ headers: { 'content-type': 'application/octet-stream' }, body });
  const { get } = await startProxy(t, [node!]);
  const response = await get('/v3/tenures/x');
  expect(response.headers.get('content-length')).toBe('6000000');
  expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
});

test('a large answer that is cut off ends the connection, so that nobody takes it for whole', async t => {
  const [node] = await startNodes(t, 1);
  node!.answers['/v3/tenures/x'] = () => ({ headers: { 'content-length': '9000000' }, body: Buffer.alloc(500_000) });
  const { get } = await startProxy(t, [node!]);
  const response = await get('/v3/tenures/x');
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
});

test('an answer beyond the limit is refused', async t => {
  const [node] = await startNodes(t, 1);
  node!.answers['*'] = () => ({ body: Buffer.alloc(30_000) });
  const { get } = await startProxy(t, [node!], { pool: { responseLimit: 20_000 } });
  expect((await get('/v3/tenures/x')).status).toBe(502);
});

test("a node's refusals are passed on", async t => {
  const [node] = await startNodes(t, 1);
  node!.answers['*'] = () => ({ status: 404, headers: { 'content-type': 'text/plain' }, body: 'No contract' });
  const { get } = await startProxy(t, [node!]);
  const response = await get('/v2/contracts/source/a/b');
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    404,
    'text/plain',
    'No contract',
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('answers that differ have different ETags, also where a checksum does not tell them apart', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!]);
  const etags: (string | null)[] = [];
  // Their crc32 is the same.
  for (const balance of ['0x00000000000000000000017bf002784b', '0x00000000000000000000012fabaeae9c']) {
    node!.answers['/v2/pox'] = () => ({ body: `{"balance":"${balance}","nonce":1}` });
    etags.push((await get('/v2/pox')).headers.get('etag'));
  }
  expect(new Set(etags).size).toBe(2);
});

test('answers of the tip have an ETag, blocks are immutable, the rest is not stored', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!]);
  const cache = async (path: string) => (await get(path)).headers.get('cache-control');
  const first = await get('/v2/pox');
  const etag = first.headers.get('etag')!;
  expect([etag.startsWith('"n-'), first.headers.get('cache-control')]).toEqual([
    true,
    'public, no-cache, must-revalidate',
  ]);
  const second = await get('/v2/pox', { headers: { 'if-none-match': etag } });
  expect([second.status, await second.text()]).toEqual([304, '']);
  node!.height++;
  expect((await get('/v2/pox', { headers: { 'if-none-match': etag } })).status).toBe(200);
  expect(await cache(`/v3/blocks/${'a'.repeat(64)}`)).toBe('public, max-age=31536000, immutable');
  expect(await cache('/v2/neighbors')).toBe('no-store');
  node!.answers['/v2/pox'] = () => ({ headers: { 'cache-control': 'max-age=3' }, body: '{}' });
  expect(await cache('/v2/pox')).toBe('max-age=3');
});

test('HEAD has the headers of GET and no body', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!]);
  const response = await get('/v2/pox', { method: 'HEAD' });
  expect([response.status, Number(response.headers.get('content-length')) > 10, await response.text()]).toEqual([
    200,
    true,
    '',
  ]);
  expect(node!.paths).toEqual(['GET /v2/pox']);
});

test('a post that may change something is not sent twice, unless nothing was sent', async t => {
  const nodes = await startNodes(t, 2);
  const { get } = await startProxy(t, nodes, { options: ['|weight=1000'], pool: { checkMs: 60_000 } });
  nodes[0]!.fault = 'cut';
  expect((await get('/v2/something', { method: 'POST', body: 'x' })).status).toBe(502);
  expect(nodes[1]!.requests).toEqual([]);
  await nodes[0]!.stop();
  expect((await get('/v2/something', { method: 'POST', body: 'x' })).status).toBe(200);
});

test('without nodes the service says so', async t => {
  const { get } = await startProxy(t, []);
  const response = await get('/v2/pox');
  expect([response.status, (await objectOf(response)).message]).toEqual([
    503,
    'This service has no node behind it: set CAIRN_NODES',
  ]);
  const sent = await get('/v2/transactions', { method: 'POST', body: '{"tx":"no hex"}' });
  expect(sent.status).toBe(400);
});

test('/extended/v2/info has every field, also those that a node no longer reports', async t => {
  const [node] = await startNodes(t, 1);
  const { get } = await startProxy(t, [node!]);
  const response = await get('/extended/v2/info');
  expect(response.headers.get('x-stacks-node')).toBe('node-1');
  expect(Object.keys(await objectOf(response))).toEqual(
    expect.arrayContaining([
      ...['peer_version', 'pox_consensus', 'burn_block_height', 'stable_pox_consensus', 'stable_burn_block_height'],
      ...['server_version', 'network_id', 'parent_network_id', 'stacks_tip_height', 'stacks_tip'],
      ...['stacks_tip_consensus_hash', 'unanchored_tip', 'exit_at_block_height'],
    ]),
  );
  // The node of this test says null, and nothing of microblocks.
  expect(await objectOf(await get('/extended/v2/info'))).toMatchObject({ unanchored_tip: '', exit_at_block_height: 0 });
  expect(await objectOf(await get('/v2/info'))).not.toHaveProperty('unanchored_tip');
});
