import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import type { RouteContext } from '../route-context.ts';
import { readSearchTerm } from './search-term-view.ts';
import { SearchHit, type SearchType, searchTypes } from './search-v3-schema.ts';
import { searchAll } from './search-v3-view.ts';

export const v3Search: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v3/search',
    {
      config: { freshness: 'tip', cost: 5 },
      schema: {
        operationId: 'search',
        summary: 'Search',
        description:
          'Finds blocks, Bitcoin blocks, transactions, addresses, contracts and tokens. Exact matches come first, ' +
          'then matches at the start of a name, then matches within it. At most 20 results are returned. The status ' +
          'is 400 if `q` cannot be the start of a hash (8 hex digits or more), a height, an address (6 characters ' +
          'or more) or a part of a name (3 characters or more).',
        tags: ['Search'],
        querystring: Type.Object({
          q: Type.String({
            maxLength: 256,
            description: 'The search term: a hash, a height, an address, a contract or a token, or a part of it.',
          }),
          type: Type.Optional(
            Type.Array(Type.Union(searchTypes.map(name => Type.Literal(name))), {
              [COMMA_LIST]: 'single',
              uniqueItems: true,
              description: 'Only results of these types. The default is all types.',
            }),
          ),
        }),
        response: { 200: Type.Object({ results: Type.Array(SearchHit) }, { title: 'SearchHits' }) },
      },
    },
    async ({ sql, query: { q, type } }) => {
      const term = readSearchTerm(q);
      if (!term)
        throw badRequest('querystring/q must be a height, or a part of a hash, an address, a contract or a token');
      return await searchAll(caches, sql, term, q.trim(), new Set<SearchType>(type ?? searchTypes));
    },
  );
};
