import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionPattern } from '../events/event-position-schema.ts';
import { cursorQuery } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { BondEventList } from './bond-event-schema.ts';
import { BondParam } from './bond-params.ts';
import { listEventsOfBond } from './bonds-view.ts';

export const v3StakingBondsEvents: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { tip, network, poxGeometry },
) => {
  app.get(
    '/extended/v3/staking/bonds/:bond_index/events',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_bond_events',
        summary: 'List the events of a bond',
        description:
          'Returns everything that the staking contract recorded about a bond, newest first. The list is empty if ' +
          'the bond is unknown.',
        tags: ['Staking'],
        params: Type.Object({ bond_index: BondParam }),
        querystring: Type.Object(cursorQuery(20, 50, eventPositionPattern)),
        response: { 200: BondEventList },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const clock = {
        burnTip: tip.current?.burnHeight ?? 0,
        mainnet: network.name === 'mainnet',
        prepare: (await poxGeometry())?.prepare,
      };
      return await listEventsOfBond(sql, params.bond_index, { cursor: eventCursorOf(cursor), limit }, clock);
    },
  );
};
