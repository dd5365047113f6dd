import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Block } from '../../../schemas/blocks/block.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../schemas/pages/page.ts';
import {
  findBlockAtHeight,
  findBlockOfBurnHash,
  findBlockOfBurnHeight,
  findBlockOfHash,
  listBlocksV1,
} from '../../../views/blocks/blocks-v1.ts';
import { redirectTo0x } from '../../http/hex-redirect.ts';
import { HeightParam, hashOf } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Blocks'];
const response = { 200: Block, 404: ErrorBody };

/** The old shape of blocks, with the ids of their transactions and microblocks. */
export const v1Block: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/block',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_list',
        summary: 'Blocks, newest first',
        tags,
        querystring: Type.Object(pageQuery(20, 30)),
        response: { 200: Page(Block, 'BlockPage') },
      },
    },
    ({ query }) => listBlocksV1(caches, sql, pageOf(query, 20)),
  );

  app.get(
    '/extended/v1/block/by_height/:height',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_height',
        summary: 'A block by height',
        tags,
        params: Type.Object({ height: HeightParam }),
        response,
      },
    },
    ({ params }) => findBlockAtHeight(sql, params.height),
  );

  app.get(
    '/extended/v1/block/by_burn_block_height/:burn_block_height',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_burn_block_height',
        summary: 'The newest block of a burn block, by its height',
        tags,
        params: Type.Object({ burn_block_height: HeightParam }),
        response,
      },
    },
    ({ params }) => findBlockOfBurnHeight(sql, params.burn_block_height),
  );

  app.get(
    '/extended/v1/block/by_burn_block_hash/:burn_block_hash',
    {
      preValidation: redirectTo0x('burn_block_hash'),
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_burn_block_hash',
        summary: 'The newest block of a burn block, by its hash',
        tags,
        params: Type.Object({ burn_block_hash: Type.String() }),
        response,
      },
    },
    async ({ params }) => findBlockOfBurnHash(sql, hashOf(params.burn_block_hash)),
  );

  app.get(
    '/extended/v1/block/:hash',
    {
      preValidation: redirectTo0x('hash'),
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_hash',
        summary: 'A block by its hash',
        tags,
        params: Type.Object({ hash: Type.String() }),
        response,
      },
    },
    async ({ params }) => findBlockOfHash(sql, hashOf(params.hash)),
  );
};
