import { Readable } from 'node:stream';
import { toHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { EventType } from '../events/event-types.ts';
import { eventTypes } from '../events/event-types.ts';
import {
  eventFilterOf,
  eventFilterQuery,
  movementTypes,
  transactionFilterOf,
  transactionFilterQuery,
} from '../filters/filter-params.ts';
import { refuseUnknownAsset } from '../filters/known-asset-view.ts';
import { startAt } from '../filters/steps-queries.ts';
import { asOfAtBlock } from '../pages/at-block-params.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import { ExactPrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { exportQuery, formatOf, mediaTypes, placeAfter } from './export-params.ts';
import { type ExportEnd, findExportEnd, listExportedEvents, listExportedTransactions } from './export-queries.ts';
import {
  eventColumnNames,
  renderEventRecord,
  renderTransactionRecord,
  transactionColumnNames,
} from './export-schema.ts';
import { EXPORT_STEP, type ExportList, streamExport } from './export-view.ts';

const tags = ['History'];
const params = Type.Object({ principal: ExactPrincipalParam });
const lines = { schema: Type.Unsafe<Readable>({ type: 'string' }) };
const response = {
  200: {
    description: 'A table with a header line, or one JSON object on each line.',
    content: { 'text/csv': lines, 'application/x-ndjson': lines },
  },
  400: ErrorBody,
  404: ErrorBody,
};
const config = { freshness: 'none', cost: 10 } as const;

const aboutExports =
  'Lines come oldest first, up to the block that `x-cairn-export-height` and `x-cairn-export-block` (its index block hash) name: ' +
  '`at_block`, or the tip when the request arrives. To go on after an interruption, pass the `cursor` of the last complete line as ' +
  '`after` and the hash of the block as `at_block`. The transfer is cut off if the chain loses the block meanwhile, and the status ' +
  'is 404 from then on. Amounts are in the smallest unit.';

/** Kinds of events that move assets. */
const transferTypes = eventTypes.filter(type => type !== 'stx_lock' && type !== 'contract_log');

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

type ExportRequest = Pick<FastifyRequest, 'sql' | 'headers'> & {
  params: Static<typeof params>;
  query: Parameters<typeof formatOf>[0];
};

/** Responds with the lines of a list; the block up to which it reads is found first, so that an unknown one is a 404. */
async function sendExport<Row>(
  { sql, params: { principal }, query, headers }: ExportRequest,
  reply: FastifyReply,
  name: string,
  listUpTo: (end: ExportEnd) => ExportList<Row>,
): Promise<Readable> {
  const asOf = asOfAtBlock(query.at_block);
  const [format, after] = [formatOf(query, headers.accept), placeAfter(query)];
  const end = await findExportEnd(sql, asOf);
  if (!end) throw noBlockAsOf(asOf);
  reply.type(`${mediaTypes[format]}; charset=utf-8`);
  reply.header('vary', 'accept');
  reply.header('x-cairn-export-height', end.height);
  reply.header('x-cairn-export-block', toHex(end.index_hash));
  reply.header('content-disposition', `attachment; filename="${principal}-${name}.${format}"`);
  return Readable.from(streamExport(sql, listUpTo(end), { end, after, format }), { highWaterMark: 1 });
}

export const v1HistoryExport: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  const querystring = Type.Object({ ...exportQuery, ...transactionFilterQuery });
  app.get(
    '/extended/v1/history/accounts/:principal/transactions',
    {
      config,
      schema: {
        operationId: 'export_account_transactions',
        summary: 'Export the transactions of a principal',
        description: `Streams the transactions that \`/extended/v3/principals/{principal}/transactions\` lists. \`stx_sent\` includes \`fee_paid\`. ${aboutExports}`,
        tags,
        params,
        querystring,
        response,
      },
    },
    (request, reply) => {
      const principal = principalOf(request.params.principal);
      const filter = transactionFilterOf(request.query);
      return sendExport(request, reply, 'transactions', end => ({
        names: transactionColumnNames,
        render: renderTransactionRecord,
        read: (sql, place) =>
          listExportedTransactions(sql, {
            ...{ principal, filter, direction: 'oldest', start: startAt(sql, place), upTo: end.height },
            ...EXPORT_STEP,
          }),
      }));
    },
  );

  for (const { name, types, ...about } of lists) {
    app.get(
      `/extended/v1/history/accounts/:principal/${name}`,
      {
        config,
        schema: {
          ...about,
          tags,
          params,
          querystring: Type.Object({ ...exportQuery, ...eventFilterQuery<(typeof types)[number]>(types) }),
          response,
        },
      },
      async (request, reply) => {
        const principal = principalOf(request.params.principal);
        const filter = eventFilterOf(request.query, types);
        await refuseUnknownAsset(request.sql, filter, request.query.asset);
        return sendExport(request, reply, name, end => ({
          names: eventColumnNames,
          render: renderEventRecord,
          read: (sql, place) =>
            listExportedEvents(sql, {
              ...{ principal, filter, direction: 'oldest', start: startAt(sql, place), upTo: end.height },
              ...EXPORT_STEP,
            }),
        }));
      },
    );
  }
};
