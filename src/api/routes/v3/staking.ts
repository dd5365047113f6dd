import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { inSnapshot } from '../../../db/pool/snapshot.ts';
import { findBondsLocked, findBurnTotals, findStxStaked } from '../../../queries/staking/cycles.ts';
import { renderStakingOverview, StakingOverview, StakingRewardTotals, sumOf } from '../../../schemas/staking/cycle.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Staking'];
const always = 2_147_483_647;

export const v3Staking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip }) => {
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
    async () => {
      const burnTip = tip.current?.burnHeight ?? 0;
      return await inSnapshot(sql, async snapshot =>
        renderStakingOverview(
          await findStxStaked(snapshot, { before: always, beyond: burnTip, rolledOver: true }),
          await findBondsLocked(snapshot, { lockedAt: burnTip }),
        ),
      );
    },
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
    async () => {
      const { reward_amount, burn_amount } = await findBurnTotals(sql);
      return { btc: { reward_amount, burn_amount, total_amount: sumOf(reward_amount, burn_amount) } };
    },
  );
};
