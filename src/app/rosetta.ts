import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../config/config.ts';
import { databaseLost, isCancelled } from '../db/database-error.ts';
import type { Log } from '../log.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { InterfaceCache } from '../read/contracts/interface-cache.ts';
import { usualHash } from '../rosetta/block-identifier.ts';
import type { ConstructionChain } from '../rosetta/construction/chain.ts';
import type { NodeView, RosettaContext } from '../rosetta/context.ts';
import { dataRoutes } from '../rosetta/data-routes.ts';
import { constructionChainRoutes, constructionRoutes } from '../rosetta/routes/construction.ts';
import { rosettaServer } from '../rosetta/server.ts';
import { answerFromPool } from './node-call.ts';

export type RosettaOptions = Omit<RosettaContext, 'compat' | 'blockHash' | 'nodes' | 'askNode' | 'interfaces'> & {
  config: Pick<Config, 'rosettaCompat' | 'rosettaBlockHash' | 'bodyLimit'>;
  pool?: NodePool | undefined;
  chain: ConstructionChain;
  log: Log;
};

/** The whole Rosetta API: data and construction endpoints. */
export function rosettaApi({ config, pool, chain, log, ...parts }: RosettaOptions): FastifyPluginAsync {
  const compat = config.rosettaCompat;
  const { network } = parts;
  const context: RosettaContext = {
    ...parts,
    compat,
    blockHash: compat ? usualHash : config.rosettaBlockHash,
    interfaces: new InterfaceCache(),
    nodes: pool && nodeView(pool),
    askNode: pool && (call => answerFromPool(pool, call)),
  };
  return rosettaServer({
    routes: [
      ...dataRoutes(context),
      ...constructionRoutes({ network, compat }),
      ...constructionChainRoutes({ network, compat, chain }),
    ],
    network,
    compat,
    bodyLimit: config.bodyLimit,
    log,
    unavailable: error => databaseLost(error) || isCancelled(error),
  });
}

const NODE_TIMEOUT_MS = 3000;

/** Network facts from the nodes of a pool; undefined or empty if a node does not respond. */
function nodeView(pool: NodePool): NodeView {
  const read = async (path: string) =>
    await pool
      .choose()
      ?.rpc.object(path, { timeoutMs: NODE_TIMEOUT_MS })
      .catch(() => undefined);
  return {
    async tipHeight() {
      const height = (await read('/v2/info'))?.stacks_tip_height;
      return typeof height === 'number' ? height : undefined;
    },
    async peers() {
      const { inbound, outbound } = (await read('/v2/neighbors')) ?? {};
      const neighbours = [inbound, outbound].flatMap(list => (Array.isArray(list) ? list : []));
      const ids = neighbours.map((peer: { public_key_hash?: unknown } | null) => peer?.public_key_hash);
      return [...new Set(ids.filter(id => typeof id === 'string'))];
    },
  };
}
