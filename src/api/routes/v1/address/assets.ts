import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { TransactionEvent } from '../../../../schemas/events/event.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { listAssetEvents } from '../../../../views/principals/transaction-list.ts';
import { asOfIn, asOfQuery } from '../../../params/as-of.ts';
import { assetMetadataQuery } from '../../../params/metadata.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const defaultLimit = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressAssets: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/address/:principal/assets',
    {
      config: { freshness: 'principal', cost: 3, assetMetadata: true },
      schema: {
        operationId: 'get_account_assets',
        summary: 'List the asset events of an account',
        description:
          'Returns the transfers, mints, burns and locks of STX, fungible tokens and NFTs that involve the account, ' +
          'newest first. The status is 404 if `until_block` names an unknown block.',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery(defaultLimit, 100), ...asOfQuery, ...assetMetadataQuery }),
        response: { 200: Page(TransactionEvent, 'EventPage'), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }) => {
      const account = { principal: principalOf(params.principal), asOf: asOfIn(query) };
      return await listAssetEvents(caches, sql, account, pageOf(query, defaultLimit));
    },
  );
};
