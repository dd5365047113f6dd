import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { ExactPrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { assetOf } from '../tokens/asset-params.ts';
import { streamAccountCsv } from './account-csv-view.ts';
import { seriesIn, seriesQuery, timeSeriesQuery, timesIn } from './series-params.ts';
import {
  BalanceSeries,
  FeeSeries,
  HolderSeries,
  MempoolSeries,
  SupplySeries,
  TransactionSeries,
} from './series-schema.ts';
import {
  listBalanceSeries,
  listFeePercentiles,
  listHolderCounts,
  listPendingCounts,
  listSupplySeries,
  listTransactionCounts,
} from './series-view.ts';

const tags = ['History'];
const asset = Type.Optional(
  Type.String({
    maxLength: 300,
    default: 'stx',
    description: '`stx`, or an asset identifier `CONTRACT_ID::ASSET_NAME`.',
  }),
);
const querystring = Type.Object(seriesQuery);
const assetQuery = Type.Object({ ...seriesQuery, asset });
const bad = { 400: ErrorBody };
const csv = {
  description: 'A table with a header line.',
  content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
};

/** The asset of a query; undefined for STX. */
function tokenIn(text = 'stx') {
  if (text === 'stx') return undefined;
  const token = text.includes('::') ? assetOf(text) : undefined;
  if (!token) throw badRequest('`asset` must be `stx` or an asset identifier such as SP….contract::asset');
  return token;
}

export const v1History: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/history/balances/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_balance_history',
        summary: 'Get the balance of a principal over time',
        description:
          'Returns the balance after each of some blocks, in equal steps. An unknown asset has the balance 0.',
        tags,
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: assetQuery,
        response: { 200: BalanceSeries, ...bad },
      },
    },
    ({ sql, params, query }) =>
      listBalanceSeries(sql, principalOf(params.principal), tokenIn(query.asset), seriesIn(query)),
  );

  app.get(
    '/extended/v1/history/transactions/:principal',
    {
      config: { freshness: 'none', cost: 10 },
      schema: {
        operationId: 'download_account_history',
        summary: 'Download the transactions of a principal as CSV',
        description:
          'Streams the mined transactions that involve the principal, oldest first, up to the block that is the tip when ' +
          'the request arrives. There is one line for each asset that a transaction moved for the principal. Amounts are ' +
          'in base units; `sent` includes `fee_paid`. The transfer is cut off if the chain is reorganized meanwhile: ' +
          'request it again then.',
        tags,
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: Type.Object({ from: seriesQuery.from, to: seriesQuery.to }),
        response: { 200: csv, ...bad },
      },
    },
    ({ sql, params, query }, reply) => {
      const lines = streamAccountCsv(sql, principalOf(params.principal), seriesIn(query));
      reply.type('text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="${params.principal}.csv"`);
      return Readable.from(lines);
    },
  );

  app.get(
    '/extended/v1/history/supply',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_supply_history',
        summary: 'Get the supply of STX or a token over time',
        description:
          'Returns the supply after each of some blocks, in equal steps, and the number of holders of a token.',
        tags,
        querystring: assetQuery,
        response: { 200: SupplySeries, ...bad },
      },
    },
    ({ sql, query }) => listSupplySeries(sql, tokenIn(query.asset), seriesIn(query)),
  );

  app.get(
    '/extended/v1/history/holders',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_holder_history',
        summary: 'Get the number of holders of STX or a token over time',
        description:
          'Returns how many principals had a balance above zero after each of some blocks. An unknown asset has no holders. Who they ' +
          'were after a block is in `/extended/v1/history/tokens/{asset_identifier}/holders`.',
        tags,
        querystring: assetQuery,
        response: { 200: HolderSeries, ...bad },
      },
    },
    ({ sql, query }) => listHolderCounts(sql, tokenIn(query.asset), seriesIn(query)),
  );

  app.get(
    '/extended/v1/history/transactions',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_transaction_history',
        summary: 'Get the number of transactions over time',
        description: 'Returns how many transactions the blocks of each step have, by type.',
        tags,
        querystring,
        response: { 200: TransactionSeries, ...bad },
      },
    },
    ({ sql, query }) => listTransactionCounts(sql, seriesIn(query)),
  );

  app.get(
    '/extended/v1/history/fees',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_fee_history',
        summary: 'Get fees over time',
        description:
          'Returns percentiles of the fees of mined transactions, in micro-STX. Each point counts the last 200 ' +
          'transactions of the last 20 blocks up to it. Transactions without a fee do not count.',
        tags,
        querystring,
        response: { 200: FeeSeries, ...bad },
      },
    },
    ({ sql, query }) => listFeePercentiles(sql, seriesIn(query)),
  );

  app.get(
    '/extended/v1/history/mempool',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_history',
        summary: 'Get the number of pending transactions over time',
        description:
          'Returns how many transactions were pending at the end of some minutes, by type. ' +
          'The default is the last day. Samples of the last 30 days are stored.',
        tags,
        querystring: Type.Object(timeSeriesQuery),
        response: { 200: MempoolSeries, ...bad },
      },
    },
    ({ sql, query }) => listPendingCounts(sql, timesIn(query)),
  );
};
