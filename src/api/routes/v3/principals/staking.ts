import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { CursorList, cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import { PrincipalBondPosition, PrincipalStakingSummary } from '../../../../schemas/staking/principal.ts';
import { findStaking, listBondsOf } from '../../../../views/staking/principals.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsStaking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip }) => {
  app.get(
    '/extended/v3/principals/:principal/staking',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_principal_staking_summary',
        summary: 'What an account has staked and earned',
        tags,
        params,
        response: { 200: PrincipalStakingSummary },
      },
    },
    async ({ params }) => findStaking(sql, loosePrincipalOf(params.principal), tip.current?.burnHeight ?? 0),
  );

  app.get(
    '/extended/v3/principals/:principal/staking/bonds',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_principal_bond_positions',
        summary: 'Bonds an account is or was enrolled in, the lowest index first',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, '^\\d+$')),
        response: { 200: CursorList(PrincipalBondPosition, 'PrincipalBondPositionList') },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) =>
      listBondsOf(sql, loosePrincipalOf(params.principal), { limit, cursor }, tip.current?.burnHeight ?? 0),
  );
};
