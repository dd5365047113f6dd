import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cursorQuery } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { listCollections } from './collections-queries.ts';
import { CollectionList, renderCollection } from './collections-schema.ts';

const defaultLimit = 20;
const LAST_ID = 2_147_483_647;

export const v1NftCollections: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/tokens/nft/collections',
    {
      config: { freshness: 'content' },
      schema: {
        operationId: 'get_nft_collections',
        summary: 'List NFT collections',
        description:
          'Returns the contracts of non-fungible tokens (SIP-009), those that were found last first. They are found with the metadata ' +
          'of tokens: the list is empty with `CAIRN_METADATA=off`.',
        tags: ['Tokens'],
        querystring: Type.Object(cursorQuery(defaultLimit, 50, '^[0-9]{1,9}$')),
        response: { 200: CollectionList },
      },
    },
    async ({ sql, query: { limit = defaultLimit, cursor } }) => {
      const rows = await listCollections(sql, Number(cursor ?? LAST_ID), limit);
      const next = rows[limit];
      return { next: next ? String(next.id) : null, results: rows.slice(0, limit).map(renderCollection) };
    },
  );
};
