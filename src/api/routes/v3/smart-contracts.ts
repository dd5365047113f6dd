import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { DeployedContract } from '../../../schemas/contracts/deployed-contract.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { findSmartContract } from '../../../views/contracts/contracts.ts';
import { COMMA_LIST } from '../../docs/openapi.ts';
import { loosePrincipalOf } from '../../params/principal.ts';
import type { RouteContext } from '../../route-context.ts';

export const v3SmartContracts: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/smart-contracts/:contract_id',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_smart_contract',
        summary: 'A contract and where it was deployed',
        tags: ['Smart Contracts'],
        params: Type.Object({
          contract_id: Type.String({
            pattern: '^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$',
            description: 'The address and the name of a contract.',
          }),
        }),
        querystring: Type.Object({
          include: Type.Optional(
            Type.Array(Type.Literal('source_code'), {
              [COMMA_LIST]: 'single',
              uniqueItems: true,
              description: 'What to tell beside the usual.',
            }),
          ),
        }),
        response: { 200: DeployedContract, 404: ErrorBody },
      },
    },
    async ({ params, query: { include = [] } }) =>
      findSmartContract(sql, loosePrincipalOf(params.contract_id), include.includes('source_code')),
  );
};
