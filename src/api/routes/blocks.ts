import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { fromHex } from '../../codec/hex.ts';
import { notFound } from '../../errors.ts';
import { findAverageTimes, findBlock, findBlockAtTime, findSignatures, pageBlocks } from '../../queries/blocks.ts';
import { AverageTimes, averageWindows, renderAverageTimes } from '../../schemas/average-times.ts';
import { NakamotoBlock, renderNakamotoBlock } from '../../schemas/block.ts';
import { NakamotoBlockPage, renderBlockPage } from '../../schemas/block-page.ts';
import { ErrorBody } from '../../schemas/error.ts';
import { Page, pageQuery } from '../../schemas/page.ts';
import { renderSignatures } from '../../schemas/signature.ts';
import { BlockKeyParam, blockKeyOf, HeightParam } from '../block-param.ts';
import { gatherNakamotoBlocks } from '../block-pieces.ts';
import type { RouteContext } from '../server.ts';
import { settle } from '../settled.ts';

const tags = ['Blocks'];
const params = Type.Object({ height_or_hash: BlockKeyParam });

/** Pages of blocks start at a block and move from there, up to ten of the largest pages either way. */
const blockPageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 30, default: 20 })),
  offset: Type.Optional(
    Type.Integer({ minimum: -300, maximum: 300, default: 0, description: 'Blocks below the cursor, or above.' }),
  ),
  cursor: Type.Optional(
    Type.String({ pattern: '^0x[a-fA-F0-9]{64}$', description: 'Index hash of the block to start from.' }),
  ),
});

export const blockRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
  const askPage = async (query: { limit?: number; offset?: number; cursor?: string }, tenure?: number) => {
    const limit = query.limit || 20;
    const offset = query.offset ?? 0;
    const page = await pageBlocks(sql, {
      limit,
      offset,
      ...(query.cursor !== undefined && { cursor: fromHex(query.cursor) }),
      ...(tenure !== undefined && { tenure }),
    });
    if (!page.cursorFound) throw notFound('Cursor not found');
    const results = await gatherNakamotoBlocks(pieces, sql, page.rows);
    return { limit, offset, ...renderBlockPage(page), results };
  };

  app.get(
    '/extended/v2/blocks',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_blocks',
        summary: 'Blocks, newest first',
        tags,
        querystring: blockPageQuery,
        response: { 200: NakamotoBlockPage, 404: ErrorBody },
      },
    },
    async ({ query }) => askPage(query),
  );

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
    async ({ query, params }) => askPage(query, params.tenure_height),
  );

  app.get(
    '/extended/v2/blocks/average-times',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_average_block_times',
        summary: 'Mean seconds between blocks over the last hour, day, week and month',
        tags,
        response: { 200: AverageTimes },
      },
    },
    async () => renderAverageTimes(await findAverageTimes(sql, averageWindows, Math.floor(Date.now() / 1000))),
  );

  app.get(
    '/extended/v2/blocks/by-block-time/:timestamp',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_block_by_block_time',
        summary: 'The newest block at or before a time',
        tags,
        params: Type.Object({ timestamp: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) }),
        response: { 200: NakamotoBlock, 404: ErrorBody },
      },
    },
    async ({ params }) => {
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
        summary: 'A block by height or hash',
        tags,
        params,
        response: { 200: NakamotoBlock, 404: ErrorBody },
      },
    },
    async ({ params }, reply) => {
      const key = blockKeyOf(params.height_or_hash);
      const row = await findBlock(sql, key);
      if (!row) throw notFound('Block not found');
      if (key !== 'latest') settle(reply, row.height);
      return renderNakamotoBlock(row);
    },
  );

  app.get(
    '/extended/v2/blocks/:height_or_hash/signer-signatures',
    {
      config: { freshness: 'block' },
      schema: {
        operationId: 'get_signer_signatures_for_block',
        summary: 'Signatures of the signers of a block, in their order',
        tags,
        params,
        querystring: Type.Object(pageQuery(500, 1000)),
        response: { 200: Page(Type.String(), 'SignerSignaturePage') },
      },
    },
    async ({ params, query: { limit = 500, offset = 0 } }, reply) => {
      const key = blockKeyOf(params.height_or_hash);
      const found = await findSignatures(sql, key);
      if (found && key !== 'latest') settle(reply, found.height);
      return renderSignatures(found?.signatures, limit, offset);
    },
  );
};
