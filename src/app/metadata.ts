import type { Network } from '@cairn-stacks/codec/network';
import { isForwarded } from '../config/forwarding.ts';
import type { NodeSetting } from '../config/setting.ts';
import { createMetadataSource } from '../metadata/fetch/metadata-fetch.ts';
import { MetadataWorker } from '../metadata/metadata-worker.ts';
import { defaultAges } from '../metadata/token-results.ts';
import { readOnlyCaller } from '../node/read-only-call.ts';
import { NodePool } from '../proxy/pool/node-pool.ts';
import type { RunningDatabase } from './database.ts';
import { startTogether } from './lifecycle.ts';
import { postToPool } from './node-call.ts';
import type { Start } from './start.ts';

export type MetadataParts = { database: RunningDatabase; network: Network; nodes: readonly NodeSetting[] };

/**
 * Starts reading token metadata, with connections to the nodes of its own: clients never wait for it. Does nothing if
 * metadata are off or another service has them.
 */
export async function startMetadata({ config, log, metrics }: Start, { database, network, nodes }: MetadataParts) {
  return await startTogether(log, parts => {
    const { metadata } = config;
    if (metadata === 'off' || isForwarded(config, 'metadata')) return {};
    const source = createMetadataSource(config, metadata);
    parts.onStop('metadata source', () => source.close());
    let indexHeight = -1;
    const pool = new NodePool({
      nodes,
      chainId: network.chainId,
      timeoutMs: config.nodeTimeout * 1000,
      hedgeDelayMs: config.nodeHedgeDelay,
      // A node that is behind would answer for an older state of the contract.
      maxLag: 0,
      connections: config.metadataConcurrency,
      responseLimit: config.nodeResponseLimit,
      indexHeight: () => indexHeight,
    });
    const worker = new MetadataWorker({
      sql: parts.addPool('metadata', database.url, { max: 4 }),
      call: readOnlyCaller(postToPool(pool)),
      nodeHeight: async height => {
        indexHeight = height;
        return await heightOf(pool, height);
      },
      source,
      fetching: metadata === 'full' ? 'all' : 'data',
      concurrency: config.metadataConcurrency,
      callsPerSecond: config.metadataRate,
      fetches: config.metadataFetches,
      ages: { ...defaultAges, afterSuccess: config.metadataRefresh * 3600 },
      log: log.child({ part: 'metadata' }),
      counts: {
        blocks: count => metrics.metadataBlocks.inc(count),
        reads: (result, count) => metrics.metadataReads.inc({ result }, count),
        fetches: result => metrics.metadataFetches.inc({ result }),
        paused: paused => metrics.metadataPaused.set(paused ? 1 : 0),
      },
    });
    parts.onStop('metadata nodes', () => pool.stop(0));
    void pool.start();
    worker.start();
    parts.add('metadata', worker);
    return {};
  });
}

/** The height of the best node; undefined while all nodes are behind the index or none is healthy. */
async function heightOf(pool: NodePool, indexHeight: number): Promise<number | undefined> {
  if (indexHeight < 0 || pool.nodes.length === 0) return undefined;
  // A node has usually reached a block that it posted: its last check is only too old to know it.
  if (pool.best < indexHeight) await Promise.all(pool.nodes.map(node => pool.check(node)));
  return pool.best < indexHeight ? undefined : pool.best;
}
