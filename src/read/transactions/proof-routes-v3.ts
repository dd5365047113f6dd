import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { RouteContext } from '../route-context.ts';
import { TransactionProof } from './proof-schema.ts';
import { proveInclusion } from './proof-view.ts';
import { TransactionIdParam, transactionIdOf } from './transaction-params.ts';

/** A whole block is read from a node. */
const COST = 10;

const ProofError = Type.Object(
  {
    error: Type.String({ description: 'What is missing.' }),
    code: Type.String({
      description: '`PROOF_UNAVAILABLE`, `PROOF_TX_SET_INCOMPLETE` or `PROOF_NODE_UNAVAILABLE`.',
    }),
  },
  { title: 'TransactionProofError' },
);

export const v3TransactionProof: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { readNodeBlock, poxGeometry },
) => {
  app.get(
    '/extended/v3/transactions/:tx_id/proof',
    {
      config: { freshness: 'tip', cost: COST },
      schema: {
        operationId: 'get_transaction_proof',
        summary: 'Get a proof that a block holds a transaction',
        description:
          'Returns the Merkle path of the transaction, the header of its block as the signers signed it, and who may sign. ' +
          '`cairn verify-proof` checks it. The status is 404 for a transaction that is not in a canonical block since ' +
          'Nakamoto, or that the node made, and 503 if no node gives the block.',
        tags: ['Transactions'],
        params: Type.Object({ tx_id: TransactionIdParam }),
        response: { 200: TransactionProof, 404: ProofError, 503: ProofError },
      },
    },
    ({ sql, params }) => proveInclusion({ sql, readNodeBlock, poxGeometry }, transactionIdOf(params.tx_id)),
  );
};
