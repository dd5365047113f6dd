import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { addressNetwork } from '../../../../network.ts';
import { eventPositionPattern } from '../../../../schemas/events/event-position.ts';
import { cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import { FtTransferList, StxTransferList } from '../../../../schemas/principals/principal-transfer.ts';
import { listFtTransfers, listStxTransfers } from '../../../../views/principals/activity.ts';
import { AssetIdentifierParam, assetOf } from '../../../params/asset.ts';
import { eventCursorOf } from '../../../params/event-position.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Accounts'];
const querystring = Type.Object(cursorQuery(20, 50, eventPositionPattern));
const nobody = { contract: new Uint8Array(0), name: '' };
/** The contract by which exchanges pay many at once; it prints the memo of each payment behind it. */
const sendMany = {
  mainnet: 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.send-many-memo',
  testnet: 'ST3F1X4QGV2SM8XD96X45M6RTQXKA1PZJZZCQAB4B.send-many-memo',
};

export const v3PrincipalsTransfers: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, network }) => {
  for (const direction of ['inbound', 'outbound'] as const) {
    app.get(
      `/extended/v3/principals/:principal/transfers/stx/${direction}`,
      {
        config: { freshness: 'principal' },
        schema: {
          operationId: `get_principal_stx_transfers_${direction}`,
          summary:
            direction === 'inbound'
              ? 'STX that came to an account by transfers and mints, the newest first'
              : 'STX that left an account by transfers and burns, the newest first',
          tags,
          params: Type.Object({ principal: WholePrincipalParam }),
          querystring,
          response: { 200: StxTransferList },
        },
      },
      async ({ params, query: { limit = 20, cursor } }) => {
        const page = { cursor: eventCursorOf(cursor), limit, sendMany: sendMany[addressNetwork(network)] };
        return await listStxTransfers(sql, loosePrincipalOf(params.principal), direction, page);
      },
    );
  }

  app.get(
    '/extended/v3/principals/:principal/transfers/ft/:asset_identifier',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_ft_transfers',
        summary: 'What an account received and sent of a fungible token, the newest first',
        tags,
        params: Type.Object({ principal: WholePrincipalParam, asset_identifier: AssetIdentifierParam }),
        querystring,
        response: { 200: FtTransferList },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const asset = assetOf(params.asset_identifier) ?? nobody;
      const page = { cursor: eventCursorOf(cursor), limit };
      return await listFtTransfers(sql, loosePrincipalOf(params.principal), asset, page);
    },
  );
};
