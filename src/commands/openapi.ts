import { jsonSchemasOf } from '../api/docs/json-schemas.ts';
import { type OpenApi, openApiOf } from '../api/docs/openapi.ts';
import { buildApi } from '../api/server.ts';
import { rosettaApi } from '../app/rosetta.ts';
import { rosettaChain } from '../app/rosetta-chain.ts';
import { openReadCaches } from '../cache/read-caches.ts';
import { connect } from '../db/client.ts';
import { createLog } from '../log.ts';
import { parseNetwork } from '../network.ts';
import { NodeProxy } from '../proxy/node-proxy.ts';
import { NodePool } from '../proxy/pool/node-pool.ts';
import { nodeRoutes } from '../proxy/routes.ts';
import { sendTransaction } from '../proxy/transaction-route.ts';
import type { Command } from './command.ts';

/** The OpenAPI document as text, generated from the routes without any connection. */
export async function printOpenApi(): Promise<string> {
  const shared = {
    // The driver connects at the first query, which never happens here.
    sql: connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'cairn openapi' }),
    tip: { current: undefined },
    network: parseNetwork('mainnet')!,
    bodyLimit: 1024,
    log: createLog({ level: 'silent', format: 'json' }),
  };
  const limits = { timeoutMs: 1, hedgeDelayMs: 1, maxLag: 0, connections: 1, responseLimit: 1 };
  const pool = new NodePool({ nodes: [], chainId: 1, ...limits });
  const proxy = new NodeProxy({ ...shared, pool, nodePaths: [], broadcastNodes: 1 });
  const send = (raw: Uint8Array) => sendTransaction(proxy, { raw, attachment: undefined });
  const chain = rosettaChain({ ...shared, nodes: { pool, send } });
  const { app } = await buildApi({
    ...shared,
    readyMaxLag: 1,
    maxInFlight: 1,
    atOnce: 4,
    cacheBytes: 1024,
    caches: openReadCaches({ itemBytes: 1024 }),
    deprecatedEndpoints: true,
    nodes: nodeRoutes(proxy),
    rosetta: rosettaApi({ ...shared, config: { rosettaCompat: false, bodyLimit: 1024 }, chain }),
  });
  return `${JSON.stringify(openApiOf(app), null, 2)}\n`;
}

/** The JSON Schemas of all shapes as one text: an object from file name to content. */
export async function printSchemas(): Promise<string> {
  const schemas = jsonSchemasOf(JSON.parse(await printOpenApi()) as OpenApi);
  const files = [...schemas].map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema, null, 2)}\n`]);
  return JSON.stringify(Object.fromEntries(files));
}

export const command: Command = {
  about: 'Print the OpenAPI document of the API.',
  usage: '',
  flags: {},
  positionals: { min: 0, max: 0 },
  async run() {
    process.stdout.write(await printOpenApi());
    return 0;
  },
};
