import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { renderEventList } from '../events/event-list-view.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { endOfEvents, eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { eventTypes } from '../events/event-types.ts';
import { startOfEvents } from '../events/positions-queries.ts';
import { eventFilterOf, eventFilterQuery } from '../filters/filter-params.ts';
import { renderFilteredStep } from '../filters/filtered-page-schema.ts';
import { refuseUnknownAsset } from '../filters/known-asset-view.ts';
import { cursorQuery } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { listFilteredEvents, MOST_SEARCHED } from './filtered-events-queries.ts';
import { PrincipalEventList, renderPrincipalEvent } from './principal-event-schema.ts';
import { ExactPrincipalParam } from './principal-params.ts';

export const v3PrincipalsEvents: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v3/principals/:principal/events',
    {
      config: { freshness: 'principal', cost: 3 },
      schema: {
        operationId: 'get_principal_events',
        summary: 'List the events of a principal',
        description:
          'Returns the events that moved assets of the principal, locked its STX or, for a contract, were printed by it, newest first. ' +
          `Nothing is counted: \`total\` and \`cursor.previous\` are null. One request looks at up to ${MOST_SEARCHED} transactions of the ` +
          'principal, so that a page may have fewer results than `limit`, or none; the list has ended where `cursor.next` is null.',
        tags: ['Accounts'],
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: Type.Object({ ...cursorQuery(20, 50, eventPositionPattern), ...eventFilterQuery(eventTypes) }),
        response: { 200: PrincipalEventList, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const { limit = 20 } = query;
      const start = startOfEvents(sql, eventCursorOf(query.cursor));
      const page = { start, limit, filter: eventFilterOf(query, eventTypes) };
      await refuseUnknownAsset(sql, page.filter, query.asset);
      const step = await listFilteredEvents(sql, principalOrUnknown(params.principal), page);
      const events = await renderEventList(caches, sql, step.rows);
      return renderFilteredStep(step, limit, {
        cursorOf: eventPositionCursor,
        endOf: endOfEvents,
        render: (row, i) => renderPrincipalEvent(row, events[i]!),
      });
    },
  );
};
