import * as is from '../setting.ts';
import { set } from '../setting.ts';

/** Addresses and ports on which the service listens. */
export const listenersSettings = {
  apiHost: set({
    name: 'CAIRN_API_HOST',
    kind: is.text,
    fallback: '127.0.0.1',
    aliases: ['STACKS_BLOCKCHAIN_API_HOST'],
    about: 'Address on which the API listens.',
  }),
  apiPort: set({
    name: 'CAIRN_API_PORT',
    kind: is.port,
    fallback: '3999',
    aliases: ['STACKS_BLOCKCHAIN_API_PORT'],
    about: 'Port of the API.',
  }),
  observerHost: set({
    name: 'CAIRN_OBSERVER_HOST',
    kind: is.text,
    fallback: '127.0.0.1',
    aliases: ['STACKS_CORE_EVENT_HOST'],
    about:
      'Address on which the observer listens for events of nodes. Nodes are trusted: keep it off the public network.',
  }),
  observerAllow: set({
    name: 'CAIRN_OBSERVER_ALLOW',
    kind: is.list(is.subnet),
    fallback: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10',
    about: 'Comma-separated addresses and networks from which the observer accepts events; others get 403.',
  }),
  observerPort: set({
    name: 'CAIRN_OBSERVER_PORT',
    kind: is.port,
    fallback: '3700',
    aliases: ['STACKS_CORE_EVENT_PORT'],
    about: 'Port to which nodes post their events.',
  }),
  observerBodyLimit: set({
    name: 'CAIRN_OBSERVER_BODY_LIMIT',
    kind: is.bytes,
    fallback: '500000000',
    aliases: ['STACKS_CORE_EVENT_BODY_LIMIT'],
    about: 'Maximum size of an event in bytes. The genesis block of mainnet has about 80 MB.',
  }),
  metricsHost: set({
    name: 'CAIRN_METRICS_HOST',
    kind: is.text,
    fallback: '127.0.0.1',
    about: 'Address on which metrics and health checks listen.',
  }),
  metricsPort: set({
    name: 'CAIRN_METRICS_PORT',
    kind: is.port,
    fallback: '9153',
    about: 'Port of Prometheus metrics, `/healthz` and `/readyz`. The API port never serves metrics.',
  }),
} as const;
