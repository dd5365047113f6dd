import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { BlockKeyParam, blockKeyOf } from '../blocks/block-params.ts';
import { NakamotoBlock } from '../blocks/block-schema.ts';
import { Page, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { BurnBlock } from './burn-block-schema.ts';
import { findBurnBlock, listBlocksOfBurnBlock, listBurnBlocks } from './burn-blocks-view.ts';

const tags = ['Burn blocks'];
const params = Type.Object({ height_or_hash: BlockKeyParam });
const querystring = Type.Object(pageQuery(20, 30));

export const v2BurnBlocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v2/burn-blocks',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_burn_blocks',
        summary: 'List burn blocks',
        description:
          'Returns the burn blocks that have Stacks blocks, newest first. `total` is the number of Stacks blocks.',
        tags,
        querystring,
        response: { 200: Page(BurnBlock, 'BurnBlockPage') },
      },
    },
    ({ query: { limit = 20, offset = 0 } }) => listBurnBlocks(sql, { limit, offset }),
  );

  app.get(
    '/extended/v2/burn-blocks/:height_or_hash',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_burn_block',
        summary: 'Get a burn block',
        description: 'The status is 404 if the burn block is unknown or has no Stacks block.',
        tags,
        params,
        response: { 200: BurnBlock, 404: ErrorBody },
      },
    },
    ({ params }) => findBurnBlock(sql, blockKeyOf(params.height_or_hash)),
  );

  app.get(
    '/extended/v2/burn-blocks/:height_or_hash/blocks',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_blocks_by_burn_block',
        summary: 'List the Stacks blocks of a burn block',
        description:
          'Returns the Stacks blocks that were mined in a burn block, newest first. The status is 404 if the burn ' +
          'block is unknown.',
        tags,
        params,
        querystring,
        response: { 200: Page(NakamotoBlock, 'BurnBlockBlockPage'), 404: ErrorBody },
      },
    },
    ({ params, query: { limit = 20, offset = 0 } }) =>
      listBlocksOfBurnBlock(caches, sql, blockKeyOf(params.height_or_hash), { limit, offset }),
  );
};
