import { blockRoutes } from './blocks.ts';
import { clarityRoutes } from './clarity.ts';
import { contractRoutes } from './contracts.ts';
import { type ControlledSimulation, controlRoutes } from './control.ts';
import { infoRoutes } from './info.ts';
import type { RpcRoute } from './route.ts';
import { simulationRoutes } from './simulation.ts';
import { stackerSetRoutes } from './stacker-set.ts';
import { tenureRoutes } from './tenures.ts';
import { transactionRoutes } from './transactions.ts';

/** All routes of the simulated node, and its control under `/devnet`. */
export function rpcRoutes(simulation: ControlledSimulation): RpcRoute[] {
  const { node } = simulation;
  return [
    ...infoRoutes(node),
    ...transactionRoutes(node),
    ...simulationRoutes(node),
    ...contractRoutes(node),
    ...blockRoutes(node),
    ...tenureRoutes(node),
    ...stackerSetRoutes(node),
    ...clarityRoutes(node),
    ...controlRoutes(simulation),
  ];
}
