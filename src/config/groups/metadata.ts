import * as is from '../setting.ts';
import { optional, set, shareOfMemory } from '../setting.ts';

/** Token metadata: what is read and fetched, and services that are used instead of Cairn's own. */
export const metadataSettings = {
  metadata: set({
    name: 'CAIRN_METADATA',
    kind: is.choice('off', 'chain', 'full'),
    fallback: 'chain',
    about:
      'What is read about tokens: `chain` calls their contracts through the nodes and decodes `data:` URIs, `full` also fetches what other URIs name, `off` reads nothing.',
  }),
  metadataRate: set({
    name: 'CAIRN_METADATA_RATE',
    kind: is.integer('calls in a second from 1 to 10000', 1, 10_000),
    fallback: '100',
    about: 'Read-only calls of token contracts that one process starts in a second.',
  }),
  metadataConcurrency: set({
    name: 'CAIRN_METADATA_CONCURRENCY',
    kind: is.integer('a number of calls from 1 to 100', 1, 100),
    fallback: '8',
    about: 'Read-only calls of token contracts that one process has open at once.',
  }),
  metadataFetches: set({
    name: 'CAIRN_METADATA_FETCHES',
    kind: is.integer('a number of fetches from 1 to 100', 1, 100),
    fallback: '8',
    about: 'Token URIs that one process fetches at once, and as many pictures for the explorer.',
  }),
  metadataRefresh: set({
    name: 'CAIRN_METADATA_REFRESH',
    kind: is.integer('hours from 1 to 8760', 1, 8760),
    fallback: '168',
    about: 'Hours after which a token is read again although nothing announced a change.',
  }),
  metadataIpfsGateway: set({
    name: 'CAIRN_METADATA_IPFS_GATEWAY',
    kind: is.service,
    fallback: 'https://ipfs.io',
    secret: true,
    about: 'Gateway for `ipfs:` and `ipns:` URIs of tokens, also used instead of the public gateways that URIs name.',
  }),
  metadataArweaveGateway: set({
    name: 'CAIRN_METADATA_ARWEAVE_GATEWAY',
    kind: is.url('https', 'http'),
    fallback: 'https://arweave.net',
    about: 'Gateway for `ar:` URIs of tokens.',
  }),
  metadataMaxBytes: set({
    name: 'CAIRN_METADATA_MAX_BYTES',
    kind: is.integer('a number of bytes from 1024 to 16777216', 1024, 16_777_216),
    fallback: '1000000',
    about: 'Maximum size of a metadata document in bytes, compressed and decompressed.',
  }),
  metadataPictureBytes: set({
    name: 'CAIRN_METADATA_PICTURE_BYTES',
    kind: is.integer('a number of bytes from 1024 to 67108864', 1024, 67_108_864),
    fallback: '5000000',
    about: 'Maximum size in bytes of a picture of a token that the explorer shows with `CAIRN_METADATA=full`.',
  }),
  metadataTimeout: set({
    name: 'CAIRN_METADATA_TIMEOUT',
    kind: is.seconds,
    fallback: '30',
    about: 'Seconds in which a metadata document must be complete, redirects included.',
  }),
  metadataAllowHttp: set({
    name: 'CAIRN_METADATA_ALLOW_HTTP',
    kind: is.flag,
    fallback: 'false',
    about: 'Whether `http:` URIs of tokens are fetched too. Configured gateways may always use http.',
  }),
  metadataAllowPrivate: set({
    name: 'CAIRN_METADATA_ALLOW_PRIVATE',
    kind: is.list(is.subnet),
    fallback: '',
    about:
      'Comma-separated networks that are not public and may still be connected to for metadata, such as that of an own gateway. URIs of any contract can reach them then.',
  }),
  metadataPorts: set({
    name: 'CAIRN_METADATA_PORTS',
    kind: is.list(is.port),
    fallback: '80,443',
    about: 'Comma-separated ports to which URIs of tokens may lead. Ports of configured gateways are always allowed.',
  }),
  metadataHostConnections: set({
    name: 'CAIRN_METADATA_HOST_CONNECTIONS',
    kind: is.integer('a number of requests from 1 to 1000', 1, 1000),
    fallback: '4',
    about: 'Maximum number of metadata requests to one host at the same time.',
  }),
  metadataCacheBytes: shareOfMemory({
    name: 'CAIRN_METADATA_CACHE_BYTES',
    kind: is.bytes,
    share: 1 / 32,
    unset: 'a 32nd of `CAIRN_MEMORY`',
    about: 'Memory for metadata documents that several tokens share, and as much for pictures, in bytes.',
  }),
  metadataUrl: optional({
    name: 'CAIRN_METADATA_URL',
    kind: is.service,
    unset: 'Cairn serves them itself',
    secret: true,
    about: 'Service to which requests below `/metadata` are forwarded. Cairn then has no token metadata of its own.',
  }),
  signerMetricsUrl: optional({
    name: 'CAIRN_SIGNER_METRICS_URL',
    kind: is.service,
    unset: 'Cairn serves them itself',
    secret: true,
    about:
      'Service to which requests below `/signer-metrics` are forwarded, Socket.IO included. Cairn then has no signer metrics of its own.',
  }),
} as const;
