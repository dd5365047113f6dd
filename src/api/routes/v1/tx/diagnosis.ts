import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Diagnosis } from '../../../../schemas/mempool/diagnosis.ts';
import { diagnoseTransaction } from '../../../../views/mempool/diagnosis.ts';
import { TransactionIdParam, transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

export const v1TxDiagnosis: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/tx/:tx_id/diagnosis',
    {
      // How long it has left depends on the clock.
      config: { freshness: 'none', readsChain: true, cost: 5 },
      schema: {
        operationId: 'get_transaction_diagnosis',
        summary: 'Why a transaction is still pending, or what became of it',
        tags: ['Transactions'],
        params: Type.Object({ tx_id: TransactionIdParam }),
        response: { 200: Diagnosis, 404: ErrorBody },
      },
    },
    ({ params }) => diagnoseTransaction(sql, transactionIdOf(params.tx_id), Math.floor(Date.now() / 1000)),
  );
};
