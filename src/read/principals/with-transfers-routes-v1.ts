import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { cacheUntilRollback } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { transactionIdOf } from '../transactions/transaction-params.ts';
import { renderTransaction } from '../transactions/transaction-schema.ts';
import { renderWithStx, TransactionWithStx } from './address-transaction-schema.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';
import { findPrincipalTransaction } from './transactions-queries.ts';

const tags = ['Accounts'];

export const v1AddressWithTransfers: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/address/:principal/:tx_id/with_transfers',
    {
      config: { freshness: 'tx', deprecated: true, cost: 5 },
      schema: {
        operationId: 'get_single_transaction_with_transfers',
        summary: 'Get a transaction of an account with its STX transfers',
        description:
          'Returns one transaction with the STX (micro-STX) that it moved for the account. Deprecated: use ' +
          '`/extended/v3/principals/{principal}/transactions/{tx_id}/balance-changes`. The status is 404 if the ' +
          'transaction is unknown, unconfirmed, or does not involve the account.',
        tags,
        params: Type.Object({
          principal: PrincipalParam,
          tx_id: Type.String({ description: 'A transaction id in hex, with or without `0x`.' }),
        }),
        response: { 200: TransactionWithStx, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params: { principal, tx_id } }, reply) => {
      // A text that is not an id has always been 404 here.
      const id = /^(0x)?[a-f0-9]{64}$/i.test(tx_id) ? transactionIdOf(tx_id) : undefined;
      const account = principalOf(principal);
      const row = id && (await findPrincipalTransaction(sql, account, id, caches.interfaces));
      if (!row) throw notFound('No matching transaction found');
      return cacheUntilRollback(reply, {
        body: renderWithStx(row, renderTransaction(row), row.moves),
        height: row.height,
      });
    },
  );
};
