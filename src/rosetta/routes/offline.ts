import { Type } from 'typebox';
import { RosettaError } from '../errors.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';

/** Handles every path that needs a chain with an error. */
export const offlineRoute: RosettaRoute = rosettaRoute({
  path: '/*',
  operationId: 'rosetta_offline',
  summary: 'Request a service that is offline',
  request: Type.Unknown(),
  response: Type.Unknown(),
  handler: () => {
    throw new RosettaError(612, 'This service runs in offline mode. Use an online service for this request', 500);
  },
});
