import { fromHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { pageOf, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { BlockProposal } from './block-proposal-schema.ts';
import { findProposal, listProposals } from './proposals-view.ts';

const tags = ['Signer Metrics'];
const defaultLimit = 25;
const BlockProposalPage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped.' }),
    results: Type.Array(BlockProposal),
  },
  { title: 'BlockProposalPage' },
);

export const signerMetricsBlockProposals: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/signer-metrics/v1/block_proposals',
    {
      config: { freshness: 'signers' },
      schema: {
        operationId: 'get_block_proposals',
        summary: 'List block proposals with the vote of each signer',
        description: 'Returns the proposals that were recorded, the newest arrival first.',
        tags,
        querystring: Type.Object(pageQuery(defaultLimit, 50)),
        response: { 200: BlockProposalPage },
      },
    },
    ({ sql, query }) => listProposals(sql, pageOf(query, defaultLimit)),
  );

  app.get(
    '/signer-metrics/v1/block_proposals/:block_hash',
    {
      config: { freshness: 'signers' },
      schema: {
        operationId: 'get_block_proposal',
        summary: 'Get a block proposal with the vote of each signer',
        description: 'The status is 404 if no proposal of this block was recorded.',
        tags,
        params: Type.Object({
          block_hash: Type.String({
            pattern: '^(0x)?[a-fA-F0-9]{64}$',
            description: 'Hash of the block, with or without `0x`.',
          }),
        }),
        response: { 200: BlockProposal, 404: ErrorBody },
      },
    },
    ({ sql, params }) => findProposal(sql, fromHex(params.block_hash)),
  );
};
