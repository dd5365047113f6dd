import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { eventCodes } from '../../chain/event.ts';
import { badRequest } from '../../errors.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventFilterOf, eventFilterQuery, hasFilter, refuseBesideFilters } from '../filters/filter-params.ts';
import { aboutFilteredPages } from '../filters/filtered-page-schema.ts';
import { walkFiltered } from '../filters/filtered-walk-view.ts';
import { refuseUnknownAsset } from '../filters/known-asset-view.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { pageOf, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody, walkCursors } from '../pages/walk-cursor-params.ts';
import {
  listFilteredEvents,
  listFilteredEventsOfTransaction,
  MOST_SEARCHED,
} from '../principals/filtered-events-queries.ts';
import { PrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { TransactionIdParam, transactionIdOf } from '../transactions/transaction-params.ts';
import { renderEventList } from './event-list-view.ts';
import { renderEvent, TransactionEvent } from './event-schema.ts';
import { eventTypes } from './event-types.ts';
import type { ListedEvent } from './events-queries.ts';
import { hasLongHistory, listEventsOfPrincipal, listEventsOfTransaction } from './pages-queries.ts';

const { print, stx_lock, ...assetCodes } = eventCodes;
/** The events of each public type. */
const kindsOf = {
  smart_contract_log: [print],
  stx_lock: [stx_lock],
  stx_asset: [assetCodes.stx_transfer, assetCodes.stx_mint, assetCodes.stx_burn],
  fungible_token_asset: [assetCodes.ft_transfer, assetCodes.ft_mint, assetCodes.ft_burn],
  non_fungible_token_asset: [assetCodes.nft_transfer, assetCodes.nft_mint, assetCodes.nft_burn],
} as const;
/** The events of a principal are found by walking: a page at a larger offset would take unbounded work. */
const MAX_OFFSET = 10_000;

type Family = keyof typeof kindsOf;
const families = Object.keys(kindsOf) as Family[];

export const v1TxEvents: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tx/events',
    {
      config: { freshness: 'tip', cost: 3, assetMetadata: true },
      schema: {
        operationId: 'get_filtered_events',
        summary: 'List the events of a transaction or a principal',
        description:
          'Returns events, last one first. Give either `tx_id` or `address`; the status is 400 with both or ' +
          'neither. For a principal with a long history, an `offset` above 10,000 is rejected with status 400; use ' +
          `\`cursor\` instead. ${aboutFilteredPages(MOST_SEARCHED, 'transactions of the principal')}`,
        tags: ['Transactions'],
        querystring: Type.Object({
          tx_id: Type.Optional(TransactionIdParam),
          address: Type.Optional(PrincipalParam),
          ...walkedPageQuery(20, 100),
          ...eventFilterQuery(eventTypes),
          ...assetMetadataQuery,
          type: Type.Optional(
            Type.Array(Type.Union(families.map(type => Type.Literal(type))), {
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
              ...walkCursors,
            },
            { title: 'FilteredEventPage' },
          ),
          400: ErrorBody,
          409: ForkBody,
        },
      },
    },
    async request => {
      const { sql, query } = request;
      const { tx_id: txId, address, type = families } = query;
      const { limit, offset } = pageOf(query, 20);
      const page = { limit, offset, kinds: type.flatMap(name => [...kindsOf[name]]) };
      if (txId !== undefined && address !== undefined) {
        throw badRequest("can't handle both 'address' and 'tx_id' in the same request");
      }
      if ((txId !== undefined || address !== undefined) && (query.cursor !== undefined || hasFilter(query))) {
        refuseBesideFilters(query);
        if (query.type && query.event_type) throw badRequest('type and event_type both select kinds: give one of them');
        const filter = { ...eventFilterOf(query, eventTypes), ...(query.type && { kinds: page.kinds }) };
        await refuseUnknownAsset(sql, filter, query.asset);
        const { rows, ...cursors } = await walkFiltered<ListedEvent>(request, start =>
          txId === undefined
            ? listFilteredEvents(sql, principalOf(address!), { start, limit, filter })
            : listFilteredEventsOfTransaction(sql, transactionIdOf(txId), { start, limit, filter }),
        );
        return { limit, offset, events: await renderEventList(caches, sql, rows), ...cursors };
      }
      if (txId !== undefined) {
        const rows = await listEventsOfTransaction(sql, transactionIdOf(txId), page);
        return { limit, offset, events: rows.map(renderEvent) };
      }
      if (address === undefined) throw badRequest("can not find 'address' or 'tx_id' in the request");
      const principal = principalOf(address);
      if (offset > MAX_OFFSET && (await hasLongHistory(sql, principal))) {
        throw badRequest(
          `offset ${offset} is too large for this list, whose maximum is ${MAX_OFFSET}: ` +
            'go through it with cursor, which is empty for the first page',
        );
      }
      const listed = await listEventsOfPrincipal(sql, principal, page);
      return { limit, offset, events: await renderEventList(caches, sql, listed) };
    },
  );
};
