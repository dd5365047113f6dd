import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { functionDigests } from '../../chain/abi.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { badRequest, notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { renderEventList } from '../events/event-list-view.ts';
import { TransactionEvent } from '../events/event-schema.ts';
import { refuseBesideFilters } from '../filters/filter-params.ts';
import { refuseUnbounded } from '../pages/page-errors.ts';
import { pageOf, pageQuery, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody, listOf, walkCursors } from '../pages/walk-cursor-params.ts';
import { walk } from '../pages/walk-view.ts';
import type { RouteContext } from '../route-context.ts';
import { renderContract, SmartContract } from './contract-schema.ts';
import { findDeploy, listContractsByFunctions } from './contracts-queries.ts';
import { listFilteredLogs } from './filtered-logs-queries.ts';
import { everyLog, logFilterOf, logFilterQuery } from './log-filter-params.ts';
import { listLogs } from './logs-queries.ts';
import { aboutValues } from './print-filter-params.ts';

const tags = ['Smart contracts'];
const params = Type.Object({ contract_id: Type.String({ description: 'A contract identifier, `ADDRESS.NAME`.' }) });

export const v1Contract: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/contract/by_trait',
    {
      config: { freshness: 'tip', cost: 5 },
      schema: {
        operationId: 'get_contracts_by_trait',
        summary: 'List the contracts that implement a trait',
        description:
          'Returns the contracts that have every function of the trait, newest first. The status is 404 if there ' +
          'are none, and 400 if `trait_abi` is not a JSON interface with `functions`.',
        tags,
        querystring: Type.Object({
          trait_abi: Type.String({ description: 'The interface of the trait as JSON, with the array `functions`.' }),
          ...pageQuery(20, 50),
        }),
        response: {
          200: Type.Object(
            {
              limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
              offset: Type.Integer({ description: 'Number of results that were skipped.' }),
              results: Type.Array(SmartContract),
            },
            { title: 'SmartContractPage' },
          ),
          400: ErrorBody,
          404: ErrorBody,
        },
      },
    },
    async ({ sql, query }) => {
      const digests = digestsOf(query.trait_abi);
      const page = pageOf(query, 20);
      const list = inSnapshot(sql, snapshot => listContractsByFunctions(snapshot, digests, page));
      const rows = await list.catch(refuseUnbounded);
      if (rows.length === 0) throw notFound('cannot find contract for this trait');
      return { ...page, results: rows.map(renderContract) };
    },
  );

  app.get(
    '/extended/v1/contract/:contract_id',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_contract_by_id',
        summary: 'Get a contract',
        description:
          'Returns the source code and the interface of a deployed contract. The status is 404 if no confirmed ' +
          'transaction deployed it.',
        tags,
        params,
        response: { 200: SmartContract, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const row = await findDeploy(sql, principalOrUnknown(params.contract_id));
      if (!row) throw notFound('cannot find contract by ID');
      return renderContract(row);
    },
  );

  app.get(
    '/extended/v1/contract/:contract_id/events',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_contract_events_by_id',
        summary: 'List the events of a contract',
        description:
          'Returns the print events of a contract, newest first. The list is empty if the contract is unknown. For ' +
          'totals use `/extended/v2/smart-contracts/{contract_id}/logs`. With a filter or `cursor` one request looks at up to 1,000 events, ' +
          `so that a page may have fewer results than \`limit\`; the list has ended where \`next_cursor\` is null. ${aboutValues}`,
        tags,
        params,
        querystring: Type.Object({ ...walkedPageQuery(20, 50), ...logFilterQuery }),
        response: {
          200: Type.Object(
            {
              limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
              offset: Type.Integer({ description: 'Number of results that were skipped.' }),
              results: Type.Array(TransactionEvent),
              ...walkCursors,
            },
            { title: 'ContractEventPage' },
          ),
          400: ErrorBody,
          409: ForkBody,
        },
      },
    },
    async request => {
      const { sql, params, query } = request;
      const page = pageOf(query, 20);
      const filtered = logFilterOf(query) ?? (query.cursor === undefined ? undefined : everyLog);
      if (filtered) {
        refuseBesideFilters(query);
        const contract = principalOrUnknown(params.contract_id);
        const { found, cursorAt } = await walk(sql, { list: listOf(request), cursor: query.cursor }, async at => {
          const [height, microblockSequence, txIndex, eventIndex] = at ?? [];
          const isPlace =
            height !== undefined &&
            microblockSequence !== undefined &&
            txIndex !== undefined &&
            eventIndex !== undefined;
          const place = isPlace ? { height, microblockSequence, txIndex, eventIndex } : undefined;
          return await listFilteredLogs(sql, contract, { ...filtered, place, limit: page.limit });
        });
        const { page: rows = [], older } = found ?? {};
        const next = older && [older.height, older.microblock_sequence, older.tx_index, older.event_index];
        return {
          ...page,
          results: await renderEventList(caches, sql, rows),
          next_cursor: cursorAt(next),
          prev_cursor: null,
        };
      }
      const logs = await listLogs(sql, principalOrUnknown(params.contract_id), page);
      return { ...page, results: await renderEventList(caches, sql, logs.page) };
    },
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
