import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { constantFeeRate } from '../../compat/fee-rate.ts';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';

const FeeRate = Type.Object({ fee_rate: Type.Integer({ description: 'Always 400.' }) }, { title: 'FeeRate' });

export const v1FeeRate: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.post(
    '/extended/v1/fee_rate',
    {
      config: { deprecated: true },
      bodyLimit: 500_000,
      schema: {
        operationId: 'fetch_fee_rate',
        summary: 'Get a fee rate',
        description: 'Always returns the same fee rate. Deprecated: use `/v2/fees/transaction`, which calls the node.',
        tags: ['Fees'],
        body: Type.Object({
          transaction: Type.String({ description: 'A serialized transaction in hex. It is ignored.' }),
        }),
        response: { 200: FeeRate, 400: ErrorBody },
      },
    },
    async () => constantFeeRate,
  );
};
