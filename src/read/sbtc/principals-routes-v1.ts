import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { eventKey } from '../events/events-queries.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import { ExactPrincipalParam } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { renderDeposit } from './deposit-schema.ts';
import { findDeposits } from './deposits-queries.ts';
import { SbtcMovementList } from './movement-schema.ts';
import { listMovements } from './movements-queries.ts';
import { findRegistry } from './registry-queries.ts';
import { principalOn } from './sbtc-params.ts';
import { renderWithdrawal } from './withdrawal-schema.ts';
import { findWithdrawals } from './withdrawals-queries.ts';

export const v1SbtcPrincipals: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v1/sbtc/principals/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_principal',
        summary: 'List the deposits and withdrawals of an account',
        description:
          'Returns the deposits to an account or a contract and the withdrawals that it requested, newest first. The ' +
          'list is empty if it has none.',
        tags: ['sBTC'],
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: Type.Object(cursorQuery(20, 100, eventPositionPattern)),
        response: { 200: SbtcMovementList, 400: ErrorBody },
      },
    },
    async ({ sql: reader, params, query: { limit = 20, cursor } }) => {
      const principal = principalOn(network, params.principal, 'principal');
      const page = { cursor: eventCursorOf(cursor), limit };
      return await inSnapshot(reader, async sql => {
        const registry = await findRegistry(sql, network);
        const found = await listMovements(sql, registry, principal, page);
        const deposits = await findDeposits(sql, registry, found.rows);
        const withdrawals = await findWithdrawals(sql, registry, found.rows);
        const render = (row: (typeof found.rows)[number]) => {
          const deposit = deposits.get(eventKey(row));
          if (deposit) return { type: 'deposit' as const, ...renderDeposit({ ...row, ...deposit }) };
          const withdrawal = withdrawals.get(eventKey(row))!;
          return { type: 'withdrawal' as const, ...renderWithdrawal({ ...row, ...withdrawal }, network) };
        };
        return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render });
      });
    },
  );
};
