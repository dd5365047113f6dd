import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { RankedHits } from './ranked-hit-schema.ts';
import { searchRanked } from './ranked-search-view.ts';
import { SearchFound, SearchMissed } from './search-schema.ts';
import { searchById } from './search-view.ts';

export const v1Search: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/search',
    {
      config: { freshness: 'content', cost: 5 },
      schema: {
        operationId: 'search_ranked',
        summary: 'Search by what people type',
        description:
          'Finds blocks and Bitcoin blocks by height or hash, transactions by the first digits of their id, addresses, names of both ' +
          'naming systems, tokens by symbol or name, and contracts by a part of their name. What is exactly `q` comes first, then what ' +
          'begins so, then what has it somewhere. At most 20 results are returned. The status is 400 if `q` cannot be any of them.',
        tags: ['Search'],
        querystring: Type.Object({
          q: Type.String({
            minLength: 1,
            maxLength: 256,
            description:
              'A height, an address, a name, a token, a contract or a hash, or its beginning: two characters of a name or more, three of a ' +
              'contract, six of an address, eight hex digits of a hash.',
          }),
        }),
        response: { 200: RankedHits, 400: ErrorBody },
      },
      // A search by an empty id is an unknown URL, as clients know it.
      preValidation: (request, reply, done) => {
        if ((request.query as { q?: string }).q === undefined) reply.callNotFound();
        else done();
      },
    },
    async ({ sql, query }) => {
      const results = await searchRanked(caches, sql, query.q);
      if (!results)
        throw badRequest(
          'querystring/q must be a height, or a part of a hash, an address, a name, a contract or a token',
        );
      return { results };
    },
  );

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
