import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOrUnknown } from '../../codec/address/principal.ts';
import { CursorList, cursorQuery } from '../pages/cursor-list-schema.ts';
import { WholePrincipalParam } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { PrincipalBondPosition, PrincipalStakingSummary } from './principal-schema.ts';
import { findStaking, listBondsOf } from './principals-view.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsStaking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip }) => {
  app.get(
    '/extended/v3/principals/:principal/staking',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_principal_staking_summary',
        summary: 'Get the staking summary of a principal',
        description:
          'Returns what the principal has staked (micro-STX and satoshis) and earned (satoshis). All amounts are ' +
          'zero if it never staked.',
        tags,
        params,
        response: { 200: PrincipalStakingSummary },
      },
    },
    async ({ params }) => findStaking(sql, principalOrUnknown(params.principal), tip.current?.burnHeight ?? 0),
  );

  app.get(
    '/extended/v3/principals/:principal/staking/bonds',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_principal_bond_positions',
        summary: 'List the bond positions of a principal',
        description: 'Returns the bonds in which the principal is or was enrolled, lowest index first.',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, '^\\d+$')),
        response: { 200: CursorList(PrincipalBondPosition, 'PrincipalBondPositionList') },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) =>
      listBondsOf(sql, principalOrUnknown(params.principal), { limit, cursor }, tip.current?.burnHeight ?? 0),
  );
};
