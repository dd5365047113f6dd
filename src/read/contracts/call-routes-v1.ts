import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { FunctionCall, FunctionCallResult } from './function-call-schema.ts';
import { callFunction } from './function-call-view.ts';

/** A call runs on a node. */
const COST = 10;
const LARGEST_BODY = 200_000;

export const v1ContractCall: FastifyPluginAsyncTypebox<RouteContext> = async (app, { callReadOnly }) => {
  app.post(
    '/extended/v1/contract/:contract_id/call/:function',
    {
      bodyLimit: LARGEST_BODY,
      config: { freshness: 'none', cost: COST },
      schema: {
        operationId: 'call_contract_function',
        summary: 'Call a read-only function with JSON arguments',
        description:
          'Calls a read-only function of a contract at the tip of a node. The arguments are JSON by the types of the ' +
          'interface of the contract. The status is 400 if an argument does not fit its type or the function is not ' +
          'read-only, 404 if the contract or the function is unknown, 422 if the contract fails, and 503 if no node responds.',
        tags: ['Smart contracts'],
        params: Type.Object({
          contract_id: Type.String({ maxLength: 200, description: 'A contract identifier, `ADDRESS.NAME`.' }),
          function: Type.String({ maxLength: 128, description: 'Name of the function.' }),
        }),
        body: FunctionCall,
        response: { 200: FunctionCallResult, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody, 503: ErrorBody },
      },
    },
    ({ sql, params, body }) => callFunction({ sql, callReadOnly }, params.contract_id, params.function, body),
  );
};
