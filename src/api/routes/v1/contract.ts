import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { functionDigests } from '../../../chain/abi.ts';
import { badRequest } from '../../../errors.ts';
import { SmartContract } from '../../../schemas/contracts/contract.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { TransactionEvent } from '../../../schemas/events/event.ts';
import { pageOf, pageQuery } from '../../../schemas/pages/page.ts';
import { findContract, listContractEvents, listContractsByTrait } from '../../../views/contracts/contracts.ts';
import { loosePrincipalOf } from '../../params/principal.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Smart contracts'];
const params = Type.Object({ contract_id: Type.String() });

export const v1Contract: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/contract/by_trait',
    {
      config: { freshness: 'tip', cost: 5 },
      schema: {
        operationId: 'get_contracts_by_trait',
        summary: 'Contracts that have every function of a trait, newest first',
        tags,
        querystring: Type.Object({
          trait_abi: Type.String({ description: 'The interface of the trait as JSON text.' }),
          ...pageQuery(20, 50),
        }),
        response: {
          200: Type.Object(
            { limit: Type.Integer(), offset: Type.Integer(), results: Type.Array(SmartContract) },
            { title: 'SmartContractPage' },
          ),
          400: ErrorBody,
          404: ErrorBody,
        },
      },
    },
    async ({ query }) => listContractsByTrait(sql, digestsOf(query.trait_abi), pageOf(query, 20)),
  );

  app.get(
    '/extended/v1/contract/:contract_id',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_contract_by_id',
        summary: 'A contract with its source and its interface',
        tags,
        params,
        response: { 200: SmartContract, 404: ErrorBody },
      },
    },
    async ({ params }) => findContract(sql, loosePrincipalOf(params.contract_id)),
  );

  app.get(
    '/extended/v1/contract/:contract_id/events',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_contract_events_by_id',
        summary: 'What a contract printed, newest first',
        tags,
        params,
        querystring: Type.Object(pageQuery(20, 50)),
        response: {
          200: Type.Object(
            { limit: Type.Integer(), offset: Type.Integer(), results: Type.Array(TransactionEvent) },
            { title: 'ContractEventPage' },
          ),
        },
      },
    },
    async ({ params, query }) =>
      listContractEvents(caches, sql, loosePrincipalOf(params.contract_id), pageOf(query, 20)),
  );
};

function digestsOf(text: string): bigint[] {
  let abi: unknown;
  try {
    abi = JSON.parse(text);
  } catch {
    throw badRequest("Invalid 'trait_abi'");
  }
  if (!Array.isArray((abi as { functions?: unknown } | null)?.functions)) throw badRequest("Invalid 'trait_abi'");
  try {
    return functionDigests(abi);
  } catch {
    throw badRequest("Invalid 'trait_abi'");
  }
}
