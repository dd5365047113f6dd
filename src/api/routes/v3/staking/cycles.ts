import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PublicError } from '../../../../errors.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { StakingCycle } from '../../../../schemas/staking/cycle.ts';
import { findStakingCycle } from '../../../../views/staking/cycles.ts';
import { CycleParam } from '../../../params/cycle.ts';
import type { RouteContext } from '../../../route-context.ts';

export const v3StakingCycles: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, tip, network, poxGeometry },
) => {
  app.get(
    '/extended/v3/staking/cycles/:cycle_number',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_staking_cycle',
        summary: 'A cycle: its schedule, what is staked in it and what it earned',
        tags: ['Staking'],
        params: Type.Object({ cycle_number: CycleParam }),
        response: { 200: StakingCycle, 404: ErrorBody },
      },
    },
    async ({ params }) => {
      const geometry = await poxGeometry();
      if (!geometry) throw new PublicError(503, 'No node has told when cycles begin; try again later');
      const clock = { geometry, burnTip: tip.current?.burnHeight ?? 0, mainnet: network.name === 'mainnet' };
      return await findStakingCycle(sql, params.cycle_number, clock);
    },
  );
};
