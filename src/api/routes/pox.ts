import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server.ts';
import { poxCycleRoutes } from './pox/cycles.ts';
import { poxDelegationRoutes } from './pox/delegations.ts';
import { poxEventRoutes } from './pox/events.ts';
import { poxOldPathRoutes } from './pox/old-paths.ts';

/** Stacking: calls of the PoX contracts, pools, cycles and their signers. */
export async function poxRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  await app.register(poxEventRoutes, context);
  await app.register(poxDelegationRoutes, context);
  await app.register(poxCycleRoutes, context);
  await app.register(poxOldPathRoutes);
}
