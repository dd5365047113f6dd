import * as is from '../setting.ts';
import { set } from '../setting.ts';

/** Token metadata. */
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
    about: 'Token URIs that one process fetches at once.',
  }),
  metadataRefresh: set({
    name: 'CAIRN_METADATA_REFRESH',
    kind: is.integer('hours from 1 to 8760', 1, 8760),
    fallback: '168',
    about: 'Hours after which a token is read again although nothing announced a change.',
  }),
} as const;
