import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PublicError } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { CycleParam } from '../pox/cycle-params.ts';
import type { RouteContext } from '../route-context.ts';
import { StakingCycle } from './cycle-schema.ts';
import { findStakingCycle } from './cycles-view.ts';

export const v3StakingCycles: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip, network, poxGeometry }) => {
  app.get(
    '/extended/v3/staking/cycles/:cycle_number',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_staking_cycle',
        summary: 'Get a staking cycle',
        description:
          'Returns the schedule of a cycle, what is staked in it and its rewards. STX amounts are in micro-STX, BTC ' +
          'amounts in satoshis. The status is 404 for a cycle before the first, and 503 while no node has reported ' +
          'the start of the cycles.',
        tags: ['Staking'],
        params: Type.Object({ cycle_number: CycleParam }),
        response: { 200: StakingCycle, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const geometry = await poxGeometry();
      if (!geometry) throw new PublicError(503, 'No node has reported the start of the cycles yet. Try again later');
      const clock = { geometry, burnTip: tip.current?.burnHeight ?? 0, mainnet: network.name === 'mainnet' };
      return await findStakingCycle(sql, params.cycle_number, clock);
    },
  );
};
