import { principalFromBytes, principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest, notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { renderLogList } from '../events/event-list-view.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import { pageOf } from '../pages/page-schema.ts';
import { looseContractPattern } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { ContractLogPage, renderFilteredPage, renderLogPage } from './contract-log-schema.ts';
import { ContractStatus, renderContractStatus } from './contract-schema.ts';
import { listDeploys, listPendingDeploys } from './contracts-queries.ts';
import { listFilteredLogs } from './filtered-logs-queries.ts';
import { logFilterOf, logFilterQuery } from './log-filter-params.ts';
import { listLogs } from './logs-queries.ts';
import { aboutValues } from './print-filter-params.ts';

const tags = ['Smart contracts'];
const ContractId = Type.String({
  pattern: looseContractPattern,
});

export const v2SmartContracts: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v2/smart-contracts/status',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_smart_contracts_status',
        summary: 'Get the deployment status of contracts',
        description:
          'Returns an object with one entry for each requested contract. A confirmed deployment takes precedence ' +
          'over a pending one. `found` is false if there is neither. With `at_block` only deployments up to that block count.',
        tags,
        querystring: Type.Object({
          contract_id: Type.Union([Type.Array(ContractId), ContractId], {
            description: 'One or several contract identifiers, `ADDRESS.NAME`.',
          }),
          ...atBlockQuery,
        }),
        response: { 200: Type.Record(Type.String(), ContractStatus), 404: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const ids = [...new Set([query.contract_id].flat())];
      const contracts = ids.map(principalOrUnknown);
      const asOf = asOfAtBlock(query.at_block);
      const rows = await inSnapshot(sql, async snapshot => {
        if (asOf !== 'tip') await assertBlockAsOf(snapshot, asOf);
        const pending = asOf === 'tip' ? await listPendingDeploys(snapshot, contracts) : [];
        return [...pending, ...(await listDeploys(snapshot, contracts, asOf))];
      });
      // The last entry of an id wins: a mined deploy over a pending one.
      const found = new Map(rows.map(row => [principalFromBytes(row.name), renderContractStatus(row)]));
      return Object.fromEntries(ids.map(id => [id, found.get(id) ?? { found: false as const }]));
    },
  );

  app.get(
    '/extended/v2/smart-contracts/:contract_id/logs',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_smart_contract_logs',
        summary: 'List the logs of a contract',
        description:
          'Returns the print events of a contract, newest first. Pass `next_cursor` or `prev_cursor` of a page as ' +
          '`cursor` to get the newer or the older page. The status is 404 if the cursor lies beyond the last event. With a filter the ' +
          'list goes to older pages only: `total` and `next_cursor` are null. One request looks at up to 1,000 events, so that a page may ' +
          `have fewer results than \`limit\`; the list has ended where \`prev_cursor\` is null. ${aboutValues}`,
        tags,
        params: Type.Object({ contract_id: Type.String({ description: 'A contract identifier, `ADDRESS.NAME`.' }) }),
        querystring: Type.Object({
          limit: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 100,
              default: 20,
              description: 'Maximum number of results to return; 0 means the default.',
            }),
          ),
          offset: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1000,
              default: 0,
              description: 'Number of results to skip from the cursor.',
            }),
          ),
          cursor: Type.Optional(
            Type.String({
              pattern: '^[0-9]{1,15}:[0-9]{1,15}:[0-9]{1,15}:[0-9]{1,15}$',
              description:
                'First event of the page, as `block_height:microblock_sequence:tx_index:event_index`. Without it the page starts at the newest event.',
            }),
          ),
          ...logFilterQuery,
        }),
        response: { 200: ContractLogPage, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const position = query.cursor ? positionOf(query.cursor) : undefined;
      const page = pageOf(query, 20);
      const contract = principalOrUnknown(params.contract_id);
      const filtered = logFilterOf(query);
      if (filtered) {
        if (page.offset > 0) throw badRequest('offset cannot be combined with filters: use cursor');
        const logs = await listFilteredLogs(sql, contract, { ...filtered, place: position, limit: page.limit });
        if (!logs) throw notFound('Cursor not found');
        return { ...page, ...renderFilteredPage(logs), results: await renderLogList(caches, sql, logs.page) };
      }
      const logs = await listLogs(sql, contract, { place: position, ...page, around: true });
      if (position && logs.start >= logs.total) throw notFound('Cursor not found');
      return { ...page, ...renderLogPage(logs), results: await renderLogList(caches, sql, logs.page) };
    },
  );
};

function positionOf(cursor: string) {
  const [height = 0, microblockSequence = 0, txIndex = 0, eventIndex = 0] = cursor.split(':').map(Number);
  return { height, microblockSequence, txIndex, eventIndex };
}
