import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { redirected, redirectTo0x } from '../../http/hex-redirect.ts';
import { pageOf, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { HeightParam, hashOf } from './block-params.ts';
import { Block } from './block-schema.ts';
import {
  findBlockAtHeight,
  findBlockOfBurnHash,
  findBlockOfBurnHeight,
  findBlockOfHash,
  listBlocksV1,
} from './blocks-v1-view.ts';

const tags = ['Blocks'];
const response = { 200: Block, 404: ErrorBody };

/** The old shape of blocks, with the ids of their transactions and microblocks. */
export const v1Block: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/block',
    {
      config: { freshness: 'tip', deprecated: true, walk: { grows: 'top' } },
      schema: {
        operationId: 'get_block_list',
        summary: 'List blocks',
        description:
          'Returns blocks, newest first, with the ids of their transactions and microblocks. Deprecated: use ' +
          '`/extended/v2/blocks`.',
        tags,
        querystring: Type.Object(walkedPageQuery(20, 30)),
        response: { 200: WalkedPage(Block, 'BlockPage'), 409: ForkBody },
      },
    },
    ({ sql, query }) => listBlocksV1(caches, sql, pageOf(query, 20)),
  );

  app.get(
    '/extended/v1/block/by_height/:height',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_height',
        summary: 'Get a block by height',
        description:
          'Returns the canonical block at the height, or a non-canonical one if there is no canonical block. ' +
          'Deprecated: use `/extended/v2/blocks/{height_or_hash}`. The status is 404 if no block has this height.',
        tags,
        params: Type.Object({ height: HeightParam }),
        response,
      },
    },
    ({ sql, params }) => findBlockAtHeight(sql, params.height),
  );

  app.get(
    '/extended/v1/block/by_burn_block_height/:burn_block_height',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_burn_block_height',
        summary: 'Get the newest block of a burn block by height',
        description:
          'Returns the newest Stacks block that was mined in a burn block. Deprecated: use ' +
          '`/extended/v2/burn-blocks/{height_or_hash}/blocks`. The status is 404 if the burn block has no Stacks ' +
          'block.',
        tags,
        params: Type.Object({ burn_block_height: HeightParam }),
        response,
      },
    },
    ({ sql, params }) => findBlockOfBurnHeight(sql, params.burn_block_height),
  );

  app.get(
    '/extended/v1/block/by_burn_block_hash/:burn_block_hash',
    {
      preValidation: redirectTo0x('burn_block_hash'),
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_burn_block_hash',
        summary: 'Get the newest block of a burn block by hash',
        description:
          'Returns the newest Stacks block that was mined in a burn block. Deprecated: use ' +
          '`/extended/v2/burn-blocks/{height_or_hash}/blocks`. The status is 404 if the burn block has no Stacks ' +
          'block.',
        tags,
        params: Type.Object({ burn_block_hash: Type.String({ description: 'Hash of a burn block in hex.' }) }),
        response: { ...response, ...redirected },
      },
    },
    async ({ sql, params }) => findBlockOfBurnHash(sql, hashOf(params.burn_block_hash)),
  );

  app.get(
    '/extended/v1/block/:hash',
    {
      preValidation: redirectTo0x('hash'),
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_by_hash',
        summary: 'Get a block by hash',
        description:
          'Returns the block with `canonical: false` if a fork took it from the chain. Deprecated: use ' +
          '`/extended/v2/blocks/{height_or_hash}`. The status is 404 if no block has this hash.',
        tags,
        params: Type.Object({ hash: Type.String({ description: 'A block hash in hex.' }) }),
        response: { ...response, ...redirected },
      },
    },
    async ({ sql, params }) => findBlockOfHash(sql, hashOf(params.hash)),
  );
};
