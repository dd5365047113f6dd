import type { FastifyPluginAsync } from 'fastify';
import { notFound } from '../../errors.ts';
import { renderDocs } from '../docs/docs-page.ts';
import { jsonSchemasOf } from '../docs/json-schemas.ts';
import { openApiOf } from '../docs/openapi.ts';

/** The document, its readable page and the schemas of its shapes, each written once when first asked for. */
export const docsRoutes: FastifyPluginAsync = async app => {
  let document: string | undefined;
  let page: string | undefined;
  let schemas: Map<string, object> | undefined;

  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= printJson(openApiOf(app));
    return reply.type('application/json; charset=utf-8').send(document);
  });

  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= renderDocs(openApiOf(app));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  });

  app.get<{ Params: { file: string } }>('/schemas/:file', { schema: { hide: true } }, async ({ params }, reply) => {
    schemas ??= jsonSchemasOf(openApiOf(app));
    const [, name] = /^([\w-]+)\.json$/.exec(params.file) ?? [];
    const schema = name === undefined ? undefined : schemas.get(name);
    if (schema === undefined) throw notFound('No shape has this name: /docs lists them');
    return reply.type('application/schema+json; charset=utf-8').send(printJson(schema));
  });
};

const printJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
