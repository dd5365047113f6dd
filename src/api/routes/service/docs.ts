import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { renderDocs } from '../../docs/docs-page.ts';
import { openApiOf } from '../../docs/openapi.ts';
import type { RouteContext } from '../../route-context.ts';

/** The OpenAPI document as a page, generated on the first request. */
export const serviceDocs: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  let page: string | undefined;

  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= renderDocs(openApiOf(app));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  });
};
