import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from '../route-context.ts';
import { MempoolFees, renderMempoolFees } from './mempool-stats-schema.ts';
import { findMempoolFees } from './stats-queries.ts';

const tags = ['Mempool'];

export const v2Mempool: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v2/mempool/fees',
    {
      config: { freshness: 'mempool', cost: 3 },
      schema: {
        operationId: 'get_mempool_fee_priorities',
        summary: 'Get fee priorities',
        description:
          'Returns fees in micro-STX for four priorities, taken from the percentiles of pending fees. A type ' +
          'without pending transactions is absent; without any pending transaction `all` is zero.',
        tags,
        response: { 200: MempoolFees },
      },
    },
    async ({ sql }) => renderMempoolFees(await findMempoolFees(sql)),
  );
};
