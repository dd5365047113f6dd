import { parseNetwork } from '@cairn-stacks/codec/network';
import type { FastifyInstance } from 'fastify';
import { type ApiOptions, buildApi } from '../api/server.ts';
import { rosettaApi } from '../app/rosetta.ts';
import { rosettaChain } from '../app/rosetta-chain.ts';
import { ResponseCache } from '../cache/response-cache.ts';
import { connect } from '../db/client.ts';
import { plainReads } from '../db/reads.ts';
import { createLog } from '../log.ts';
import { NodeProxy } from '../proxy/node-proxy.ts';
import { NodePool } from '../proxy/pool/node-pool.ts';
import { nodeRoutes } from '../proxy/routes.ts';
import { sendTransaction } from '../proxy/transaction-route.ts';
import { openReadCaches } from '../read/read-caches.ts';

/** The whole API without any connection, to describe its routes. */
export async function buildDisconnectedApi(options: Pick<ApiOptions, 'onRoute'> = {}): Promise<FastifyInstance> {
  // The driver connects at the first query, which never happens here.
  const pool = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'cairn openapi' });
  const shared = {
    reads: plainReads(pool),
    tip: { current: undefined },
    network: parseNetwork('mainnet')!,
    bodyLimit: 1024,
    log: createLog({ level: 'silent', format: 'json' }),
  };
  const limits = { timeoutMs: 1, hedgeDelayMs: 1, maxLag: 0, connections: 1, responseLimit: 1 };
  const nodes = new NodePool({ nodes: [], chainId: 1, ...limits });
  const proxy = new NodeProxy({ ...shared, pool: nodes, nodePaths: [], broadcastNodes: 1 });
  const send = (raw: Uint8Array) => sendTransaction(proxy, { raw, attachment: undefined });
  const chain = rosettaChain({ ...shared, nodes: { pool: nodes, send } });
  const { app } = await buildApi({
    ...options,
    ...shared,
    pool,
    readyMaxLag: 1,
    maxInFlight: 1,
    atOnce: 4,
    responses: new ResponseCache(1024),
    caches: openReadCaches({ itemBytes: 1024 }),
    deprecatedEndpoints: true,
    nodes: nodeRoutes(proxy),
    rosetta: rosettaApi({
      ...shared,
      config: { rosettaCompat: false, rosettaBlockHash: 'block_hash', bodyLimit: 1024 },
      chain,
    }),
  });
  return app;
}
