import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { notFound } from '../../../errors.ts';
import { jsonSchemasOf } from '../../docs/json-schemas.ts';
import { openApiOf } from '../../docs/openapi.ts';
import type { RouteContext } from '../../route-context.ts';

/** The JSON Schema of each shape of the OpenAPI document, generated on the first request. */
export const serviceSchemas: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  let schemas: Map<string, object> | undefined;

  app.get<{ Params: { file: string } }>('/schemas/:file', { schema: { hide: true } }, async ({ params }, reply) => {
    schemas ??= jsonSchemasOf(openApiOf(app));
    const [, name] = /^([\w-]+)\.json$/.exec(params.file) ?? [];
    const schema = name === undefined ? undefined : schemas.get(name);
    if (schema === undefined) throw notFound('No shape has this name: /docs lists them');
    return reply.type('application/schema+json; charset=utf-8').send(`${JSON.stringify(schema, null, 2)}\n`);
  });
};
