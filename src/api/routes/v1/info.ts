import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../schemas/error.ts';
import type { RouteContext } from '../../route-context.ts';

/** Seconds between burn blocks that each network aims at. */
const times = { mainnet: { target_block_time: 600 }, testnet: { target_block_time: 120 } };
const BlockTime = Type.Object({ target_block_time: Type.Integer() }, { title: 'NetworkBlockTime' });
const BlockTimes = Type.Object({ mainnet: BlockTime, testnet: BlockTime }, { title: 'NetworkBlockTimes' });

export const v1Info: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/info/network_block_times',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_network_block_times',
        summary: 'Seconds between blocks that the networks aim at',
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
        summary: 'Seconds between blocks that a network aims at',
        tags: ['Info'],
        params: Type.Object({ network: Type.Union([Type.Literal('mainnet'), Type.Literal('testnet')]) }),
        response: { 200: BlockTime, 400: ErrorBody },
      },
    },
    async ({ params }) => times[params.network],
  );
};
