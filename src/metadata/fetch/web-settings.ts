import type { Gateways } from '../../chain/tokens/token-uri.ts';
import type { Config } from '../../config/config.ts';
import { addressGuard } from '../../outbound/address-guard.ts';
import { type NameResolver, openNameResolver } from '../../outbound/guarded-connector.ts';
import { WebDocuments } from './web-documents.ts';
import { type Content, WebFetcher } from './web-fetcher.ts';

export type MetadataFetchConfig = Pick<
  Config,
  | 'metadataIpfsGateway'
  | 'metadataArweaveGateway'
  | 'metadataMaxBytes'
  | 'metadataTimeout'
  | 'metadataAllowHttp'
  | 'metadataAllowPrivate'
  | 'metadataPorts'
  | 'metadataHostConnections'
  | 'metadataCacheBytes'
>;

type Wanted = { maxBytes: number; reuseMs: number; content: Content; resolve: NameResolver | undefined };

export const gatewaysOf = ({ metadataIpfsGateway, metadataArweaveGateway }: MetadataFetchConfig): Gateways => ({
  ipfs: metadataIpfsGateway.url,
  arweave: metadataArweaveGateway,
});

/** Documents of strangers, by the rules of the settings; host names are found by DNS unless `resolve` is given. */
export function openWebDocuments(config: MetadataFetchConfig, { maxBytes, reuseMs, content, resolve }: Wanted) {
  const ownHosts = Object.values(gatewaysOf(config)).map(url => new URL(url).hostname);
  const web = new WebFetcher({
    maxBytes,
    content,
    timeoutMs: config.metadataTimeout * 1000,
    allowHttp: config.metadataAllowHttp,
    ports: config.metadataPorts,
    hostConnections: config.metadataHostConnections,
    guard: addressGuard(config.metadataAllowPrivate),
    resolve: resolve ?? openNameResolver(ownHosts),
  });
  const { metadataIpfsGateway, metadataCacheBytes: cacheBytes } = config;
  return new WebDocuments({ web, gatewayHeaders: metadataIpfsGateway.headers, cacheBytes, reuseMs });
}
