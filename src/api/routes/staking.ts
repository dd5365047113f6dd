import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../server.ts';
import { stakingBondRoutes } from './staking/bonds.ts';
import { stakingPrincipalRoutes } from './staking/principals.ts';
import { stakingSignerRoutes } from './staking/signers.ts';
import { stakingBondEventRoutes } from './v3/staking/bond-events.ts';
import { stakingCycleRoutes } from './v3/staking/cycles.ts';
import { stakingOverviewRoutes } from './v3/staking/overview.ts';

/** Staking of pox-5: bonds, signers, stakers and their rewards. */
export async function stakingRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  await app.register(stakingBondRoutes, context);
  await app.register(stakingPrincipalRoutes, context);
  await app.register(stakingSignerRoutes, context);
  await app.register(stakingBondEventRoutes, context);
  await app.register(stakingCycleRoutes, context);
  await app.register(stakingOverviewRoutes, context);
}
