import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../../../errors.ts';
import { cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import {
  MiningRewardList,
  MiningTotals,
  readRewardCursor,
  rewardPattern,
} from '../../../../schemas/principals/mining.ts';
import { findMining, listMiningRewardsOf } from '../../../../views/principals/activity.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Accounts'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsMining: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/principals/:principal/mining',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_mining',
        summary: 'What an account was paid for mining in all',
        tags,
        params,
        response: { 200: MiningTotals },
      },
    },
    async ({ params }) => findMining(sql, loosePrincipalOf(params.principal)),
  );

  app.get(
    '/extended/v3/principals/:principal/mining/rewards',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_mining_rewards',
        summary: 'What an account was paid for mining, the newest first',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, rewardPattern)),
        response: { 200: MiningRewardList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const start = readRewardCursor(cursor);
      if (start === 'out of range') throw badRequest('querystring/cursor: Cursor value out of range');
      return await listMiningRewardsOf(sql, loosePrincipalOf(params.principal), { cursor: start, limit });
    },
  );
};
