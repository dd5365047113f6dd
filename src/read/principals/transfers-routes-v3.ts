import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import { addressNetwork } from '@cairn-stacks/codec/network';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { endOfEvents, eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { eventTypes } from '../events/event-types.ts';
import { eventFilterOf, hasFilter, transferFilterQuery } from '../filters/filter-params.ts';
import { aboutFilters, renderFilteredStep } from '../filters/filtered-page-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from '../tokens/asset-params.ts';
import { listFilteredTransfers, MOST_TRANSFERS } from './filtered-transfers-queries.ts';
import { ExactPrincipalParam } from './principal-params.ts';
import { FtTransferList, renderFtTransfer, renderStxTransfer, StxTransferList } from './principal-transfer-schema.ts';
import {
  ftKey,
  ftShape,
  listFtTransfers,
  listStxTransfers,
  type StxTransferRow,
  stxKey,
  stxShape,
  type TransferRow,
} from './transfers-queries.ts';

const tags = ['Accounts'];
const querystring = Type.Object({ ...cursorQuery(20, 50, eventPositionPattern), ...transferFilterQuery });
const nobody = { contract: new Uint8Array(0), name: '' };
/** The contract by which exchanges pay many at once; it prints the memo of each payment behind it. */
const sendMany = {
  mainnet: 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.send-many-memo',
  testnet: 'ST3F1X4QGV2SM8XD96X45M6RTQXKA1PZJZZCQAB4B.send-many-memo',
};

export const v3PrincipalsTransfers: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  for (const direction of ['inbound', 'outbound'] as const) {
    app.get(
      `/extended/v3/principals/:principal/transfers/stx/${direction}`,
      {
        config: { freshness: 'principal' },
        schema: {
          operationId: `get_principal_stx_transfers_${direction}`,
          summary:
            direction === 'inbound'
              ? 'List the incoming STX transfers of a principal'
              : 'List the outgoing STX transfers of a principal',
          description: `${
            direction === 'inbound'
              ? 'Returns the transfers and mints of STX to the principal, newest first. Amounts are in micro-STX.'
              : 'Returns the transfers and burns of STX by the principal, newest first. Amounts are in micro-STX.'
          } ${aboutFilters(MOST_TRANSFERS, 'transfers')}`,
          tags,
          params: Type.Object({ principal: ExactPrincipalParam }),
          querystring,
          response: { 200: StxTransferList, 400: ErrorBody },
        },
      },
      async ({ sql, params, query }) => {
        const { limit = 20 } = query;
        const page = { cursor: eventCursorOf(query.cursor), limit };
        const list = { direction, sendMany: sendMany[addressNetwork(network)] };
        const principal = principalOrUnknown(params.principal);
        const rendering = { cursorOf: eventPositionCursor, endOf: endOfEvents, render: renderStxTransfer };
        if (hasFilter(query)) {
          const one = { key: stxKey(sql, list), shape: stxShape(sql, principal, list) };
          const filtered = { ...page, filter: eventFilterOf(query, eventTypes, transferFilterQuery) };
          const step = await listFilteredTransfers<StxTransferRow>(sql, principal, one, filtered);
          return renderFilteredStep(step, limit, rendering);
        }
        return renderKeyedPage(await listStxTransfers(sql, principal, list, page), limit, rendering);
      },
    );
  }

  app.get(
    '/extended/v3/principals/:principal/transfers/ft/:asset_identifier',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_ft_transfers',
        summary: 'List the token transfers of a principal',
        description:
          'Returns the transfers, mints and burns of a fungible token that involve the principal, newest first. ' +
          `Amounts are in the smallest unit of the token. ${aboutFilters(MOST_TRANSFERS, 'transfers')}`,
        tags,
        params: Type.Object({ principal: ExactPrincipalParam, asset_identifier: AssetIdentifierParam }),
        querystring,
        response: { 200: FtTransferList, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const { limit = 20 } = query;
      const asset = assetOf(params.asset_identifier) ?? nobody;
      const page = { cursor: eventCursorOf(query.cursor), limit };
      const principal = principalOrUnknown(params.principal);
      const rendering = { cursorOf: eventPositionCursor, endOf: endOfEvents, render: renderFtTransfer };
      if (hasFilter(query)) {
        const one = { key: ftKey(sql, asset), shape: ftShape(sql, principal) };
        const filtered = { ...page, filter: eventFilterOf(query, eventTypes, transferFilterQuery) };
        const step = await listFilteredTransfers<TransferRow>(sql, principal, one, filtered);
        return renderFilteredStep(step, limit, rendering);
      }
      return renderKeyedPage(await listFtTransfers(sql, principal, asset, page), limit, rendering);
    },
  );
};
