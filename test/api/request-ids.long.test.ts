import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterShapes, statementName } from '../../src/db/statement-name.ts';
import { testDatabase } from '../support/database.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { until } from '../support/service.ts';
import { StubNode } from '../support/stub-node.ts';

const ends: (() => Promise<void>)[] = [];
const file = { onTestFinished: (end: () => Promise<void>) => void ends.unshift(end) };
const node = new StubNode();
/** Every statement of this service is slow. */
let service: RunningService;
/** Exports its traces to `collected`. */
let traced: RunningService;
type Span = { name: string; traceId: string; spanId: string; parentSpanId?: string };
const collected: Span[] = [];

const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const principal = 'ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM';

beforeAll(async () => {
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      const { resourceSpans } = JSON.parse(body) as Export;
      collected.push(...resourceSpans.flatMap(each => each.scopeSpans.flatMap(({ spans }) => spans)));
      response.end('{}');
    });
  });
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve));
  file.onTestFinished(async () => {
    collector.closeAllConnections();
    collector.close();
  });
  const { port } = collector.address() as AddressInfo;
  const { url } = await testDatabase(file);
  await node.start();
  file.onTestFinished(() => node.stop());
  const shared = { DATABASE_URL: url, CAIRN_NETWORK: 'testnet', CAIRN_DEVNET: 'false', CAIRN_NODES: node.url };
  [service, traced] = await Promise.all([
    startService(file, { ...shared, CAIRN_REQUEST_LOG: 'true', CAIRN_SLOW_QUERY_MS: '1', CAIRN_QUERY_TIMEOUT: '5' }),
    startService(file, {
      ...{ ...shared, CAIRN_ROLE: 'api' },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '50' },
    }),
  ]);
});

afterAll(async () => {
  for (const end of ends) await end();
});

const ask = (path: string, headers: Record<string, string> = {}, from = service) =>
  fetch(`${from.addresses.api}${path}`, { headers });

type Line = { part?: string; msg: string; request_id?: string; trace_id?: string; [field: string]: unknown };
const linesOf = (id: string) => (service.lines() as unknown as Line[]).filter(line => line.request_id === id);

test('a request is followed by its id through the log lines of the API, of the proxy and of slow statements', async () => {
  const id = 'mobile-7f:42';
  const traceparent = `00-${trace}-${parent}-01`;
  const url = `/extended/v1/tx/mempool?sender_address=${principal}`;
  const read = await ask(url, { 'x-request-id': id, traceparent });
  expect([read.status, read.headers.get('x-request-id')]).toEqual([200, id]);
  const proxied = await ask('/v2/info', { 'x-request-id': id, traceparent, tracestate: 'vendor=1' });
  expect([proxied.status, proxied.headers.get('x-request-id')]).toEqual([200, id]);
  const lines = await until(async () => (linesOf(id).length >= 4 ? linesOf(id) : undefined));
  const named = (msg: string) => lines.filter(line => line.msg === msg);
  expect(named('request').map(({ level, time, msg, ms, method, request_id, ...line }) => line)).toEqual([
    { part: 'api', url, status: 200, trace_id: trace },
    { part: 'api', url: '/v2/info', status: 200, trace_id: trace },
  ]);
  expect(named('call of a node')).toMatchObject([{ part: 'nodes', node: 'node-1', outcome: 200, trace_id: trace }]);
  const [slow] = named('slow statement');
  expect(slow).toMatchObject({
    part: 'database',
    statement: expect.stringMatching(/^\w+ \w+ [0-9a-f]{8}$/),
    ms: expect.any(Number),
    parameters: expect.arrayContaining([expect.stringMatching(/^(text|bytes|array|number)/)]),
    text: expect.stringContaining('$1'),
  });
  expect(JSON.stringify(named('slow statement'))).not.toContain(principal);
  // The node can log the same id and trace.
  const reached = node.requests.find(({ url, headers }) => url === '/v2/info' && headers['x-request-id'] === id);
  expect(reached?.headers).toMatchObject({ traceparent, tracestate: 'vendor=1' });
});

test('a request without a usable id gets one, also where its response is cached', async () => {
  const ids = new Set<string | null>();
  for (const given of ['', 'two words', 'x'.repeat(200), 'a"b']) {
    for (let i = 0; i < 2; i++)
      ids.add((await ask('/extended/v1/status', { 'x-request-id': given })).headers.get('x-request-id'));
  }
  expect(ids.size).toBe(8);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  // A trace context that is not valid goes no further.
  await ask('/v2/pox', { 'x-request-id': 'bad-trace', traceparent: `00-${'0'.repeat(32)}-${parent}-01` });
  const reached = node.requests.find(({ headers }) => headers['x-request-id'] === 'bad-trace');
  expect(reached?.headers.traceparent).toBeUndefined();
});

test('spans of requests, node calls and statements are exported below the span of the client', async () => {
  const traceparent = `00-${trace}-${parent}-01`;
  await ask(`/extended/v1/address/${principal}/balances`, { traceparent }, traced);
  await ask('/v2/info', { traceparent, 'x-request-id': 'traced' }, traced);
  const spans = await until(async () => {
    const found = collected.filter(({ traceId }) => traceId === trace);
    return found.some(({ name }) => name === 'call of a node') && found.length >= 4 ? found : undefined;
  });
  const servers = spans.filter(({ parentSpanId }) => parentSpanId === parent);
  expect(servers.map(({ name }) => name).sort()).toEqual(['GET /extended/v1/address/:principal/balances', 'GET /v2/*']);
  const below = (name: RegExp) => spans.find(span => name.test(span.name));
  expect(servers.map(({ spanId }) => spanId)).toContain(below(/^call of a node/)?.parentSpanId);
  expect(servers.map(({ spanId }) => spanId)).toContain(below(/^(select|with) /)?.parentSpanId);
  // The node gets the span of this service as its parent.
  const reached = node.requests.find(({ headers }) => headers['x-request-id'] === 'traced');
  const own = servers.find(({ name }) => name === 'GET /v2/*');
  expect(reached?.headers.traceparent).toBe(`00-${trace}-${own?.spanId}-01`);
});

test('names of statements are stable, and shapes of parameters have no values', () => {
  const text = 'select b.hash from blocks b where b.height = $1';
  expect(statementName(text)).toMatch(/^select blocks [0-9a-f]{8}$/);
  expect(statementName(text)).toBe(statementName(text));
  expect(statementName('select 1')).toMatch(/^select [0-9a-f]{8}$/);
  expect(parameterShapes(['SP123', '42', '-1', null, Buffer.from('abc'), '{1,2}'])).toEqual([
    ...['text(5)', 'number', 'number', 'null', 'bytes(3)', 'array(5 characters)'],
  ]);
});
