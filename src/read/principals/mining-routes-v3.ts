import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { findMiningTotals, listMiningRewards } from './mining-queries.ts';
import {
  MiningRewardList,
  MiningTotals,
  readRewardCursor,
  renderMiningReward,
  renderMiningTotals,
  rewardCursor,
  rewardPattern,
} from './mining-schema.ts';
import { ExactPrincipalParam } from './principal-params.ts';

const tags = ['Accounts'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3PrincipalsMining: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/principals/:principal/mining',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_mining',
        summary: 'Get the mining totals of a principal',
        description:
          'Returns the sums of all mining rewards of the principal, in micro-STX. They are zero if there were none.',
        tags,
        params,
        response: { 200: MiningTotals },
      },
    },
    async ({ sql, params }) => renderMiningTotals(await findMiningTotals(sql, principalOrUnknown(params.principal))),
  );

  app.get(
    '/extended/v3/principals/:principal/mining/rewards',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_mining_rewards',
        summary: 'List the mining rewards of a principal',
        description:
          'Returns the mining rewards in the order in which they matured, newest first. Amounts are in micro-STX.',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, rewardPattern)),
        response: { 200: MiningRewardList },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const start = readRewardCursor(cursor);
      if (start === 'out of range') throw badRequest('querystring/cursor: Cursor value out of range');
      const found = await listMiningRewards(sql, principalOrUnknown(params.principal), { cursor: start, limit });
      return renderKeyedPage(found, limit, { cursorOf: rewardCursor, render: renderMiningReward });
    },
  );
};
