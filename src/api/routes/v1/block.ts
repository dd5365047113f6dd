import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Sql } from '../../../db/client.ts';
import { inSnapshot } from '../../../db/pool/snapshot.ts';
import { notFound } from '../../../errors.ts';
import { findBlockContents } from '../../../queries/blocks/block-contents.ts';
import { listBlocks, listFirstBlocks } from '../../../queries/blocks/block-list.ts';
import { type BlockRow, findBlock, findBlockByHash, findNewestOfBurnBlock } from '../../../queries/blocks/blocks.ts';
import { firstHeight } from '../../../queries/blocks/first-block.ts';
import {
  findLoggedBlock,
  findOrphanContents,
  type LoggedBlockKey,
  orphanBlockRow,
} from '../../../queries/blocks/logged-blocks.ts';
import { Block, renderBlock } from '../../../schemas/blocks/block.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageQuery } from '../../../schemas/pages/page.ts';
import { gatherBlocks } from '../../../views/blocks/block-list.ts';
import { redirectTo0x } from '../../http/hex-redirect.ts';
import { HeightParam, hashOf } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Blocks'];
const response = { 200: Block, 404: ErrorBody };

/** The old shape of blocks, with the ids of their transactions and microblocks. */
export const v1Block: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql: pool, pieces }) => {
  /** A canonical block, or else the orphan that the log has. */
  const ask = (
    find: (sql: Sql) => Promise<BlockRow | undefined>,
    orphan: LoggedBlockKey | undefined,
    missing: string,
  ) =>
    inSnapshot(pool, async sql => {
      const row = await find(sql);
      if (row) return renderBlock(row, await findBlockContents(sql, row.height));
      const block = orphan && (await findLoggedBlock(sql, orphan));
      if (!block) throw notFound(missing);
      return renderBlock(orphanBlockRow(block), await findOrphanContents(sql, block));
    });

  const askFirst = (limit: number, offset: number) =>
    inSnapshot(pool, async sql => {
      const { total, blocks } = await listFirstBlocks(sql, limit, offset);
      return { limit, offset, total, results: blocks.map(({ row, contents }) => renderBlock(row, contents)) };
    });

  app.get(
    '/extended/v1/block',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_block_list',
        summary: 'List blocks',
        description:
          'Returns blocks, newest first, with the ids of their transactions and microblocks. Deprecated: use ' +
          '`/extended/v2/blocks`.',
        tags,
        querystring: Type.Object(pageQuery(20, 30)),
        response: { 200: Page(Block, 'BlockPage') },
      },
    },
    async ({ query }) => {
      const limit = query.limit || 20;
      const offset = query.offset ?? 0;
      const { total, rows } = await listBlocks(pool, limit, offset);
      if (rows.at(-1)?.height === firstHeight) return await askFirst(limit, offset);
      return { limit, offset, total, results: await gatherBlocks(pieces, pool, rows) };
    },
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
    ({ params: { height } }) => ask(sql => findBlock(sql, { height }), { height }, 'cannot find block by height'),
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
    ({ params: { burn_block_height: height } }) =>
      ask(sql => findNewestOfBurnBlock(sql, { height }), { burnHeight: height }, 'cannot find block by height'),
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
        response,
      },
    },
    async ({ params }) => {
      const hash = hashOf(params.burn_block_hash);
      return ask(
        sql => findNewestOfBurnBlock(sql, { hash }),
        { burnHash: hash },
        'cannot find block by burn block hash',
      );
    },
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
        response,
      },
    },
    async ({ params }) => {
      const hash = hashOf(params.hash);
      return ask(sql => findBlockByHash(sql, hash), { hash }, 'cannot find block by hash');
    },
  );
};
