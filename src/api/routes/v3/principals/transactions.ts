import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { listPendingOf } from '../../../../queries/mempool/pending-summaries.ts';
import { listPrincipalSummaries } from '../../../../queries/principals/summaries.ts';
import { cursorQuery, renderKeyedPage } from '../../../../schemas/pages/cursor-list.ts';
import {
  PrincipalTransactionList,
  renderPrincipalTransaction,
} from '../../../../schemas/principals/principal-transaction.ts';
import { chainCursor, chainPattern, readChainCursor } from '../../../../schemas/transactions/chain-cursor.ts';
import { pendingCursor, pendingPattern, readPendingCursor } from '../../../../schemas/transactions/pending-cursor.ts';
import { PendingSummaryList, renderPending } from '../../../../schemas/transactions/pending-summary.ts';
import { gatherSummaries } from '../../../../views/principals/summary-list.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../server.ts';

const tags = ['Transactions'];
const params = Type.Object({ principal: WholePrincipalParam });

export const principalTransactionRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, pieces, shapeOf },
) => {
  app.get(
    '/extended/v3/principals/:principal/transactions',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_transactions',
        summary: 'Transactions that touched an account, the newest first, with the STX they moved for it',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, chainPattern)),
        response: { 200: PrincipalTransactionList },
      },
    },
    async request => {
      const {
        params,
        query: { limit = 20, cursor },
      } = request;
      const principal = loosePrincipalOf(params.principal);
      const page = await listPrincipalSummaries(sql, principal, { cursor: readChainCursor(cursor), limit });
      const summaries = await gatherSummaries(pieces, sql, page.rows, shapeOf(request));
      return renderKeyedPage(page, limit, {
        cursorOf: chainCursor,
        render: (row, i) => renderPrincipalTransaction(row, summaries[i]!),
      });
    },
  );

  app.get(
    '/extended/v3/principals/:principal/mempool/transactions',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_principal_mempool_transactions',
        summary: 'Pending transactions from, for or paid by an account, the newest first',
        tags,
        params,
        querystring: Type.Object(cursorQuery(20, 50, pendingPattern)),
        response: { 200: PendingSummaryList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const principal = loosePrincipalOf(params.principal);
      const page = await listPendingOf(sql, principal, { cursor: readPendingCursor(cursor), limit });
      return renderKeyedPage(page, limit, { cursorOf: pendingCursor, render: renderPending });
    },
  );
};
