import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { wantsJson } from '../../http/whole-body-params.ts';
import type { EventType } from '../events/event-types.ts';
import { eventTypes, transferTypes } from '../events/event-types.ts';
import {
  eventFilterOf,
  eventFilterQuery,
  movementTypes,
  transactionFilterOf,
  transactionFilterQuery,
} from '../filters/filter-params.ts';
import { refuseUnknownAsset } from '../filters/known-asset-view.ts';
import { startAt } from '../filters/steps-queries.ts';
import { ExactPrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { exportQuery, placeAfter } from './export-params.ts';
import { listExportedEvents, listExportedTransactions } from './export-queries.ts';
import { aboutExports, exportConfig, exportResponse, sendExport } from './export-response.ts';
import {
  eventColumnNames,
  renderEventRecord,
  renderTransactionRecord,
  transactionColumnNames,
  withJson,
} from './export-schema.ts';
import { EXPORT_STEP } from './export-view.ts';

const tags = ['History'];
const params = Type.Object({ principal: ExactPrincipalParam });
const lists = [
  {
    name: 'events',
    types: eventTypes,
    operationId: 'export_account_events',
    summary: 'Export the events of a principal',
    description: `Streams the events that moved assets of the principal, locked its STX or, for a contract, were printed by it. ${aboutExports}`,
  },
  {
    name: 'transfers',
    types: transferTypes,
    operationId: 'export_account_transfers',
    summary: 'Export the transfers of a principal',
    description: `Streams the transfers, mints and burns of STX, fungible tokens and NFTs of the principal. ${aboutExports}`,
  },
  {
    name: 'movements',
    types: movementTypes,
    operationId: 'export_account_movements',
    summary: 'Export what moved the balances of a principal',
    description:
      'Streams one line for each movement: fees that the principal paid, transfers, mints and burns of STX, fungible tokens and ' +
      `NFTs, rewards for mining, and locks of STX, which move nothing. ${aboutExports}`,
  },
] as const satisfies readonly {
  types: readonly (EventType | (typeof movementTypes)[number])[];
  [key: string]: unknown;
}[];

const eventColumns = { names: eventColumnNames, render: renderEventRecord };

export const v1HistoryExport: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  const querystring = Type.Object({ ...exportQuery, ...transactionFilterQuery });
  app.get(
    '/extended/v1/history/accounts/:principal/transactions',
    {
      config: exportConfig,
      schema: {
        operationId: 'export_account_transactions',
        summary: 'Export the transactions of a principal',
        description: `Streams the transactions that \`/extended/v3/principals/{principal}/transactions\` lists. \`stx_sent\` includes \`fee_paid\`. ${aboutExports}`,
        tags,
        params,
        querystring,
        response: exportResponse,
      },
    },
    (request, reply) => {
      const principal = principalOf(request.params.principal);
      const filter = transactionFilterOf(request.query);
      return sendExport(
        request,
        reply,
        { name: `${request.params.principal}-transactions`, after: placeAfter(request.query) },
        end => ({
          names: transactionColumnNames,
          render: renderTransactionRecord,
          read: (sql, place) =>
            listExportedTransactions(sql, {
              ...{ principal, filter, direction: 'oldest', start: startAt(sql, place), upTo: end.height },
              ...EXPORT_STEP,
            }),
        }),
      );
    },
  );

  for (const { name, types, ...about } of lists) {
    app.get(
      `/extended/v1/history/accounts/:principal/${name}`,
      {
        config: exportConfig,
        schema: {
          ...about,
          tags,
          params,
          querystring: Type.Object({ ...exportQuery, ...eventFilterQuery<(typeof types)[number]>(types) }),
          response: exportResponse,
        },
      },
      async (request, reply) => {
        const principal = principalOf(request.params.principal);
        const filter = eventFilterOf(request.query, types);
        await refuseUnknownAsset(request.sql, filter, request.query.asset);
        return sendExport(
          request,
          reply,
          { name: `${request.params.principal}-${name}`, after: placeAfter(request.query) },
          end => ({
            ...(wantsJson(request) ? withJson(eventColumns) : eventColumns),
            read: (sql, place) =>
              listExportedEvents(sql, {
                ...{ principal, filter, direction: 'oldest', start: startAt(sql, place), upTo: end.height },
                ...EXPORT_STEP,
              }),
          }),
        );
      },
    );
  }
};
