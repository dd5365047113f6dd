import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted, type Transaction, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { badRequest, PublicError } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { forwardedContext } from '../../http/request-context.ts';
import type { RouteContext } from '../route-context.ts';
import { LARGEST_BODY, renderSimulation, SimulationRequest, TransactionSimulation } from './simulation-schema.ts';

/** A node executes the transaction. */
const COST = 20;

export const v1TransactionSimulation: FastifyPluginAsyncTypebox<RouteContext> = async (app, { simulate }) => {
  app.post(
    '/extended/v1/tx/simulate',
    {
      bodyLimit: LARGEST_BODY,
      config: { cost: COST, asksNode: true },
      schema: {
        operationId: 'simulate_transaction',
        summary: 'Simulate a transaction',
        description:
          'Lets a node execute a signed transaction on top of its tip, and discards what it did. The response has the result, ' +
          'the events, what each principal would send and receive, and how the post-conditions would end. The status is 400 ' +
          'if the transaction cannot be executed, such as with a wrong nonce or signature; 502 if the node sends no usable ' +
          'response, with its name; 503 if no node is set up for it; and 504 if the node is too slow.',
        tags: ['Transactions'],
        body: SimulationRequest,
        response: {
          200: TransactionSimulation,
          400: ErrorBody,
          502: ErrorBody,
          503: ErrorBody,
          504: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const raw = bytesOf(request.body.transaction);
      if (!simulate) throw new PublicError(503, 'This service has no node behind it: set CAIRN_NODES');
      const answer = await simulate(raw, forwardedContext(request.raw));
      if ('refused' in answer) throw badRequest(refusalOf(answer));
      reply.header('x-stacks-node', answer.node);
      if (answer.height >= 0) reply.header('x-stacks-node-height', answer.height);
      return renderSimulation(transactionId(raw), decode(raw), answer);
    },
  );
};

const refusalOf = ({ node, refused }: { node: string | undefined; refused: string }) =>
  node === undefined
    ? `the transaction is not valid: ${refused}`
    : `the node ${node} cannot execute the transaction: ${refused}`;

const bytesOf = (hex: string): Uint8Array => reading(() => fromHex(hex));

/** What a node has executed may be newer than this program. */
const decode = (raw: Uint8Array): Transaction => reading(() => decodeAccepted(raw));

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw badRequest(`the transaction cannot be read: ${error.message}`);
  }
}
