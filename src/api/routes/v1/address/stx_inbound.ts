import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { hasMoment } from '../../../../queries/pages/as-of.ts';
import { listInboundTransfers } from '../../../../queries/principals/inbound-transfers.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { InboundTransferPage } from '../../../../schemas/principals/inbound-transfer.ts';
import { gatherInbound } from '../../../../views/principals/inbound-list.ts';
import { blockQuery, momentAndHeightIn, noSuchMoment } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressStxInbound: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
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
        querystring: Type.Object({ ...pageQuery(usual, 50), ...blockQuery }),
        response: { 200: InboundTransferPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { principal }, query }) => {
      const page = pageOf(query, usual);
      const account = { principal: principalOf(principal), ...momentAndHeightIn(query) };
      const { total, rows, known } = await listInboundTransfers(sql, account, page);
      if (!known && !(await hasMoment(sql, account.moment))) throw noSuchMoment(account.moment);
      return { ...page, total, results: await gatherInbound(pieces, sql, rows) };
    },
  );
};
