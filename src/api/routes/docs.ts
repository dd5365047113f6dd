import type { FastifyPluginAsync } from 'fastify';
import { renderDocs } from '../docs-page.ts';
import { openApiOf } from '../openapi.ts';

/** The document and its readable page, each written once when first asked for. */
export const docsRoutes: FastifyPluginAsync = async app => {
  let document: string | undefined;
  let page: string | undefined;

  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= `${JSON.stringify(openApiOf(app), null, 2)}\n`;
    return reply.type('application/json; charset=utf-8').send(document);
  });

  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= renderDocs(openApiOf(app));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  });
};
