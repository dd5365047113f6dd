import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { eventCodes } from '../../../../chain/event.ts';
import { badRequest } from '../../../../errors.ts';
import { hasLongHistory, listEventsOfPrincipal, listEventsOfTransaction } from '../../../../queries/events/pages.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { renderEvent, TransactionEvent } from '../../../../schemas/events/event.ts';
import { pageQuery } from '../../../../schemas/pages/page.ts';
import { gatherEvents } from '../../../../views/events/event-list.ts';
import { COMMA_LIST } from '../../../docs/openapi.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import { TransactionIdParam, transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const { print, stx_lock, ...assetCodes } = eventCodes;
/** The events that each public type stands for. */
const kindsOf = {
  smart_contract_log: [print],
  stx_lock: [stx_lock],
  stx_asset: [assetCodes.stx_transfer, assetCodes.stx_mint, assetCodes.stx_burn],
  fungible_token_asset: [assetCodes.ft_transfer, assetCodes.ft_mint, assetCodes.ft_burn],
  non_fungible_token_asset: [assetCodes.nft_transfer, assetCodes.nft_mint, assetCodes.nft_burn],
} as const;
type EventType = keyof typeof kindsOf;
const eventTypes = Object.keys(kindsOf) as EventType[];
/** Events of a principal cannot be sought: those before a page are passed over, which is fine where there are few. */
const DEEPEST = 10_000;

export const v1TxEvents: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
  app.get(
    '/extended/v1/tx/events',
    {
      config: { freshness: 'tip', cost: 3 },
      schema: {
        operationId: 'get_filtered_events',
        summary: 'List the events of a transaction or a principal',
        description:
          'Returns events, last one first. Give either `tx_id` or `address`; the status is 400 with both or ' +
          'neither. For a principal with a long history, an `offset` above 10,000 is rejected with status 400; use ' +
          'the cursor of `/extended/v3/principals/{principal}/transactions` instead.',
        tags: ['Transactions'],
        querystring: Type.Object({
          tx_id: Type.Optional(TransactionIdParam),
          address: Type.Optional(PrincipalParam),
          ...pageQuery(20, 100),
          type: Type.Optional(
            Type.Array(Type.Union(eventTypes.map(type => Type.Literal(type))), {
              [COMMA_LIST]: true,
              description: 'Only events of these types. The default is all types.',
            }),
          ),
        }),
        response: {
          200: Type.Object(
            {
              limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
              offset: Type.Integer({ description: 'Number of results that were skipped.' }),
              events: Type.Array(TransactionEvent),
            },
            { title: 'FilteredEventPage' },
          ),
          400: ErrorBody,
        },
      },
    },
    async ({ query }) => {
      const { tx_id: txId, address, offset = 0, type = eventTypes } = query;
      const limit = query.limit || 20;
      const page = { limit, offset, kinds: type.flatMap(name => [...kindsOf[name]]) };
      if (txId !== undefined && address !== undefined) {
        throw badRequest("can't handle both 'address' and 'tx_id' in the same request");
      }
      if (txId !== undefined) {
        const rows = await listEventsOfTransaction(sql, transactionIdOf(txId), page);
        return { limit, offset, events: rows.map(renderEvent) };
      }
      if (address === undefined) throw badRequest("can not find 'address' or 'tx_id' in the request");
      if (offset > DEEPEST && (await hasLongHistory(sql, principalOf(address)))) {
        throw badRequest(
          `offset ${offset} is too deep for this list; the maximum is ${DEEPEST}. ` +
            `Use the cursor of /extended/v3/principals/${address}/transactions instead`,
        );
      }
      const listed = await listEventsOfPrincipal(sql, principalOf(address), page);
      return { limit, offset, events: await gatherEvents(pieces, sql, listed) };
    },
  );
};
