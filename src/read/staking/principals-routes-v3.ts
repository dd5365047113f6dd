import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../pages/cursor-list-schema.ts';
import { ExactPrincipalParam } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import {
  PrincipalBondPosition,
  PrincipalStakingSummary,
  renderBondPosition,
  renderStakingSummary,
} from './principal-schema.ts';
import { findStxStake, listBondPositions } from './principals-queries.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3PrincipalsStaking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
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
    async ({ sql, params }) => {
      const staker = principalOrUnknown(params.principal);
      const [stake, positions] = await inSnapshot(
        sql,
        async snapshot => [await findStxStake(snapshot, staker), await listBondPositions(snapshot, staker)] as const,
      );
      return renderStakingSummary(stake, positions, tip.current?.burnHeight ?? 0);
    },
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
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const burnTip = tip.current?.burnHeight ?? 0;
      const rows = await listBondPositions(sql, principalOrUnknown(params.principal));
      const start = startOf(rows, cursor, cursor => row => row.bond >= Number(cursor));
      const render = (row: (typeof rows)[number]) => renderBondPosition(row, burnTip);
      return cutList(rows, { start, limit, alwaysCounted: true }, { cursorOf: row => String(row.bond), render });
    },
  );
};
