import { Type } from 'typebox';
import { RosettaError } from '../errors.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';

/** Handles every path that needs a chain with an error. */
export const offlineRoute: RosettaRoute = rosettaRoute({
  path: '/*',
  operationId: 'rosetta_offline',
  summary: 'What needs a database or a node',
  request: Type.Unknown(),
  response: Type.Unknown(),
  handler: () => {
    throw new RosettaError(612, 'this service runs in offline mode: ask an online one', 500);
  },
});
