import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { HolderPage } from '../../../../schemas/tokens/holder.ts';
import { listHolders } from '../../../../views/tokens/holder-list.ts';
import { assetOf } from '../../../params/asset.ts';
import { assetMetadataQuery } from '../../../params/metadata.ts';
import type { RouteContext } from '../../../route-context.ts';

const defaultLimit = 100;

export const v1TokensFt: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/tokens/ft/:token/holders',
    {
      config: { freshness: 'tip', cost: 3, assetMetadata: true },
      schema: {
        operationId: 'get_ft_holders',
        summary: 'List the holders of a token',
        description:
          'Returns the holders of a fungible token or of STX, largest balance first. Balances are in the smallest ' +
          'unit (micro-STX for STX). `offset` must lie within the first or the last 100,000 holders; use the cursor ' +
          'of `/extended/v3/tokens` for the rest.',
        tags: ['Tokens'],
        params: Type.Object({
          token: Type.String({ description: '`stx`, or an asset identifier (`CONTRACT_ID::ASSET_NAME`).' }),
        }),
        querystring: Type.Object({ ...pageQuery(defaultLimit, 200), ...assetMetadataQuery }),
        response: { 200: HolderPage, 400: ErrorBody },
      },
    },
    ({ params: { token }, query }) =>
      listHolders(
        caches,
        sql,
        token === 'stx' ? token : assetOf(token),
        pageOf(query, defaultLimit),
        `/extended/v3/tokens/${token === 'stx' ? 'stx' : `ft/${token}`}/holders`,
      ),
  );
};
