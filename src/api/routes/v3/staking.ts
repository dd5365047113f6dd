import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { StakingOverview, StakingRewardTotals } from '../../../schemas/staking/cycle.ts';
import { findStakingOverview, findStakingRewards } from '../../../views/staking/cycles.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Staking'];

export const v3Staking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip }) => {
  app.get(
    '/extended/v3/staking',
    {
      config: { freshness: 'tip', cost: 5 },
      schema: {
        operationId: 'get_staking_overview',
        summary: 'What is staked now, in STX alone and in bonds',
        tags,
        response: { 200: StakingOverview },
      },
    },
    () => findStakingOverview(sql, tip.current?.burnHeight ?? 0),
  );

  app.get(
    '/extended/v3/staking/rewards',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_rewards',
        summary: 'What block commits ever paid to reward addresses and burned, in satoshis',
        tags,
        response: { 200: StakingRewardTotals },
      },
    },
    () => findStakingRewards(sql),
  );
};
