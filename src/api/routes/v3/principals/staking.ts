import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { findStxStake, listBondPositions } from '../../../../queries/staking/principals.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../../../../schemas/pages/cursor-list.ts';
import {
  PrincipalBondPosition,
  PrincipalStakingSummary,
  renderBondPosition,
  renderStakingSummary,
} from '../../../../schemas/staking/principal.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsStaking: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip }) => {
  const burnHeight = () => tip.current?.burnHeight ?? 0;

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
    async ({ params }) => {
      const staker = loosePrincipalOf(params.principal);
      const [stake, positions] = await inSnapshot(sql, async snapshot => {
        return [await findStxStake(snapshot, staker), await listBondPositions(snapshot, staker)] as const;
      });
      return renderStakingSummary(stake, positions, burnHeight());
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
    async ({ params, query: { limit = 20, cursor } }) => {
      const rows = await listBondPositions(sql, loosePrincipalOf(params.principal));
      const start = startOf(rows, cursor, cursor => row => row.bond >= Number(cursor));
      const render = (row: (typeof rows)[number]) => renderBondPosition(row, burnHeight());
      return cutList(rows, { start, limit, alwaysCounted: true }, { cursorOf: row => String(row.bond), render });
    },
  );
};
