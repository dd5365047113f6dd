import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfAndHeightIn, blockQuery } from '../pages/as-of-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { pageOf, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
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
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_account_inbound',
        summary: 'List the incoming STX transfers of an account',
        description:
          'Returns the token transfers to the account, the transfers by contracts that carry a memo, and the ' +
          'payments of the bulk-send contract, newest first. Amounts are in micro-STX. The status is 404 if ' +
          '`until_block` names an unknown block.',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery(defaultLimit, 50), ...blockQuery }),
        response: { 200: InboundTransferPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      const page = pageOf(query, defaultLimit);
      const { total, rows, known } = await listInboundTransfers(sql, account, page);
      if (!known) await assertBlockAsOf(sql, account.asOf);
      return { ...page, total, results: await renderInboundList(caches, sql, rows) };
    },
  );
};
