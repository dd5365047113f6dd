import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { AddressEventPage } from '../../../../schemas/principals/address-event.ts';
import { AddressTransactionPage } from '../../../../schemas/principals/address-transaction.ts';
import { listMovesOfTransaction, listTransactionsWithCounts } from '../../../../views/principals/transaction-list.ts';
import { settleAt } from '../../../http/settled.ts';
import { loosePrincipalOf, PrincipalParam } from '../../../params/principal.ts';
import { excludeFunctionArgs, TransactionIdParam, transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const tags = ['Accounts'];

export const v2AddressesTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, caches, hasVersion9Keys },
) => {
  app.get(
    '/extended/v2/addresses/:address/transactions',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_address_transactions',
        summary: 'Transactions that touched an account, the newest first, with what they moved for it',
        description:
          'With `cursor`, empty for the newest page, or asked for as version 9 (`X-API-Version: 9`), the answer tells the cursors of its neighbours.',
        tags,
        params: Type.Object({ address: PrincipalParam }),
        querystring: Type.Object({
          ...pageQuery(usual, 50),
          cursor: Type.Optional(Type.String({ description: 'Where a page starts, as an earlier answer told it.' })),
          ...excludeFunctionArgs,
        }),
        response: { 200: AddressTransactionPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async request => {
      const {
        params: { address },
        query,
      } = request;
      // This list has always taken a limit of 0 literally.
      const page = { limit: query.limit ?? usual, offset: query.offset ?? 0 };
      const account = { principal: loosePrincipalOf(address), asOf: 'unanchored' } as const;
      const options = { excludeFunctionArgs: query.exclude_function_args };
      const cursor = query.cursor ?? (hasVersion9Keys(request) ? '' : undefined);
      return await listTransactionsWithCounts(caches, sql, account, page, cursor, options);
    },
  );

  app.get(
    '/extended/v2/addresses/:address/transactions/:tx_id/events',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_address_transaction_events',
        summary: 'What one transaction moved for an account',
        tags,
        params: Type.Object({ address: PrincipalParam, tx_id: TransactionIdParam }),
        querystring: Type.Object(pageQuery(usual, 50)),
        response: { 200: AddressEventPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { address, tx_id }, query }, reply) => {
      const page = pageOf(query, usual);
      return settleAt(
        reply,
        await listMovesOfTransaction(sql, loosePrincipalOf(address), transactionIdOf(tx_id), page),
      );
    },
  );
};
