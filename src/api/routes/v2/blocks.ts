import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AverageTimes } from '../../../schemas/blocks/average-times.ts';
import { NakamotoBlock } from '../../../schemas/blocks/block.ts';
import { NakamotoBlockPage } from '../../../schemas/blocks/block-page.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageQuery } from '../../../schemas/pages/page.ts';
import { listNakamotoBlocks } from '../../../views/blocks/block-list.ts';
import {
  findAverageBlockTimes,
  findNakamotoBlock,
  findNakamotoBlockAtTime,
  listSignerSignatures,
} from '../../../views/blocks/blocks.ts';
import { settleAt } from '../../http/settled.ts';
import { BlockKeyParam, blockKeyOf, blockPageOf, blockPageQuery } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Blocks'];
const params = Type.Object({ height_or_hash: BlockKeyParam });

export const v2Blocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
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
    ({ query }) => listNakamotoBlocks(caches, sql, blockPageOf(query)),
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
    () => findAverageBlockTimes(sql, Math.floor(Date.now() / 1000)),
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
    ({ params }) => findNakamotoBlockAtTime(sql, params.timestamp),
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
    async ({ params }, reply) => settleAt(reply, await findNakamotoBlock(sql, blockKeyOf(params.height_or_hash))),
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
    async ({ params, query: { limit = 500, offset = 0 } }, reply) =>
      settleAt(reply, await listSignerSignatures(sql, blockKeyOf(params.height_or_hash), { limit, offset })),
  );
};
