import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { MempoolFees } from '../../../schemas/mempool/mempool-stats.ts';
import { findFeePriorities } from '../../../views/mempool/mempool-list.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Mempool'];

export const v2Mempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v2/mempool/fees',
    {
      config: { freshness: 'mempool', cost: 3 },
      schema: {
        operationId: 'get_mempool_fee_priorities',
        summary: 'What pending transactions pay, as four priorities',
        tags,
        response: { 200: MempoolFees },
      },
    },
    () => findFeePriorities(sql),
  );
};
