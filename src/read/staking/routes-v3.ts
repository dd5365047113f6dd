import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';
import { StakingOverview, StakingRewardTotals, sumOf } from './cycle-schema.ts';
import { findBurnTotals } from './cycles-queries.ts';
import { findStakingOverview } from './cycles-view.ts';

const tags = ['Staking'];

export const v3Staking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  app.get(
    '/extended/v3/staking',
    {
      config: { freshness: 'tip', cost: 5 },
      schema: {
        operationId: 'get_staking_overview',
        summary: 'Get the staking overview',
        description:
          'Returns what is staked at the tip, with STX alone and in bonds. STX amounts are in micro-STX, BTC ' +
          'amounts in satoshis.',
        tags,
        response: { 200: StakingOverview },
      },
    },
    ({ sql }) => findStakingOverview(sql, tip.current?.burnHeight ?? 0),
  );

  app.get(
    '/extended/v3/staking/rewards',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_rewards',
        summary: 'Get the staking reward totals',
        description: 'Returns what all block commits paid to reward addresses and burned, in satoshis.',
        tags,
        response: { 200: StakingRewardTotals },
      },
    },
    async ({ sql }) => {
      const { reward_amount, burn_amount } = await findBurnTotals(sql);
      return { btc: { reward_amount, burn_amount, total_amount: sumOf(reward_amount, burn_amount) } };
    },
  );
};
