import { callMethods } from './call-methods.ts';
import type { RosettaContext } from './context.ts';
import type { RosettaRoute } from './route.ts';
import { accountRoute } from './routes/account.ts';
import { blockRoutes } from './routes/block.ts';
import { callRoute } from './routes/call.ts';
import { eventsRoute } from './routes/events.ts';
import { mempoolRoutes } from './routes/mempool.ts';
import { networkRoutes } from './routes/network.ts';
import { networkStatusRoute } from './routes/network-status.ts';
import { searchRoute } from './routes/search.ts';

/** The routes that read the index: network, blocks, accounts and mempool. */
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
