import type { FastifyPluginAsync } from 'fastify';
import { databaseLost } from '../api/errors.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import { networkRoutes } from '../rosetta/routes/network.ts';
import { rosettaServer } from '../rosetta/server.ts';

export type RosettaOptions = {
  config: Pick<Config, 'rosettaCompat' | 'bodyLimit'>;
  network: Network;
  log: Log;
};

/** SQLSTATE of a statement that ran into its time limit. */
const QUERY_CANCELED = '57014';

/** The whole Rosetta API: what a block and an account hold, and how transactions are made. */
export function rosettaApi({ config, network, log }: RosettaOptions): FastifyPluginAsync {
  const compat = config.rosettaCompat;
  return rosettaServer({
    routes: [...networkRoutes({ network, compat, callMethods: [] })],
    network,
    compat,
    bodyLimit: config.bodyLimit,
    log,
    unavailable: error => databaseLost(error) || (error as { code?: unknown }).code === QUERY_CANCELED,
  });
}
