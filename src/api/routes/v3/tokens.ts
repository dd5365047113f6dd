import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findSupply } from '../../../queries/supply.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { renderTotalSupply, TotalSupply } from '../../../schemas/supply.ts';
import { noSuchMoment } from '../../moment-param.ts';
import type { RouteContext } from '../../server.ts';

export const tokenV3Routes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/tokens/stx/supply',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_stx_total_supply',
        summary: 'Micro-STX in existence',
        tags: ['Supply'],
        response: { 200: TotalSupply, 404: ErrorBody },
      },
    },
    async () => {
      const row = await findSupply(sql);
      if (!row) throw noSuchMoment('tip');
      return renderTotalSupply(row.supply);
    },
  );
};
