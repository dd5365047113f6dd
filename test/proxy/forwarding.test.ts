import { once } from 'node:events';
import { createServer, type Server as HttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { createApp } from '../../src/app/app.ts';
import { storeIdentity } from '../../src/app/identity.ts';
import { readConfig } from '../../src/config/config.ts';
import { isForwarded } from '../../src/config/forwarding.ts';
import { createLog } from '../../src/log.ts';
import { testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { foldAll } from '../support/service.ts';
import { json, type StubNode, startNodes } from '../support/stub-node.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** The API on a database with one block, in front of a metadata service and a signer metrics service. */
async function startForwarding(t: Ending, urls: { metadata?: string; signers?: string }, more = {}) {
  const { sql, url } = await testDatabase(t);
  await storeIdentity(sql, parseNetwork('testnet')!, false);
  await foldAll({ sql, url }, [testChain({ seed: 1 }).genesis]);
  const { config } = readConfig({
    ...{ CAIRN_API_PORT: '0', CAIRN_METRICS_PORT: '0', CAIRN_ROLE: 'api', DATABASE_URL: url },
    ...{ CAIRN_METADATA_URL: urls.metadata, CAIRN_SIGNER_METRICS_URL: urls.signers },
    ...more,
  });
  const app = createApp(config, createLog({ level: 'silent', format: 'json' }), error => {
    throw error;
  });
  t.onTestFinished(() => app.stop());
  const { addresses } = await app.start();
  const base = addresses.api!;
  const get = (path: string, init?: RequestInit) => fetch(base + path, { redirect: 'manual', ...init });
  const series = async (name: string) => {
    const text = await (await fetch(addresses.metrics!)).text();
    return text.split('\n').filter(line => line.startsWith(name));
  };
  return { app, base, config, get, series };
}

async function startServices(t: Ending): Promise<{ service: StubNode; urls: { metadata: string } }> {
  const [service] = await startNodes(t, 1);
  return { service: service!, urls: { metadata: `${service!.url}/base|header=x-api-key:secret` } };
}

/** A server with Socket.IO below the path of signer metrics. */
async function startSignerSockets(t: Ending): Promise<{ server: HttpServer; url: string; sockets: Server }> {
  const server = createServer((_, response) => void response.writeHead(404).end());
  const sockets = new Server(server, { path: '/signer-metrics/socket.io/' });
  sockets.of('/block-proposals').on('connection', socket => {
    socket.emit('blockProposal', { block_hash: '0xab' });
    socket.on('echo', (value: unknown, reply: (value: unknown) => void) => reply(value));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await sockets.close();
  });
  return { server, sockets, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('requests below the prefix reach the service, with few headers and the key of the operator', async t => {
  const { service, urls } = await startServices(t);
  service.answers['/base/metadata/v1/ft'] = () => ({
    headers: {
      ...{ 'content-type': 'application/json', etag: '"1"', 'cache-control': 'public, no-cache', 'set-cookie': 'a=b' },
      ...{ server: 'secret 1.0', 'access-control-allow-origin': 'https://other' },
    },
    body: '{"total":1}',
  });
  const { get, series, config } = await startForwarding(t, urls);
  const sent = { authorization: 'Bearer x', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', 'if-none-match': '"0"' };
  const response = await get('/metadata/v1/ft?name=a%20b&limit=1', { headers: sent });
  expect(await response.json()).toEqual({ total: 1 });
  const { headers } = response;
  expect(headers.get('etag')).toBe('"1"');
  expect(headers.get('cache-control')).toBe('public, no-cache');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  for (const name of ['set-cookie', 'server', 'x-stacks-node']) expect(headers.get(name)).toBeNull();
  const [first] = service.requests;
  expect(first!.url).toBe('/base/metadata/v1/ft?name=a%20b&limit=1');
  expect(first!.headers).toMatchObject({ 'if-none-match': '"0"', 'x-api-key': 'secret' });
  for (const name of ['authorization', 'cookie', 'x-forwarded-for']) expect(first!.headers).not.toHaveProperty(name);

  await get('/metadata');
  await get('/metadata/v1/nft/SP1.a/1', { method: 'HEAD' });
  expect(service.paths.slice(1)).toEqual(['GET /base/metadata', 'GET /base/metadata/v1/nft/SP1.a/1']);
  expect(await series('cairn_forwarded_requests_total')).toEqual([
    'cairn_forwarded_requests_total{service="metadata",outcome="answered"} 3',
  ]);
  expect(isForwarded(config, 'metadata')).toBe(true);
  expect(isForwarded(config, 'signer-metrics')).toBe(false);
  // The other service is not forwarded.
  expect((await get('/signer-metrics/other')).status).toBe(404);
});

test('statuses of the service are passed on: not modified, not found, not ready, too many requests', async t => {
  const { service, urls } = await startServices(t);
  const { get } = await startForwarding(t, urls);
  service.answers['*'] = () => ({ status: 304, headers: { etag: '"1"' }, body: '' });
  const unmodified = await get('/metadata/v1/ft', { headers: { 'if-none-match': '"1"' } });
  expect([unmodified.status, unmodified.headers.get('etag')]).toEqual([304, '"1"']);
  for (const status of [404, 422]) {
    service.answers['*'] = () => json({ error: 'Token not found' }, status);
    const response = await get('/metadata/v1/ft/SP1.a');
    expect([response.status, await response.json()]).toEqual([status, { error: 'Token not found' }]);
  }
  service.answers['*'] = () => ({ status: 429, headers: { 'retry-after': '7' }, body: '{}' });
  const limited = await get('/metadata/v1/ft');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
});

test('other methods and disguised paths do not reach the service', async t => {
  const { service, urls } = await startServices(t);
  const { base, get } = await startForwarding(t, urls);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    expect((await get('/metadata/v1/ft', { method })).status).toBe(404);
  }
  const statusOf = async (path: string) => {
    const sent = request(base, { path }).end();
    const [{ statusCode }] = await once(sent, 'response');
    return statusCode as number;
  };
  for (const path of ['/metadata/../v2/info', '/metadata/%2e%2e/admin', '/metadata/a%2f..', '/metadata//x']) {
    expect(await statusOf(path), path).toBe(400);
  }
  expect(service.requests).toEqual([]);
});

test('a service that fails gives 502 or 504 that say what to do, and reads are repeated once', async t => {
  const { service, urls } = await startServices(t);
  const { get, series } = await startForwarding(t, urls);
  const failure = async (ask = get) => {
    const response = await ask('/metadata/v1/ft');
    const { message } = (await response.json()) as { message: string };
    return [response.status, message];
  };
  for (const fault of ['error', 'html', 'cut', 'garbage', 'redirect'] as const) {
    service.fault = fault;
    const before = service.requests.length;
    expect(await failure(), fault).toEqual([
      502,
      'The token metadata service gave no usable response; try again shortly',
    ]);
    expect(service.requests.length - before, fault).toBe(2);
  }
  service.fault = 'hang';
  const impatient = await startForwarding(t, urls, { CAIRN_NODE_TIMEOUT: '1' });
  expect(await failure(impatient.get)).toEqual([
    504,
    'The token metadata service did not respond in time; try again shortly',
  ]);
  await service.stop();
  expect(await failure()).toEqual([
    502,
    'The token metadata service cannot be reached; try again later, or tell the operator of this API',
  ]);
  expect((await series('cairn_forwarded_requests_total')).join('\n')).toMatch(/outcome="connect"} 1/);
});

test('large responses are streamed, and ended at the limit', async t => {
  const { service, urls } = await startServices(t);
  const { get } = await startForwarding(t, urls, { CAIRN_NODE_RESPONSE_LIMIT: '300000' });
  service.answers['*'] = () => ({ headers: { 'content-type': 'application/json' }, body: 'x'.repeat(250_000) });
  expect((await (await get('/metadata/v1/ft')).text()).length).toBe(250_000);
  service.answers['*'] = () => ({ headers: { 'content-type': 'application/json' }, body: 'x'.repeat(400_000) });
  expect((await get('/metadata/v1/ft')).status).toBe(502);
});

test.each(['polling', 'websocket'])('Socket.IO clients of signer metrics are forwarded by %s', async transport => {
  const ends: (() => Promise<void>)[] = [];
  const t = { onTestFinished: (work: () => Promise<void>) => void ends.unshift(work) };
  try {
    const { url, sockets } = await startSignerSockets(t);
    const { base, series, app } = await startForwarding(t, { signers: url });
    const client = io(`${base}/block-proposals`, {
      ...{ path: '/signer-metrics/socket.io/', transports: [transport], upgrade: false, reconnection: false },
    });
    const [proposal] = await new Promise<unknown[]>((resolve, reject) => {
      client.on('blockProposal', (...args) => resolve(args));
      client.on('connect_error', reject);
    });
    expect(proposal).toEqual({ block_hash: '0xab' });
    const long = 'y'.repeat(100_000);
    expect(await client.emitWithAck('echo', long)).toBe(long);
    const open = transport === 'websocket' ? 1 : 0;
    expect(await series('cairn_forwarded_sockets')).toEqual(
      open ? ['cairn_forwarded_sockets{service="signer-metrics"} 1'] : [],
    );
    if (transport === 'websocket') {
      // A stop ends forwarded sockets at once, and the service sees it.
      const closed = new Promise(resolve => client.on('disconnect', resolve));
      await app.stop();
      await closed;
      await expect.poll(() => sockets.engine.clientsCount).toBe(0);
    }
    client.close();
  } finally {
    for (const work of ends) await work();
  }
});

test('a WebSocket that the service does not take gets a response and is closed', async t => {
  const [service] = await startNodes(t, 1);
  const { base } = await startForwarding(t, { signers: service!.url });
  const statusOf = async (path: string) => {
    const socket = new WebSocket(base.replace('http', 'ws') + path, { headers: { cookie: 'a=b' } });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    return response.statusCode;
  };
  expect(await statusOf('/signer-metrics/socket.io/?EIO=4')).toBe(502);
  expect(service!.requests[0]!.headers).not.toHaveProperty('cookie');
  expect(await statusOf('/signer-metrics/socket.io/a%2fb')).toBe(400);
  expect(await statusOf('/signer-metrics/other')).toBe(404);
  await service!.stop();
  expect(await statusOf('/signer-metrics/socket.io/?EIO=4')).toBe(502);
});
