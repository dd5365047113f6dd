import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';
import { SignerMetricsStatus } from './status-schema.ts';
import { readSignerMetricsStatus } from './status-view.ts';

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
    () => readSignerMetricsStatus(tip),
  );
};
