import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { listNakamotoBlocks } from './block-list-view.ts';
import { NakamotoBlockPage } from './block-page-schema.ts';
import { blockPageOf, blockPageQuery, HeightParam } from './block-params.ts';

const tags = ['Blocks'];

export const v2BlockTenures: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v2/block-tenures/:tenure_height/blocks',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_tenure_blocks',
        summary: 'List the blocks of a tenure',
        description:
          'Returns the blocks of a tenure, newest first. Pass `next_cursor` or `prev_cursor` of a page as `cursor` ' +
          'to get the newer or the older page. The status is 404 if the cursor names an unknown block.',
        tags,
        params: Type.Object({ tenure_height: HeightParam }),
        querystring: blockPageQuery,
        response: { 200: NakamotoBlockPage, 404: ErrorBody },
      },
    },
    ({ sql, query, params }) =>
      listNakamotoBlocks(caches, sql, { ...blockPageOf(query), tenure: params.tenure_height }),
  );
};
