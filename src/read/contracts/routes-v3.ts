import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { contractShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { DeployedContract, renderDeployedContract } from './deployed-contract-schema.ts';
import { findDeployedContract } from './deployed-contracts-queries.ts';

export const v3SmartContracts: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/smart-contracts/:contract_id',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_smart_contract',
        summary: 'Get a contract',
        description:
          'Returns a deployed contract and the block that holds its deployment. The status is 404 if no confirmed ' +
          'transaction deployed it.',
        tags: ['Smart contracts'],
        params: Type.Object({
          contract_id: Type.String({
            pattern: `^${contractShape}$`,
            description: 'A contract identifier, `ADDRESS.NAME`.',
          }),
        }),
        querystring: Type.Object({
          include: Type.Optional(
            Type.Array(Type.Literal('source_code'), {
              [COMMA_LIST]: 'single',
              uniqueItems: true,
              description: 'Optional fields to include.',
            }),
          ),
        }),
        response: { 200: DeployedContract, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { include = [] } }) => {
      const row = await findDeployedContract(sql, principalOrUnknown(params.contract_id));
      if (!row) throw notFound('Smart contract not found');
      return renderDeployedContract(row, include.includes('source_code'));
    },
  );
};
