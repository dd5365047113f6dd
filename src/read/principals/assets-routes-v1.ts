import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { renderEventList } from '../events/event-list-view.ts';
import { TransactionEvent } from '../events/event-schema.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { asOfIn, asOfQuery } from '../pages/as-of-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { pageOf, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listPrincipalEvents } from './asset-moves-queries.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

const defaultLimit = 20;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v1AddressAssets: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/assets',
    {
      config: { freshness: 'principal', cost: 3, assetMetadata: true, walk: { grows: 'top' } },
      schema: {
        operationId: 'get_account_assets',
        summary: 'List the asset events of an account',
        description:
          'Returns the transfers, mints, burns and locks of STX, fungible tokens and NFTs that involve the account, ' +
          'newest first. The status is 404 if `until_block` names an unknown block.',
        tags,
        params,
        querystring: Type.Object({ ...walkedPageQuery(defaultLimit, 100), ...asOfQuery, ...assetMetadataQuery }),
        response: { 200: WalkedPage(TransactionEvent, 'EventPage'), 400: ErrorBody, 404: ErrorBody, 409: ForkBody },
      },
    },
    async ({ sql, params, query }) => {
      const account = { principal: principalOf(params.principal), asOf: asOfIn(query) };
      const page = pageOf(query, defaultLimit);
      const { total, rows, known } = await listPrincipalEvents(sql, account, page);
      if (!known) await assertBlockAsOf(sql, account.asOf);
      return { ...page, total, results: await renderEventList(caches, sql, rows) };
    },
  );
};
