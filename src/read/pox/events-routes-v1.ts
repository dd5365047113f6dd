import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';

/** Paths of the first releases with PoX events; all three versions lead to where they are now. */
export const v1PoxEvents: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  for (const pox of ['pox2', 'pox3', 'pox4']) {
    app.get(`/extended/v1/${pox}_events`, { schema: { hide: true } }, async (request, reply) =>
      reply.redirect(`/extended/v1/${pox}/events${queryOf(request.url)}`),
    );
    app.get<{ Params: { '*': string } }>(
      `/extended/v1/${pox}_events/*`,
      { schema: { hide: true } },
      async (request, reply) => {
        const rest = request.params['*'].split('/').map(encodeURIComponent).join('/');
        return reply.redirect(`/extended/v1/${pox}/${rest}${queryOf(request.url)}`);
      },
    );
  }
};

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');
