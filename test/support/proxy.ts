import { parseNetwork } from '@cairn-stacks/codec/network';
import Fastify, { type FastifyReply } from 'fastify';
import { node as nodeKind } from '../../src/config/setting.ts';
import { connect, type Pool } from '../../src/db/client.ts';
import { plainReads } from '../../src/db/reads.ts';
import { addErrorHandlers, describe } from '../../src/http/errors.ts';
import { addHeaders, commonHeaders } from '../../src/http/headers.ts';
import { openListener } from '../../src/http/listener.ts';
import { checkResponses } from '../../src/http/validation/response-check.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { fastPath } from '../../src/proxy/fast-path.ts';
import { NodeProxy, type NodeProxyOptions } from '../../src/proxy/node-proxy.ts';
import { NodePool, type PoolOptions } from '../../src/proxy/pool/node-pool.ts';
import { nodeRoutes } from '../../src/proxy/routes.ts';
import type { StubNode } from './stub-node.ts';

/** What of a test's context is needed to end what was started for it. */
type Ending = { onTestFinished(work: () => Promise<void>): void };

export type TestProxy = {
  pool?: Partial<PoolOptions>;
  proxy?: Partial<NodeProxyOptions>;
  sql?: Pool;
  tip?: NodeProxyOptions['tip'];
  /** Behind the address of each node, as `|weight=2`. */
  options?: string[];
};

/** For nodes that hang: their requests and checks are given up. */
export const impatient = { timeoutMs: 600, checkTimeoutMs: 1000 };

/** Node RPC in the shell of the API, in front of stub nodes, listening; checks come faster than in earnest, and nothing ends by its time. */
export async function startProxy(t: Ending, stubs: readonly StubNode[], given: TestProxy = {}) {
  const network = parseNetwork('testnet')!;
  const log = createLog({ level: 'silent', format: 'json' });
  const pool = new NodePool({
    nodes: stubs.map(({ url }, i) => nodeKind.parse(url + (given.options?.[i] ?? ''))!),
    chainId: network.chainId,
    ...{ timeoutMs: 600_000, hedgeDelayMs: 60, maxLag: 5, connections: 32, responseLimit: 20_000_000 },
    ...{ checkMs: 50, checkTimeoutMs: 600_000, breaker: { firstMs: 100, longestMs: 400 } },
    ...given.pool,
  });
  // Nothing listens there; the driver connects only when it is asked something.
  const sql = given.sql ?? connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'shell' });
  const tip = given.tip ?? { current: undefined };
  const metrics = createMetrics();
  const shared = { reads: plainReads(sql), tip, network, log, bodyLimit: 100_000 };
  // All other routes of the API are left out: they take long to build and change nothing here.
  const app = Fastify({
    bodyLimit: shared.bodyLimit,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = describe(error);
      (reply as unknown as FastifyReply).code(status).send(body);
    },
  });
  app.setSerializerCompiler(checkResponses);
  addErrorHandlers(app, log);
  addHeaders(app);
  const proxy = new NodeProxy({
    ...{ ...shared, pool, nodePaths: [], broadcastNodes: 3, registry: metrics.registry },
    ...given.proxy,
  });
  await app.register(nodeRoutes(proxy));
  await app.ready();
  const door = await openListener({ host: '127.0.0.1', port: 0, portSetting: '', first: () => {} });
  const handleFast = fastPath({ proxy, own: Object.entries(commonHeaders).flat(), maxInFlight: 200 });
  door.serve((request, response) => {
    if (!handleFast(request, response)) app.routing(request, response);
  });
  const base = `http://127.0.0.1:${door.port}`;
  await pool.start();
  t.onTestFinished(async () => {
    await door.stop(0);
    await app.close();
    await pool.stop(0);
  });
  const get = (path: string, init?: RequestInit) =>
    fetch(base + path, { redirect: 'manual', ...init, headers: { accept: '*/*', ...init?.headers } });
  return { app, base, pool, get, metrics };
}

/** The JSON object of an answer. */
export const objectOf = async (response: Response) => (await response.json()) as Record<string, unknown>;
