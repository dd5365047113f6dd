import type { Pool } from '../../src/db/client.ts';
import { parseNetwork } from '../../src/network.ts';
import type { CallReadOnly } from '../../src/node/read-only-call.ts';
import { callMethods } from '../../src/rosetta/call-methods.ts';
import type { NodeView, RosettaContext } from '../../src/rosetta/context.ts';
import type { RosettaRoute } from '../../src/rosetta/route.ts';
import { accountRoute } from '../../src/rosetta/routes/account.ts';
import { blockRoutes } from '../../src/rosetta/routes/block.ts';
import { callRoute } from '../../src/rosetta/routes/call.ts';
import { eventsRoute } from '../../src/rosetta/routes/events.ts';
import { mempoolRoutes } from '../../src/rosetta/routes/mempool.ts';
import { networkRoutes } from '../../src/rosetta/routes/network.ts';
import { networkStatusRoute } from '../../src/rosetta/routes/network-status.ts';
import { searchRoute } from '../../src/rosetta/routes/search.ts';
import { type Ask, rosettaShell } from './rosetta.ts';

export type DataParts = { nodes?: NodeView; callReadOnly?: CallReadOnly; compat?: boolean };

/** The routes that read the index. */
export function dataRoutes(context: RosettaContext): RosettaRoute[] {
  const { network, compat } = context;
  const methods = callMethods(context);
  return [
    ...networkRoutes({ network, compat, callMethods: methods.map(({ name }) => name) }),
    networkStatusRoute(context),
    accountRoute(context),
    ...blockRoutes(context),
    ...mempoolRoutes(context),
    callRoute(methods, compat),
    eventsRoute(context),
    searchRoute(context),
  ];
}

/** The data half of Rosetta on a database; every answer is held against its schema. */
export function rosettaData(sql: Pool, { nodes, callReadOnly, compat = false }: DataParts = {}): Ask {
  const network = parseNetwork('testnet')!;
  return rosettaShell(network, compat, dataRoutes({ sql, network, compat, nodes, callReadOnly }));
}
