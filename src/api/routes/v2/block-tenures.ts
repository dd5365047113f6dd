import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { NakamotoBlockPage } from '../../../schemas/blocks/block-page.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { listNakamotoBlocks } from '../../../views/blocks/block-list.ts';
import { blockPageOf, blockPageQuery, HeightParam } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Blocks'];

export const v2BlockTenures: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v2/block-tenures/:tenure_height/blocks',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_tenure_blocks',
        summary: 'Blocks of a tenure, newest first',
        tags,
        params: Type.Object({ tenure_height: HeightParam }),
        querystring: blockPageQuery,
        response: { 200: NakamotoBlockPage, 404: ErrorBody },
      },
    },
    ({ query, params }) => listNakamotoBlocks(caches, sql, { ...blockPageOf(query), tenure: params.tenure_height }),
  );
};
