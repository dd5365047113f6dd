import type { Network } from '@cairn-stacks/codec/network';
import Fastify from 'fastify';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { addErrorHandlers } from '../http/errors.ts';
import { addHeaders } from '../http/headers.ts';
import { limitInFlight } from '../http/in-flight-limit.ts';
import { openListener, starting } from '../http/listener.ts';
import type { Log } from '../log.ts';
import { constructionRoutes } from '../rosetta/routes/construction.ts';
import { networkRoutes } from '../rosetta/routes/network.ts';
import { offlineRoute } from '../rosetta/routes/offline.ts';
import { rosettaServer } from '../rosetta/server.ts';
import type { App } from './app.ts';

/** The construction endpoints of Rosetta, for a machine without network: no database, node, observer or metrics. */
export function createOfflineApp(config: Config, log: Log): App {
  let stop = async () => {};
  return {
    async start() {
      const { network, apiHost: host, apiPort, requestTimeout } = config;
      if (!network) {
        throw new UsageError('CAIRN_ROLE=rosetta-offline cannot learn its network: set CAIRN_NETWORK');
      }
      const app = buildOfflineApi(config, network, log);
      await app.ready();
      const listener = await openListener({
        host,
        port: apiPort,
        portSetting: 'CAIRN_API_PORT',
        first: starting(() => 'opening the API'),
        requestTimeoutMs: requestTimeout * 1000,
        onError: error => log.error({ err: error }, 'a connection could not be accepted'),
      });
      stop = () => listener.stop((config.stopTimeout * 1000) / 2);
      listener.serve(app.routing);
      return { addresses: { api: `http://${host}:${listener.port}` }, network, simulated: false };
    },
    stop: () => stop(),
  };
}

type OfflineConfig = Pick<Config, 'rosettaCompat' | 'bodyLimit' | 'maxInFlight'>;

/** The offline API as a Fastify app that does not listen yet. */
export function buildOfflineApi({ rosettaCompat, bodyLimit, maxInFlight }: OfflineConfig, network: Network, log: Log) {
  const compat = rosettaCompat;
  const app = Fastify({ logger: false, bodyLimit });
  app.setSerializerCompiler(() => JSON.stringify);
  addErrorHandlers(app, log);
  addHeaders(app);
  limitInFlight(app, maxInFlight);
  app.get('/healthz', async () => ({ status: 'alive' }));
  const routes = [
    ...networkRoutes({ network, compat, callMethods: [] }),
    ...constructionRoutes({ network, compat }),
    offlineRoute,
  ];
  void app.register(rosettaServer({ routes, network, compat, bodyLimit, log }));
  return app;
}
