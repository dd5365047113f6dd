import type { NodeSetting } from '../config/setting.ts';
import { HeaderKeeper } from '../ingest/headers/header-keeper.ts';
import { NodeBlocks } from '../ingest/heal/node-blocks.ts';
import { NodeRpc } from '../node/rpc.ts';
import type { RunningDatabase } from './database.ts';
import { startTogether } from './lifecycle.ts';
import type { Start } from './start.ts';

export type HeadersParts = { database: RunningDatabase; nodes: readonly NodeSetting[] };

/** Starts reading headers of blocks, for proofs, with connections to the nodes of its own. Does nothing without a node. */
export async function startHeaders({ config, log }: Start, { database, nodes }: HeadersParts) {
  return await startTogether(log, parts => {
    if (config.proofHeaders === 0 || nodes.length === 0) return {};
    const rpcs = nodes.map(node => new NodeRpc(node, { connections: 1, timeoutMs: 20_000 }));
    const blocks = new NodeBlocks(rpcs);
    const keeper = new HeaderKeeper({
      sql: parts.addPool('headers', database.url, { max: 1 }),
      readHeader: id => blocks.header(id),
      keep: config.proofHeaders,
      log: log.child({ part: 'headers' }),
    });
    keeper.start();
    parts.add('headers', keeper);
    // Stopped first: a call under way would take its time.
    parts.onStop('nodes of headers', () => Promise.all(rpcs.map(rpc => rpc.close())));
    return {};
  });
}
