import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { eventFilterOf, hasFilter, refuseBesideFilters, transferFilterQuery } from '../filters/filter-params.ts';
import { aboutFilteredPages } from '../filters/filtered-page-schema.ts';
import { walkFiltered } from '../filters/filtered-walk-view.ts';
import { asOfAndHeightIn, blockQuery } from '../pages/as-of-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { pageOf, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listFilteredInbound, MOST_INBOUND } from './filtered-inbound-queries.ts';
import { renderInboundList } from './inbound-list-view.ts';
import { InboundTransferPage } from './inbound-transfer-schema.ts';
import { listInboundTransfers } from './inbound-transfers-queries.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

const defaultLimit = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressStxInbound: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/stx_inbound',
    {
      config: { freshness: 'principal', walk: { grows: 'top', when: query => !hasFilter(query) } },
      schema: {
        operationId: 'get_account_inbound',
        summary: 'List the incoming STX transfers of an account',
        description:
          'Returns the token transfers to the account, the transfers by contracts that carry a memo, and the ' +
          'payments of the bulk-send contract, newest first. Amounts are in micro-STX. The status is 404 if ' +
          `\`until_block\` names an unknown block. ${aboutFilteredPages(MOST_INBOUND, 'transactions of the account')}`,
        tags,
        params,
        querystring: Type.Object({ ...walkedPageQuery(defaultLimit, 50), ...blockQuery, ...transferFilterQuery }),
        response: { 200: InboundTransferPage, 400: ErrorBody, 404: ErrorBody, 409: ForkBody },
      },
    },
    async request => {
      const { sql, params, query } = request;
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      const page = pageOf(query, defaultLimit);
      if (hasFilter(query)) {
        refuseBesideFilters(query);
        const filter = eventFilterOf(query, ['stx_transfer'], transferFilterQuery);
        const { rows, ...cursors } = await walkFiltered(request, start =>
          listFilteredInbound(sql, account.principal, { filter, start, limit: page.limit }),
        );
        return { ...page, total: null, results: await renderInboundList(caches, sql, rows), ...cursors };
      }
      const { total, rows, known } = await listInboundTransfers(sql, account, page);
      if (!known) await assertBlockAsOf(sql, account.asOf);
      return { ...page, total, results: await renderInboundList(caches, sql, rows) };
    },
  );
};
