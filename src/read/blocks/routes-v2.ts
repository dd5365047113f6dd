import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { AverageTimes, averageWindows, renderAverageTimes } from './average-times-schema.ts';
import { listNakamotoBlocks } from './block-list-view.ts';
import { NakamotoBlockPage } from './block-page-schema.ts';
import { BlockKeyParam, blockKeyOf, blockPageOf, blockPageQuery } from './block-params.ts';
import { NakamotoBlock, renderNakamotoBlock } from './block-schema.ts';
import { findAverageTimes, findBlock, findBlockAtTime, findSignatures } from './blocks-queries.ts';
import { renderSignatures } from './signature-schema.ts';

const tags = ['Blocks'];
const params = Type.Object({ height_or_hash: BlockKeyParam });

export const v2Blocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v2/blocks',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_blocks',
        summary: 'List blocks',
        description:
          'Returns blocks, newest first. Pass `next_cursor` or `prev_cursor` of a page as `cursor` to get the newer ' +
          'or the older page. The status is 404 if the cursor names an unknown block.',
        tags,
        querystring: blockPageQuery,
        response: { 200: NakamotoBlockPage, 404: ErrorBody },
      },
    },
    ({ sql, query }) => listNakamotoBlocks(caches, sql, blockPageOf(query)),
  );

  app.get(
    '/extended/v2/blocks/average-times',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_average_block_times',
        summary: 'Get the average block times',
        description: 'Returns the mean time between blocks over the last hour, day, week and 30 days, in seconds.',
        tags,
        response: { 200: AverageTimes },
      },
    },
    async ({ sql }) => renderAverageTimes(await findAverageTimes(sql, averageWindows, Math.floor(Date.now() / 1000))),
  );

  app.get(
    '/extended/v2/blocks/by-block-time/:timestamp',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_block_by_block_time',
        summary: 'Get the block at a time',
        description: 'Returns the newest block at or before a Unix time. The status is 404 if the chain is younger.',
        tags,
        params: Type.Object({
          timestamp: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'A Unix time in seconds.' }),
        }),
        response: { 200: NakamotoBlock, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const row = await findBlockAtTime(sql, params.timestamp);
      if (!row) throw notFound('No block found at or before the given timestamp');
      return renderNakamotoBlock(row);
    },
  );

  app.get(
    '/extended/v2/blocks/:height_or_hash',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_block',
        summary: 'Get a block',
        description: 'The status is 404 if no canonical block has this height or hash.',
        tags,
        params,
        response: { 200: NakamotoBlock, 404: ErrorBody },
      },
    },
    async ({ sql, params }, reply) => {
      const key = blockKeyOf(params.height_or_hash);
      const row = await findBlock(sql, key);
      if (!row) throw notFound('Block not found');
      return cacheUntilRollback(reply, {
        body: renderNakamotoBlock(row),
        height: key === 'latest' ? undefined : row.height,
      });
    },
  );

  app.get(
    '/extended/v2/blocks/:height_or_hash/signer-signatures',
    {
      config: { freshness: 'block', walk: { grows: 'nowhere' } },
      schema: {
        operationId: 'get_signer_signatures_for_block',
        summary: 'List the signer signatures of a block',
        description:
          'Returns the signatures in the order of the block header. The list is empty if the block is unknown or ' +
          'older than Nakamoto.',
        tags,
        params,
        querystring: Type.Object(walkedPageQuery(500, 1000)),
        response: { 200: WalkedPage(Type.String(), 'SignerSignaturePage'), 409: ForkBody },
      },
    },
    async ({ sql, params, query: { limit = 500, offset = 0 } }, reply) => {
      const key = blockKeyOf(params.height_or_hash);
      const found = await findSignatures(sql, key);
      const body = renderSignatures(found?.signatures, limit, offset);
      return cacheUntilRollback(reply, { body, height: key === 'latest' ? undefined : found?.height });
    },
  );
};
