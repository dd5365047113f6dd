import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { TransactionEvent } from '../../../../schemas/events/event.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { listAssetEvents } from '../../../../views/principals/transaction-list.ts';
import { asOfIn, asOfQuery } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressAssets: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/address/:principal/assets',
    {
      config: { freshness: 'principal', cost: 3 },
      schema: {
        operationId: 'get_account_assets',
        summary: 'Moves and locks of what an account has, the newest first',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery(usual, 100), ...asOfQuery }),
        response: { 200: Page(TransactionEvent, 'EventPage'), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }) => {
      const account = { principal: principalOf(params.principal), moment: asOfIn(query) };
      return await listAssetEvents(caches, sql, account, pageOf(query, usual));
    },
  );
};
