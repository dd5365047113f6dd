import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { notFound } from '../../errors.ts';
import type { ApiContext } from '../api-context.ts';
import { jsonSchemasOf } from './json-schemas.ts';
import { openApiOf } from './openapi.ts';

/** The JSON Schema of each shape of the OpenAPI document, generated on the first request. */
export const serviceSchemas: FastifyPluginAsyncTypebox<ApiContext> = async app => {
  let schemas: Map<string, object> | undefined;

  app.get<{ Params: { file: string } }>('/schemas/:file', { schema: { hide: true } }, async ({ params }, reply) => {
    schemas ??= jsonSchemasOf(openApiOf(app));
    const [, name] = /^([\w-]+)\.json$/.exec(params.file) ?? [];
    const schema = name === undefined ? undefined : schemas.get(name);
    if (schema === undefined) throw notFound('No schema has this name. /docs lists all schemas');
    return reply.type('application/schema+json; charset=utf-8').send(`${JSON.stringify(schema, null, 2)}\n`);
  });
};
