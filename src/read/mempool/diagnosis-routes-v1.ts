import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { TransactionIdParam, transactionIdOf } from '../transactions/transaction-params.ts';
import { Diagnosis } from './diagnosis-schema.ts';
import { diagnoseTransaction } from './diagnosis-view.ts';

export const v1TxDiagnosis: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/tx/:tx_id/diagnosis',
    {
      // How long it has left depends on the clock.
      config: { freshness: 'none', readsChain: true, cost: 5 },
      schema: {
        operationId: 'get_transaction_diagnosis',
        summary: 'Diagnose a transaction',
        description:
          'Explains why a transaction is still pending, or what happened to it: missing nonces, a low fee, ' +
          'insufficient funds, a replacement, or an abort. Causes that block the transaction come first. The status ' +
          'is 404 if no block holds the transaction and no node has reported it.',
        tags: ['Transactions'],
        params: Type.Object({ tx_id: TransactionIdParam }),
        response: { 200: Diagnosis, 404: ErrorBody },
      },
    },
    ({ sql, params }) => diagnoseTransaction(sql, transactionIdOf(params.tx_id), Math.floor(Date.now() / 1000)),
  );
};
