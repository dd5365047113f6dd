import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { RouteContext } from '../route-context.ts';

const NetworkStatus = Type.Object(
  {
    name: Type.String({ description: '`mainnet`, `testnet`, `devnet` (simulated), or `custom` for another chain id.' }),
    chain_id: Type.Integer({ description: 'The chain id that transactions sign.' }),
    addresses: Type.Enum(['mainnet', 'testnet'], { description: 'The versions of addresses: SP, SM or ST, SN.' }),
  },
  { title: 'NetworkStatus' },
);

export const v1StatusNetwork: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v1/status/network',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_network',
        summary: 'Get the network',
        description: 'Returns which network this service indexes. It does not change.',
        tags: ['Status'],
        response: { 200: NetworkStatus },
      },
    },
    async () => ({
      name: network.name,
      chain_id: network.chainId,
      addresses: network.mainnet ? ('mainnet' as const) : ('testnet' as const),
    }),
  );
};
