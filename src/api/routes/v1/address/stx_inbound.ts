import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { InboundTransferPage } from '../../../../schemas/principals/inbound-transfer.ts';
import { listInboundStx } from '../../../../views/principals/transaction-list.ts';
import { asOfAndHeightIn, blockQuery } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressStxInbound: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/address/:principal/stx_inbound',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_account_inbound',
        summary: 'STX that came in with a memo, the newest first',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery(usual, 50), ...blockQuery }),
        response: { 200: InboundTransferPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }) => {
      const account = { principal: principalOf(params.principal), ...asOfAndHeightIn(query) };
      return await listInboundStx(caches, sql, account, pageOf(query, usual));
    },
  );
};
