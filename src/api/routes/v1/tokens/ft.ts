import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { HolderPage } from '../../../../schemas/tokens/holder.ts';
import { listHolders } from '../../../../views/tokens/holder-list.ts';
import { assetOf } from '../../../params/asset.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 100;

export const v1TokensFt: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/tokens/ft/:token/holders',
    {
      config: { freshness: 'tip', cost: 3 },
      schema: {
        operationId: 'get_ft_holders',
        summary: 'Who has a fungible token or STX, largest balance first',
        tags: ['Tokens'],
        params: Type.Object({ token: Type.String({ description: '`stx`, or an asset identifier.' }) }),
        querystring: Type.Object(pageQuery(usual, 200)),
        response: { 200: HolderPage, 400: ErrorBody },
      },
    },
    ({ params: { token }, query }) =>
      listHolders(
        caches,
        sql,
        token === 'stx' ? token : assetOf(token),
        pageOf(query, usual),
        `/extended/v3/tokens/${token === 'stx' ? 'stx' : `ft/${token}`}/holders`,
      ),
  );
};
