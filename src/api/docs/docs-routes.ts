import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { ApiContext } from '../api-context.ts';
import { sendDocs } from '../explorer/pages.ts';
import { renderDocs } from './docs-page.ts';
import { openApiOf } from './openapi.ts';

/** The API reference; `/docs/plain` is the OpenAPI document as a page without script, generated on the first request. */
export const serviceDocs: FastifyPluginAsyncTypebox<ApiContext> = async (app, { explorer }) => {
  let page: string | undefined;

  const sendPlain = (reply: FastifyReply) => {
    page ??= renderDocs(openApiOf(app));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  };

  app.get('/docs', { schema: { hide: true } }, async (request, reply) =>
    explorer ? sendDocs(request, reply, explorer) : sendPlain(reply),
  );
  app.get('/docs/plain', { schema: { hide: true } }, async (_request, reply) => sendPlain(reply));
};
