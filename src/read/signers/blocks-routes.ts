import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { BlockKeyParam, blockKeyOf } from '../blocks/block-params.ts';
import { pageOf, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { SignedBlock } from './signed-block-schema.ts';
import { findSignedBlockVotes, listSignedBlockPage } from './signed-blocks-view.ts';

const tags = ['Signer Metrics'];
const defaultLimit = 100;

export const signerMetricsBlocks: FastifyPluginAsyncTypebox<RouteContext> = async (app, context) => {
  app.get(
    '/signer-metrics/v1/blocks',
    {
      config: { freshness: 'signers', walk: { grows: 'top' } },
      schema: {
        operationId: 'get_signed_blocks',
        summary: 'List blocks with the votes of their signers',
        description: 'Returns canonical blocks, newest first.',
        tags,
        querystring: Type.Object(walkedPageQuery(defaultLimit, 100)),
        response: { 200: WalkedPage(SignedBlock, 'SignedBlockPage'), 409: ForkBody },
      },
    },
    ({ sql, query }) => listSignedBlockPage(context, sql, pageOf(query, defaultLimit)),
  );

  app.get(
    '/signer-metrics/v1/blocks/:height_or_hash',
    {
      config: { freshness: 'signers' },
      schema: {
        operationId: 'get_signed_block',
        summary: 'Get a block with the votes of its signers',
        description: 'The status is 404 if no canonical block has this height or hash.',
        tags,
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        response: { 200: SignedBlock, 404: ErrorBody },
      },
    },
    ({ sql, params }) => findSignedBlockVotes(context, sql, blockKeyOf(params.height_or_hash)),
  );
};
