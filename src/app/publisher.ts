import { NatsBroker } from '../publish/nats-broker.ts';
import { loadNatsPackages } from '../publish/nats-packages.ts';
import { Publisher } from '../publish/publisher.ts';
import type { RunningDatabase } from './database.ts';
import { followChain } from './followed-chain.ts';
import { startTogether } from './lifecycle.ts';
import type { RunningReads } from './reads.ts';
import type { Start } from './start.ts';

export type PublisherParts = { database: RunningDatabase; reads: RunningReads };

/** Time limit of a statement that writes how far the publisher is. */
const WRITE_MS = 5_000;

/**
 * Starts publishing to the broker of the settings, with connections of its own: neither ingest nor responses wait for it. Does
 * nothing without a broker.
 */
export async function startPublisher({ config, log: parent, metrics }: Start, { database, reads }: PublisherParts) {
  return await startTogether(parent, async parts => {
    const { publish: address, publishStream: name, publishPrefix: prefix, queryTimeout } = config;
    if (address === undefined) return {};
    const log = parent.child({ part: 'publish' });
    const packages = await loadNatsPackages();
    const sql = parts.addPool('publisher', database.url, { max: 1, statementTimeoutMs: WRITE_MS });
    const following = { name: 'publisher', max: 2, queryTimeoutSeconds: queryTimeout, log };
    const { chain, source } = await followChain(parts, { database, reads }, following);
    const stream = {
      ...{ name, prefix, maxAgeSeconds: config.publishMaxAge * 3600 },
      ...{ maxBytes: config.publishMaxBytes, replicas: config.publishReplicas },
    };
    const publisher = new Publisher({
      ...{ sql, reads: chain, source, log, stream: name },
      open: () => NatsBroker.open({ packages, address, stream }),
      topics: config.publishTopics,
      fromHeight: config.publishFrom,
      onMessages: count => metrics.publisherMessages.inc(count),
      onTrouble: reason => metrics.publisherErrors.inc({ reason }),
      onConnected: connected => metrics.publisherConnected.set(connected ? 1 : 0),
    });
    publisher.start();
    parts.add('publisher', publisher);
    return {};
  });
}
