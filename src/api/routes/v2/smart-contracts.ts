import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ContractStatus } from '../../../schemas/contracts/contract.ts';
import { ContractLogPage } from '../../../schemas/contracts/contract-log.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { pageOf } from '../../../schemas/pages/page.ts';
import { findContractStatuses, listContractLogs } from '../../../views/contracts/contracts.ts';
import { loosePrincipalOf } from '../../params/principal.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Smart contracts'];
const ContractId = Type.String({
  pattern: '^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$',
});

export const v2SmartContracts: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v2/smart-contracts/status',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_smart_contracts_status',
        summary: 'What became of the deploys of several contracts',
        tags,
        querystring: Type.Object({ contract_id: Type.Union([Type.Array(ContractId), ContractId]) }),
        response: { 200: Type.Record(Type.String(), ContractStatus) },
      },
    },
    async ({ query }) => {
      const ids = [...new Set([query.contract_id].flat())];
      const found = await findContractStatuses(sql, ids.map(loosePrincipalOf));
      return Object.fromEntries(ids.map(id => [id, found.get(id) ?? { found: false as const }]));
    },
  );

  app.get(
    '/extended/v2/smart-contracts/:contract_id/logs',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_smart_contract_logs',
        summary: 'What a contract printed, newest first, with cursors',
        tags,
        params: Type.Object({ contract_id: Type.String() }),
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 20 })),
          offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 0 })),
          cursor: Type.Optional(
            Type.String({
              pattern: '^[0-9]{1,15}:[0-9]{1,15}:[0-9]{1,15}:[0-9]{1,15}$',
              description: 'block_height:microblock_sequence:tx_index:event_index',
            }),
          ),
        }),
        response: { 200: ContractLogPage, 404: ErrorBody },
      },
    },
    async ({ params, query }) => {
      const position = query.cursor ? positionOf(query.cursor) : undefined;
      return await listContractLogs(caches, sql, loosePrincipalOf(params.contract_id), position, pageOf(query, 20));
    },
  );
};

function positionOf(cursor: string) {
  const [height = 0, microblockSequence = 0, txIndex = 0, eventIndex = 0] = cursor.split(':').map(Number);
  return { height, microblockSequence, txIndex, eventIndex };
}
