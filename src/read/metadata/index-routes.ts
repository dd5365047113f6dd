import { toHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { serverVersion } from '../../config/version.ts';
import type { RouteContext } from '../route-context.ts';
import { bothPaths } from './metadata-params.ts';
import { MetadataStatus } from './token-schema.ts';
import { findSearchedBlock } from './tokens-queries.ts';

export const metadataIndex: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  const schema = {
    operationId: 'get_metadata_status',
    summary: 'Get the status of token metadata',
    description: 'Returns the last block that was searched for tokens. Also served as `/metadata`.',
    tags: ['Token metadata'],
    response: { 200: MetadataStatus },
  };
  for (const { url, hide } of bothPaths('')) {
    app.get(url, { config: { freshness: 'content' }, schema: { ...schema, hide } }, async ({ sql }) => {
      const block = await findSearchedBlock(sql);
      const chain_tip = block ? { block_height: block.height, index_block_hash: toHex(block.index_hash) } : null;
      return { server_version: serverVersion, status: 'ready', chain_tip };
    });
  }
};
