import { isPrincipal, principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { wantsJson } from '../../http/whole-body-params.ts';
import { printMatches } from '../contracts/print-filter.ts';
import { aboutValues, printFilterOf, printFilterQuery } from '../contracts/print-filter-params.ts';
import { eventTypes, transferTypes } from '../events/event-types.ts';
import {
  eventFilterOf,
  eventFilterQuery,
  transactionFilterOf,
  transactionFilterQuery,
} from '../filters/filter-params.ts';
import { blockRangeQuery } from '../pages/block-range-params.ts';
import { contractShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { assetNameShape, assetOf } from '../tokens/asset-params.ts';
import { type PastHolderCursor, readPastHolders } from '../tokens/past-holders-queries.ts';
import { readPastHolderCursor } from '../tokens/ranked-holder-schema.ts';
import { exportQuery, holderExportQuery, placeAfter } from './export-params.ts';
import { aboutExports, aboutResuming, exportConfig, exportResponse, sendExport } from './export-response.ts';
import {
  type Columns,
  holderNames,
  listedEventNames,
  listedTransactionNames,
  renderHolderRecord,
  renderListedEvent,
  renderListedTransaction,
  withJson,
} from './export-schema.ts';
import { EXPORT_STEP } from './export-view.ts';
import { type ListedEventRow, listEventsAfter, listTransactionsAfter } from './list-export-queries.ts';

const tags = ['History'];
const STEP = { most: EXPORT_STEP.most };

const { status } = transactionFilterQuery;
const chainTransactionQuery = { ...exportQuery, ...blockRangeQuery, status };
const typesOf = (types: readonly (typeof eventTypes)[number][]) => {
  const { event_type } = eventFilterQuery(types);
  return { ...blockRangeQuery, event_type };
};
const {
  contract: _contract,
  asset: _asset,
  ...ofToken
} = eventFilterQuery(transferTypes.filter(type => !type.startsWith('stx_')));

const ContractParams = Type.Object({
  contract_id: Type.String({ pattern: `^${contractShape}$`, description: 'A contract identifier, `ADDRESS.NAME`.' }),
});
const TokenParams = Type.Object({
  asset_identifier: Type.String({
    pattern: `^(stx|${contractShape}::${assetNameShape})$`,
    description: 'An asset identifier: `CONTRACT_ID::ASSET_NAME`; for holders also `stx`.',
  }),
});

const listedEvents: Columns<ListedEventRow> = { names: listedEventNames, render: renderListedEvent };
const columnsFor = (request: Parameters<typeof wantsJson>[0]) =>
  wantsJson(request) ? withJson(listedEvents) : listedEvents;

/** Lists of all events of the chain; what an account or a contract has of them is in other exports. */
const eventLists = [
  {
    name: 'events',
    types: eventTypes,
    operationId: 'export_events',
    summary: 'Export the events of the chain',
    description: `Streams all events. For those of an account or a contract use its export. ${aboutExports}`,
  },
  {
    name: 'transfers',
    types: transferTypes,
    operationId: 'export_transfers',
    summary: 'Export the transfers of the chain',
    description: `Streams the transfers, mints and burns of STX, fungible tokens and NFTs. For those of a token use its export. ${aboutExports}`,
  },
] as const;

export const v1ListExport: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/history/lists/transactions',
    {
      config: exportConfig,
      schema: {
        operationId: 'export_transactions',
        summary: 'Export the transactions of the chain',
        description: `Streams all mined transactions; those of block 0 are part of block 1. For those of an account use its export. ${aboutExports}`,
        tags,
        querystring: Type.Object(chainTransactionQuery),
        response: exportResponse,
      },
    },
    (request, reply) => {
      const { range, outcome } = transactionFilterOf(request.query, chainTransactionQuery);
      return sendExport(request, reply, { name: 'transactions', after: placeAfter(request.query) }, end => ({
        ...{ names: listedTransactionNames, render: renderListedTransaction },
        read: (sql, after) => listTransactionsAfter(sql, { range, outcome }, { after, upTo: end.height, ...STEP }),
      }));
    },
  );

  for (const { name, types, ...about } of eventLists) {
    app.get(
      `/extended/v1/history/lists/${name}`,
      {
        config: exportConfig,
        schema: {
          ...about,
          tags,
          querystring: Type.Object({ ...exportQuery, ...typesOf(types) }),
          response: exportResponse,
        },
      },
      (request, reply) => {
        const filter = eventFilterOf(request.query, types, typesOf(types));
        return sendExport(request, reply, { name, after: placeAfter(request.query) }, end => ({
          ...columnsFor(request),
          read: (sql, after) => listEventsAfter(sql, 'chain', filter, { after, upTo: end.height, ...STEP }),
        }));
      },
    );
  }

  const logQuery = { ...blockRangeQuery, ...printFilterQuery };
  app.get(
    '/extended/v1/history/contracts/:contract_id/logs',
    {
      config: exportConfig,
      schema: {
        operationId: 'export_contract_logs',
        summary: 'Export the logs of a contract',
        description: `Streams what a contract has printed. ${aboutValues} ${aboutExports}`,
        tags,
        params: ContractParams,
        querystring: Type.Object({ ...exportQuery, ...logQuery }),
        response: exportResponse,
      },
    },
    (request, reply) => {
      const { contract_id: contract } = request.params;
      const printedBy = principalOrUnknown(contract);
      const prints = printFilterOf(request.query);
      const filter = eventFilterOf(request.query, ['contract_log'], logQuery);
      return sendExport(request, reply, { name: `${contract}-logs`, after: placeAfter(request.query) }, end => ({
        ...columnsFor(request),
        read: async (sql, after) => {
          const step = { after, upTo: end.height, ...STEP };
          const { rows, next } = await listEventsAfter(sql, { printedBy }, filter, step);
          return { rows: rows.filter(row => printMatches(row.value, prints)), next };
        },
      }));
    },
  );

  app.get(
    '/extended/v1/history/tokens/:asset_identifier/transfers',
    {
      config: exportConfig,
      schema: {
        operationId: 'export_token_transfers',
        summary: 'Export the transfers of a token',
        description: `Streams the transfers, mints and burns of a fungible token or of an NFT collection. ${aboutExports}`,
        tags,
        params: TokenParams,
        querystring: Type.Object({ ...exportQuery, ...ofToken }),
        response: exportResponse,
      },
    },
    (request, reply) => {
      const { asset_identifier: token } = request.params;
      const asset = tokenIn(request.params);
      if (!asset) throw badRequest('asset_identifier: STX is no token; use /extended/v1/history/lists/transfers');
      const filter = eventFilterOf(request.query, transferTypes, ofToken);
      return sendExport(request, reply, { name: `${token}-transfers`, after: placeAfter(request.query) }, end => ({
        ...columnsFor(request),
        read: (sql, after) => listEventsAfter(sql, { asset }, filter, { after, upTo: end.height, ...STEP }),
      }));
    },
  );

  app.get(
    '/extended/v1/history/tokens/:asset_identifier/holders',
    {
      config: exportConfig,
      schema: {
        operationId: 'export_token_holders',
        summary: 'Export the holders of a token',
        description:
          'Streams who had how much of STX (`stx`), of a fungible token, or how many of an NFT collection, in the order in which ' +
          'they first held it, after the block that `x-cairn-export-height` and `x-cairn-export-block` (its index block hash) name: ' +
          `\`at_block\`, or the tip when the request arrives. ${aboutResuming}`,
        tags,
        params: TokenParams,
        querystring: Type.Object(holderExportQuery),
        response: exportResponse,
      },
    },
    (request, reply) => {
      const asset = tokenIn(request.params);
      const file = { name: `${request.params.asset_identifier}-holders`, after: afterHolder(request.query.after) };
      return sendExport(request, reply, file, ({ height }) => ({
        ...{ names: holderNames, render: renderHolderRecord },
        read: async (sql, { cursor, isListed }) => {
          const found = await readPastHolders(sql, asset, { height }, { cursor, limit: EXPORT_STEP.limit });
          const rows = found?.rows ?? [];
          const isKnown = isListed && rows[0]?.principal === cursor?.principal;
          return {
            rows: isKnown ? rows.slice(1) : rows,
            next: found?.next && { cursor: found.next, isListed: false },
          };
        },
      }));
    },
  );
};

/** The asset of a path; undefined for STX. */
function tokenIn({ asset_identifier: text }: Static<typeof TokenParams>) {
  if (text === 'stx') return undefined;
  const asset = assetOf(text);
  if (!asset) throw badRequest(`asset_identifier "${text}" is not an asset identifier`);
  return asset;
}

/** Where a list of holders goes on: at one that an earlier export has already listed, or not. */
type HolderPlace = { cursor: PastHolderCursor | undefined; isListed: boolean };

function afterHolder(after: string | undefined): HolderPlace {
  const cursor = readPastHolderCursor(after);
  if (cursor && !isPrincipal(cursor.principal)) throw badRequest('querystring/after: no such principal');
  return { cursor, isListed: after !== undefined };
}
