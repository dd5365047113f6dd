import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Reader } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { renderNakamotoBlockList } from '../blocks/block-list-view.ts';
import { BlockKeyParam, blockKeyOf } from '../blocks/block-params.ts';
import { NakamotoBlock } from '../blocks/block-schema.ts';
import type { BlockKey } from '../blocks/blocks-queries.ts';
import { isLoggedBlock } from '../blocks/logged-blocks-queries.ts';
import { Page, pageQuery, renderPage, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { BurnBlock, renderBurnBlock } from './burn-block-schema.ts';
import { findBurnBlock, listBlocksOfBurnBlock, listBurnBlocks } from './burn-blocks-queries.ts';

const tags = ['Burn blocks'];
const params = Type.Object({ height_or_hash: BlockKeyParam });
const querystring = Type.Object(pageQuery(20, 30));

export const v2BurnBlocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
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
    async ({ sql, query: { limit = 20, offset = 0 } }) =>
      renderPage({ limit, offset }, await listBurnBlocks(sql, limit, offset), renderBurnBlock),
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
    async ({ sql, params }) => {
      const row = await findBurnBlock(sql, blockKeyOf(params.height_or_hash));
      if (!row) throw notFound('Not found');
      return renderBurnBlock(row);
    },
  );

  app.get(
    '/extended/v2/burn-blocks/:height_or_hash/blocks',
    {
      config: { freshness: 'tip', walk: { grows: 'top' } },
      schema: {
        operationId: 'get_blocks_by_burn_block',
        summary: 'List the Stacks blocks of a burn block',
        description:
          'Returns the Stacks blocks that were mined in a burn block, newest first. The status is 404 if the burn ' +
          'block is unknown.',
        tags,
        params,
        querystring: Type.Object(walkedPageQuery(20, 30)),
        response: { 200: WalkedPage(NakamotoBlock, 'BurnBlockBlockPage'), 404: ErrorBody, 409: ForkBody },
      },
    },
    async ({ sql, params, query: { limit = 20, offset = 0 } }) => {
      const key = blockKeyOf(params.height_or_hash);
      const { total, rows, found } = await listBlocksOfBurnBlock(sql, key, limit, offset);
      // A burn block of orphans only, or of block 0, has an empty list.
      if (!found && !(await isBurnBlockOfOrphan(sql, key))) throw notFound('Burn block not found');
      return { limit, offset, total, results: await renderNakamotoBlockList(caches, sql, rows) };
    },
  );
};

async function isBurnBlockOfOrphan(sql: Reader, key: BlockKey): Promise<boolean> {
  if (key === 'latest') return false;
  return await isLoggedBlock(sql, 'height' in key ? { burnHeight: key.height } : { burnHash: key.hash });
}
