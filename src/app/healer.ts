import type { Config } from '../config/config.ts';
import { Healer } from '../ingest/heal/healer.ts';
import { NodeRpc } from '../node/rpc.ts';
import type { RunningDatabase } from './database.ts';
import type { Following } from './following/following.ts';
import { startTogether } from './lifecycle.ts';
import type { Appender } from './own-events.ts';
import type { Start } from './start.ts';

export type HealerParts = {
  database: RunningDatabase;
  nodes: Config['nodes'];
  events: Appender;
  following: Following;
};

/** Starts fetching blocks that are missing in the log from the nodes. */
export async function startHealer({ log }: Start, { database, nodes, events, following }: HealerParts) {
  return await startTogether(log, parts => {
    const healer = new Healer({
      sql: parts.addPool('healer', database.url, { max: 1 }),
      events,
      nodes: nodes.map(node => new NodeRpc(node, { connections: 2, timeoutMs: 60_000 })),
      log: log.child({ part: 'healer' }),
      // Without the secret of a node, none gives the result of a block: ancestors are tried all the same.
      ...(nodes.some(({ auth }) => auth !== undefined) && { tips: () => following.missingTips() }),
    });
    healer.start();
    parts.add('healer', healer);
    following.healer = healer;
    return {};
  });
}
