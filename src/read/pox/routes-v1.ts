import type { Network } from '@cairn-stacks/codec/network';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest, notFound } from '../../errors.ts';
import { pageOf, pageQuery } from '../pages/page-schema.ts';
import { PrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import {
  listPoxEvents,
  listPoxEventsOfStacker,
  listPoxEventsOfTransaction,
  type PoxEventRow,
} from './events-queries.ts';
import { PoxEvent, renderPoxEvent } from './pox-event-schema.ts';
import { PoxParam, versionOf } from './pox-version-params.ts';

const tags = ['Stacking'];
const defaultLimit = 96;
const PoxEvents = Type.Object({ results: Type.Array(PoxEvent) }, { title: 'PoxEvents' });

export const v1Pox: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v1/:pox/events',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_events',
        summary: 'List the calls of a PoX contract',
        description: 'Returns the stacking calls that a PoX contract recorded, newest first.',
        tags,
        params: Type.Object({ pox: PoxParam }),
        querystring: Type.Object(pageQuery(defaultLimit, 200)),
        response: {
          200: Type.Object(
            {
              limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
              offset: Type.Integer({ description: 'Number of results that were skipped.' }),
              results: Type.Array(PoxEvent),
            },
            { title: 'PoxEventPage' },
          ),
        },
      },
    },
    async ({ sql, params, query }) => {
      const { limit, offset } = pageOf(query, defaultLimit);
      const rows = await listPoxEvents(sql, versionOf(params.pox), limit, offset);
      return { limit, offset, results: renderPoxEvents(rows, network) };
    },
  );

  app.get(
    '/extended/v1/:pox/tx/:tx_id',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_events_of_transaction',
        summary: 'List the PoX calls of a transaction',
        description:
          'Returns the calls of a PoX contract that one transaction made, newest first. The status is 404 if the ' +
          'transaction is not confirmed.',
        tags,
        params: Type.Object({
          pox: PoxParam,
          tx_id: Type.String({ description: 'A transaction id in hex, with `0x`.' }),
        }),
        response: { 200: PoxEvents },
      },
    },
    async ({ sql, params }) => {
      const rows = await listPoxEventsOfTransaction(sql, versionOf(params.pox), txIdOf(params.tx_id));
      if (!rows) throw notFound('could not find transaction by ID');
      return { results: renderPoxEvents(rows, network) };
    },
  );

  app.get(
    '/extended/v1/:pox/stacker/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_events_of_stacker',
        summary: 'List the PoX calls of a stacker',
        description:
          'Returns the calls of a PoX contract that concern a stacker, newest first; at most 10,000. The list is ' +
          'empty if the principal never stacked.',
        tags,
        params: Type.Object({ pox: PoxParam, principal: PrincipalParam }),
        response: { 200: PoxEvents },
      },
    },
    async ({ sql, params }) => {
      const rows = await listPoxEventsOfStacker(sql, versionOf(params.pox), principalOf(params.principal));
      return { results: renderPoxEvents(rows, network) };
    },
  );
};

const renderPoxEvents = (rows: PoxEventRow[], network: Network) =>
  rows.flatMap(row => renderPoxEvent(row, network) ?? []);

function txIdOf(text: string): Buffer {
  if (!text.startsWith('0x')) throw badRequest('Hex string is missing the "0x" prefix');
  if (text.length % 2 === 1) throw badRequest('Hex string is an odd number of digits');
  if (!/^0x[0-9a-f]*$/i.test(text)) throw badRequest('Invalid hash characters');
  return Buffer.from(text.slice(2), 'hex');
}
