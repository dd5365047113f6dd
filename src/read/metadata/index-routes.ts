import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';
import { bothPaths } from './metadata-params.ts';
import { MetadataStatus } from './token-schema.ts';
import { describeMetadata } from './tokens-view.ts';

export const metadataIndex: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  const schema = {
    operationId: 'get_metadata_status',
    summary: 'Get the status of token metadata',
    description: 'Returns the last block that was searched for tokens. Also served as `/metadata`.',
    tags: ['Token metadata'],
    response: { 200: MetadataStatus },
  };
  for (const { url, hide } of bothPaths('')) {
    app.get(url, { config: { freshness: 'content' }, schema: { ...schema, hide } }, () => describeMetadata(sql));
  }
};
