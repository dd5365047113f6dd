import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../schemas/error.ts';
import type { RouteContext } from '../../route-context.ts';

const FeeRate = Type.Object({ fee_rate: Type.Integer() }, { title: 'FeeRate' });

/** A relic: old wallets ask, and have always been told the same figure. */
export const v1FeeRate: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.post(
    '/extended/v1/fee_rate',
    {
      config: { deprecated: true },
      bodyLimit: 500_000,
      schema: {
        operationId: 'fetch_fee_rate',
        summary: 'A constant fee rate; ask the node at /v2/fees/transaction instead',
        tags: ['Fees'],
        body: Type.Object({ transaction: Type.String({ description: 'A serialized transaction; not looked at.' }) }),
        response: { 200: FeeRate, 400: ErrorBody },
      },
    },
    async () => ({ fee_rate: 400 }),
  );
};
