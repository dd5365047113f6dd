import type { Config } from './config.ts';

/** Services that can be forwarded instead of being part of Cairn. */
export type Forwardable = 'metadata' | 'signer-metrics';

/** True if requests of a service are forwarded: its routes, its socket and its worker are then off. */
export function isForwarded(config: Pick<Config, 'metadataUrl' | 'signerMetricsUrl'>, service: Forwardable): boolean {
  return (service === 'metadata' ? config.metadataUrl : config.signerMetricsUrl) !== undefined;
}
