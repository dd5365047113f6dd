import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { RouteContext } from '../route-context.ts';
import { SearchFound, SearchMissed } from './search-schema.ts';
import { searchById } from './search-view.ts';

export const v1Search: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/search/:id',
    {
      config: { freshness: 'none', readsChain: true, cost: 3 },
      schema: {
        operationId: 'search_by_id',
        summary: 'Look up a hash, an address or a contract',
        description:
          'Finds a block, a transaction, an address or a contract by its hash, id, address or identifier. The status is 404 ' +
          'if nothing matches; `result.entity_type` then says how the term was understood.',
        tags: ['Search'],
        params: Type.Object({
          id: Type.String({ description: 'A block hash, a transaction id, an address or a contract identifier.' }),
        }),
        querystring: Type.Object({
          include_metadata: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Whether to add `metadata`: the whole transaction, block or balance.',
            }),
          ),
        }),
        response: { 200: SearchFound, 404: SearchMissed },
      },
    },
    async ({ sql, params, query }) => {
      const term = params.id.trim();
      const metadata = query.include_metadata === true;
      return { found: true as const, result: await searchById(caches, sql, term, metadata) };
    },
  );
};
