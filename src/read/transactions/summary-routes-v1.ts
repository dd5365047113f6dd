import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { redirected, redirectTo0x } from '../../http/hex-redirect.ts';
import { addAssetMetadata } from '../metadata/asset-metadata-view.ts';
import type { RouteContext } from '../route-context.ts';
import { findTransactionsById } from './lookup-view.ts';
import { renderSummary, TransactionSummary } from './summary-schema.ts';
import { summarize } from './summary-words.ts';
import { TransactionIdParam, transactionIdOf } from './transaction-params.ts';

/** Events that a sentence takes into account. */
const MAX_EVENTS = 500;
const options = {
  events: { limit: MAX_EVENTS, offset: 0 },
  unanchored: false,
  excludeFunctionArgs: true,
  withState: undefined,
};

export const v1TxSummary: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tx/:tx_id/summary',
    {
      preHandler: redirectTo0x('tx_id'),
      // Symbols and decimals of tokens become known later than their transactions.
      config: { freshness: 'none', readsChain: true, cost: 2 },
      schema: {
        operationId: 'get_transaction_summary',
        summary: 'Get what a transaction did in one sentence',
        description:
          'Says in plain words what a transaction did, is meant to do, or why it failed: who sent, swapped, locked or called ' +
          'what, and what it cost. It has no text that others have put on the chain but names of contracts, functions and ' +
          'assets, and symbols of tokens of letters and digits. The status is 404 if the transaction is unknown.',
        tags: ['Transactions'],
        params: Type.Object({ tx_id: TransactionIdParam }),
        response: { 200: TransactionSummary, ...redirected, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const [known] = (await findTransactionsById(caches, sql, [transactionIdOf(params.tx_id)], options)).values();
      if (!known)
        throw notFound('No block holds this transaction and no node has reported it: check its id and network');
      const tx = known.body;
      if ('events' in tx) await addAssetMetadata(sql, tx.events, undefined);
      const complete = !('events' in tx) || tx.event_count <= tx.events.length;
      return renderSummary(tx, summarize(tx), complete);
    },
  );
};
