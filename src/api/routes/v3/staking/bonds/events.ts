import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { eventPositionPattern } from '../../../../../schemas/events/event-position.ts';
import { cursorQuery } from '../../../../../schemas/pages/cursor-list.ts';
import { BondEventList } from '../../../../../schemas/staking/bond-event.ts';
import { listEventsOfBond } from '../../../../../views/staking/bonds.ts';
import { BondParam } from '../../../../params/bond.ts';
import { eventCursorOf } from '../../../../params/event-position.ts';
import type { RouteContext } from '../../../../route-context.ts';

export const v3StakingBondsEvents: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, tip, network, poxGeometry },
) => {
  app.get(
    '/extended/v3/staking/bonds/:bond_index/events',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_bond_events',
        summary: 'What happened to a bond, the newest first',
        tags: ['Staking'],
        params: Type.Object({ bond_index: BondParam }),
        querystring: Type.Object(cursorQuery(20, 50, eventPositionPattern)),
        response: { 200: BondEventList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const clock = {
        burnTip: tip.current?.burnHeight ?? 0,
        mainnet: network.name === 'mainnet',
        prepare: (await poxGeometry())?.prepare,
      };
      return await listEventsOfBond(sql, params.bond_index, { cursor: eventCursorOf(cursor), limit }, clock);
    },
  );
};
