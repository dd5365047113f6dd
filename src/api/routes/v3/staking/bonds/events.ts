import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { findBurnTimes } from '../../../../../queries/burn/burn-times.ts';
import { listBondEvents } from '../../../../../queries/staking/events.ts';
import { eventPositionCursor, eventPositionPattern } from '../../../../../schemas/events/event-position.ts';
import { cursorQuery, renderKeyedPage } from '../../../../../schemas/pages/cursor-list.ts';
import { BondEventList, heightsOf, renderBondEvent } from '../../../../../schemas/staking/bond-event.ts';
import { PACE_BLOCKS } from '../../../../../schemas/staking/schedule-point.ts';
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
    async ({ params, query: { limit = 20, cursor } }) => {
      const page = await listBondEvents(sql, params.bond_index, { cursor: eventCursorOf(cursor), limit });
      const clock = {
        burnTip: tip.current?.burnHeight ?? 0,
        mainnet: network.name === 'mainnet',
        prepare: (await poxGeometry())?.prepare,
      };
      const heights = page.rows.flatMap(row => heightsOf(row, clock));
      const times = await findBurnTimes(sql, heights, PACE_BLOCKS);
      const render = (row: (typeof page.rows)[number]) => renderBondEvent(row, times, clock);
      return renderKeyedPage(page, limit, { cursorOf: eventPositionCursor, render });
    },
  );
};
