import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../../errors.ts';
import { SearchHit, type SearchType, searchTypes } from '../../../schemas/search/search-v3.ts';
import { readSearchTerm } from '../../../views/search/search-term.ts';
import { searchAll } from '../../../views/search/search-v3.ts';
import { COMMA_LIST } from '../../docs/openapi.ts';
import type { RouteContext } from '../../route-context.ts';

export const v3Search: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/search',
    {
      config: { freshness: 'tip', cost: 5 },
      schema: {
        operationId: 'search',
        summary: 'Blocks, transactions, addresses, contracts and tokens by a part of their name',
        tags: ['Search'],
        querystring: Type.Object({
          q: Type.String({
            maxLength: 256,
            description: 'A hash, a height, an address, a contract or a token, or its beginning.',
          }),
          type: Type.Optional(
            Type.Array(Type.Union(searchTypes.map(name => Type.Literal(name))), {
              [COMMA_LIST]: 'single',
              uniqueItems: true,
              description: 'Only these.',
            }),
          ),
        }),
        response: { 200: Type.Object({ results: Type.Array(SearchHit) }, { title: 'SearchHits' }) },
      },
    },
    async ({ query: { q, type } }) => {
      const term = readSearchTerm(q);
      if (!term)
        throw badRequest('querystring/q must be a part of a hash, a height, an address, a contract or a token');
      return await searchAll(sql, term, q.trim(), new Set<SearchType>(type ?? searchTypes));
    },
  );
};
