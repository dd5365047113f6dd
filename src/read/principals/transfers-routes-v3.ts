import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import { addressNetwork } from '@cairn-stacks/codec/network';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from '../tokens/asset-params.ts';
import { ExactPrincipalParam } from './principal-params.ts';
import { FtTransferList, renderFtTransfer, renderStxTransfer, StxTransferList } from './principal-transfer-schema.ts';
import { listFtTransfers, listStxTransfers } from './transfers-queries.ts';

const tags = ['Accounts'];
const querystring = Type.Object(cursorQuery(20, 50, eventPositionPattern));
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
          description:
            direction === 'inbound'
              ? 'Returns the transfers and mints of STX to the principal, newest first. Amounts are in micro-STX.'
              : 'Returns the transfers and burns of STX by the principal, newest first. Amounts are in micro-STX.',
          tags,
          params: Type.Object({ principal: ExactPrincipalParam }),
          querystring,
          response: { 200: StxTransferList },
        },
      },
      async ({ sql, params, query: { limit = 20, cursor } }) => {
        const page = { cursor: eventCursorOf(cursor), limit, sendMany: sendMany[addressNetwork(network)] };
        const found = await listStxTransfers(sql, principalOrUnknown(params.principal), direction, page);
        return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render: renderStxTransfer });
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
          'Amounts are in the smallest unit of the token.',
        tags,
        params: Type.Object({ principal: ExactPrincipalParam, asset_identifier: AssetIdentifierParam }),
        querystring,
        response: { 200: FtTransferList },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const asset = assetOf(params.asset_identifier) ?? nobody;
      const page = { cursor: eventCursorOf(cursor), limit };
      const found = await listFtTransfers(sql, principalOrUnknown(params.principal), asset, page);
      return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render: renderFtTransfer });
    },
  );
};
