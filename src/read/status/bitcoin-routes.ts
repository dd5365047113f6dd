import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { serverVersion } from '../../config/version.ts';
import { databaseUnavailable } from '../../errors.ts';
import type { RouteContext } from '../route-context.ts';
import { BitcoinStatus, renderBitcoinStatus } from './status-schema.ts';

export const serviceBitcoin: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  app.get(
    '/bitcoin/v1',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bitcoin_status',
        summary: 'Get the status with all fields',
        description:
          'Returns the same facts as `/extended`. Every field is always present: unknown heights are 0 and unknown ' +
          'hashes are empty. The status is 503 while the database is unavailable.',
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
