import { toHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { version } from '../../config/version.ts';
import { databaseUnavailable } from '../../errors.ts';
import type { RouteContext } from '../route-context.ts';
import { SignerMetricsStatus } from './status-schema.ts';

export const signerMetricsIndex: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  app.get(
    '/signer-metrics',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_signer_metrics_status',
        summary: 'Get the status of the signer metrics',
        description: 'Returns the version of the service and the tip of the chain.',
        tags: ['Signer Metrics'],
        response: { 200: SignerMetricsStatus },
      },
    },
    () => {
      const { current } = tip;
      if (!current) throw databaseUnavailable();
      return {
        server_version: `cairn v${version}`,
        status: 'ready' as const,
        chain_tip: { block_height: Math.max(0, current.height), index_block_hash: toHex(current.indexHash) },
      };
    },
  );
};
