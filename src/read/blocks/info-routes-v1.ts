import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';

/** Seconds between burn blocks that each network aims at. */
const times = { mainnet: { target_block_time: 600 }, testnet: { target_block_time: 120 } };
const BlockTime = Type.Object(
  { target_block_time: Type.Integer({ description: 'Seconds between burn blocks.' }) },
  { title: 'NetworkBlockTime' },
);
const BlockTimes = Type.Object({ mainnet: BlockTime, testnet: BlockTime }, { title: 'NetworkBlockTimes' });

export const v1Info: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/info/network_block_times',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_network_block_times',
        summary: 'Get the target block times',
        description: 'Returns the target time between burn blocks of each network, in seconds.',
        tags: ['Info'],
        response: { 200: BlockTimes },
      },
    },
    async () => times,
  );

  app.get(
    '/extended/v1/info/network_block_time/:network',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_network_block_time_by_network',
        summary: 'Get the target block time of a network',
        description: 'Returns the target time between burn blocks, in seconds.',
        tags: ['Info'],
        params: Type.Object({
          network: Type.Union([Type.Literal('mainnet'), Type.Literal('testnet')], {
            description: 'Name of the network.',
          }),
        }),
        response: { 200: BlockTime, 400: ErrorBody },
      },
    },
    async ({ params }) => times[params.network],
  );
};
