import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { SearchFound, SearchMissed } from '../../../schemas/search/search.ts';
import { searchById } from '../../../views/search/search.ts';
import type { RouteContext } from '../../route-context.ts';

export const v1Search: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/search/:id',
    {
      config: { freshness: 'none', readsChain: true, cost: 3 },
      schema: {
        operationId: 'search_by_id',
        summary: 'What a hash, an address or a contract identifier names',
        tags: ['Search'],
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({
          include_metadata: Type.Optional(
            Type.Boolean({ default: false, description: 'Tell all that is known of it.' }),
          ),
        }),
        response: { 200: SearchFound, 404: SearchMissed },
      },
    },
    async ({ params, query }) => {
      const term = params.id.trim();
      const metadata = query.include_metadata === true;
      return { found: true as const, result: await searchById(caches, sql, term, metadata) };
    },
  );
};
