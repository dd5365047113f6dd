import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { databaseUnavailable } from '../../../errors.ts';
import { BitcoinStatus, renderBitcoinStatus } from '../../../schemas/status/status.ts';
import { serverVersion } from '../../../version.ts';
import type { RouteContext } from '../../route-context.ts';

export const serviceBitcoin: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  app.get(
    '/bitcoin/v1',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bitcoin_status',
        summary: 'The same, with every field always there',
        tags: ['Status'],
        response: { 200: BitcoinStatus },
      },
    },
    async () => {
      if (!tip.current) throw databaseUnavailable();
      return renderBitcoinStatus(tip.current, serverVersion);
    },
  );
};
