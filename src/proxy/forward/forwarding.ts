import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { forwardRoutes } from './forward-routes.ts';
import { ForwardedService, type ForwardOptions } from './forwarded-service.ts';
import { ForwardedSockets } from './forwarded-sockets.ts';

/** Services behind the API whose paths are forwarded. */
export type Forwarding = {
  prefixes: readonly string[];
  routes: FastifyPluginAsync;
  sockets: readonly ForwardedSockets[];
  stop(): Promise<void>;
};

/** Opens what CAIRN_METADATA_URL and CAIRN_SIGNER_METRICS_URL name; undefined if neither is set. */
export function openForwarding(config: Config, metrics: Metrics, log: Log): Forwarding | undefined {
  const shared = {
    timeoutMs: config.nodeTimeout * 1000,
    connections: config.nodeConnections,
    responseLimit: config.nodeResponseLimit,
    log,
  };
  const open = (
    address: ForwardOptions['address'] | undefined,
    about: Pick<ForwardOptions, 'prefix' | 'title' | 'setting'>,
  ) => {
    if (!address) return [];
    const service = about.prefix.slice(1);
    const onOutcome = (outcome: string) => metrics.forwardedRequests.inc({ service, outcome });
    return [new ForwardedService({ ...about, ...shared, address, onOutcome })];
  };
  const services = [
    ...open(config.metadataUrl, {
      prefix: '/metadata',
      title: 'The token metadata service',
      setting: 'CAIRN_METADATA_URL',
    }),
    ...open(config.signerMetricsUrl, {
      prefix: '/signer-metrics',
      title: 'The signer metrics service',
      setting: 'CAIRN_SIGNER_METRICS_URL',
    }),
  ];
  if (services.length === 0) return undefined;
  const { wsMaxConnections: maxConnections, wsIdleTimeout } = config;
  const sockets = services.map(service => {
    const onCount = (count: number) =>
      metrics.forwardedSockets.set({ service: service.options.prefix.slice(1) }, count);
    return new ForwardedSockets({ service, maxConnections, idleMs: wsIdleTimeout * 1000, onCount });
  });
  return {
    prefixes: services.map(({ options }) => options.prefix),
    routes: forwardRoutes(services, config.bodyLimit),
    sockets,
    stop: async () => void (await Promise.all(services.map(service => service.stop()))),
  };
}
