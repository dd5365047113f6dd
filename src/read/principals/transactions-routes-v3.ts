import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { hasFilter, transactionFilterOf, transactionFilterQuery } from '../filters/filter-params.ts';
import { aboutFilters, renderFilteredStep } from '../filters/filtered-page-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { chainCursor, chainPattern, endOfBlock, readChainCursor } from '../transactions/chain-cursor-schema.ts';
import { renderSummaryList } from '../transactions/summary-list-view.ts';
import { ExactPrincipalParam } from './principal-params.ts';
import { PrincipalTransactionList, renderPrincipalTransaction } from './principal-transaction-schema.ts';
import { listFilteredSummaries, listPrincipalSummaries } from './summaries-queries.ts';
import { MOST_TRANSACTIONS } from './transaction-steps-queries.ts';

const tags = ['Transactions'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3PrincipalsTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches, shapeOf }) => {
  app.get(
    '/extended/v3/principals/:principal/transactions',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_transactions',
        summary: 'List the transactions of a principal',
        description:
          'Returns the transactions that involve the principal, newest first, each with the STX (micro-STX) that it ' +
          `moved for the principal. ${aboutFilters(MOST_TRANSACTIONS, 'transactions')}`,
        tags,
        params,
        querystring: Type.Object({ ...cursorQuery(20, 50, chainPattern), ...transactionFilterQuery }),
        response: { 200: PrincipalTransactionList, 400: ErrorBody },
      },
    },
    async request => {
      const { sql, params, query } = request;
      const page = { cursor: readChainCursor(query.cursor), limit: query.limit ?? 20 };
      const principal = principalOrUnknown(params.principal);
      if (hasFilter(query)) {
        const filter = transactionFilterOf(query);
        const step = await listFilteredSummaries(sql, principal, { ...page, filter });
        const shown = await renderSummaryList(caches, sql, step.rows, shapeOf(request));
        return renderFilteredStep(step, page.limit, {
          cursorOf: chainCursor,
          endOf: endOfBlock,
          render: (row, i) => renderPrincipalTransaction(row, shown[i]!),
        });
      }
      const found = await listPrincipalSummaries(sql, principal, page);
      const summaries = await renderSummaryList(caches, sql, found.rows, shapeOf(request));
      return renderKeyedPage(found, page.limit, {
        cursorOf: chainCursor,
        render: (row, i) => renderPrincipalTransaction(row, summaries[i]!),
      });
    },
  );
};
