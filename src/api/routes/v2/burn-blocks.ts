import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { NakamotoBlock } from '../../../schemas/blocks/block.ts';
import { BurnBlock } from '../../../schemas/burn/burn-block.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageQuery } from '../../../schemas/pages/page.ts';
import { findBurnBlock, listBlocksOfBurnBlock, listBurnBlocks } from '../../../views/burn/burn-blocks.ts';
import { BlockKeyParam, blockKeyOf } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

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
        summary: 'Burn blocks that have Stacks blocks, newest first',
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
        summary: 'A burn block by height or hash',
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
        summary: 'Stacks blocks of a burn block, newest first',
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
