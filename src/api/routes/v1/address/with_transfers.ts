import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { TransactionWithStx } from '../../../../schemas/principals/address-transaction.ts';
import { findTransactionWithTransfers } from '../../../../views/principals/transaction-list.ts';
import { settleAt } from '../../../http/settled.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import { transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Accounts'];

export const v1AddressWithTransfers: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/address/:principal/:tx_id/with_transfers',
    {
      config: { freshness: 'tx', deprecated: true, cost: 5 },
      schema: {
        operationId: 'get_single_transaction_with_transfers',
        summary: 'One transaction with the STX it moved for an account',
        tags,
        params: Type.Object({ principal: PrincipalParam, tx_id: Type.String() }),
        response: { 200: TransactionWithStx, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { principal, tx_id } }, reply) => {
      // A text that is not an id has always been 404 here.
      const id = /^(0x)?[a-f0-9]{64}$/i.test(tx_id) ? transactionIdOf(tx_id) : undefined;
      return settleAt(reply, await findTransactionWithTransfers(caches, sql, principalOf(principal), id));
    },
  );
};
