import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { badRequest } from '../../../../errors.ts';
import { listDropped, listMempool, type MempoolFilter } from '../../../../queries/mempool/mempool.ts';
import { countMempoolTypes, findMempoolStats } from '../../../../queries/mempool/stats.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { MempoolStats, renderMempoolStats } from '../../../../schemas/mempool/mempool-stats.ts';
import { MempoolTransaction, renderMempoolTransaction } from '../../../../schemas/mempool/mempool-transaction.ts';
import { Page, pageQuery } from '../../../../schemas/pages/page.ts';
import { AddressParam, principalOf } from '../../../params/principal.ts';
import { excludeFunctionArgs, includeState, unanchored } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Mempool'];
const MempoolPage = Page(MempoolTransaction, 'MempoolTransactionPage');
const filters = {
  sender_address: Type.Optional(AddressParam),
  recipient_address: Type.Optional(AddressParam),
  address: Type.Optional(AddressParam),
};

export const v1TxMempool: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql: pool }) => {
  app.get(
    '/extended/v1/tx/mempool',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_mempool_transaction_list',
        summary: 'List pending transactions',
        description:
          'Returns the transactions of the mempool, newest first unless `order_by` and `order` say otherwise. ' +
          '`address` matches the sender, the recipient and the called contract, and cannot be combined with the ' +
          'other address filters.',
        tags,
        querystring: Type.Object({
          ...filters,
          order_by: Type.Optional(
            Type.Union([Type.Literal('age'), Type.Literal('size'), Type.Literal('fee')], {
              description: 'What to order by. The default is `age`: the time of receipt.',
            }),
          ),
          order: Type.Optional(
            Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
              description: 'Direction of the order. The default is `desc`.',
            }),
          ),
          ...unanchored,
          ...pageQuery(20, 50),
          ...excludeFunctionArgs,
          ...includeState,
        }),
        response: { 200: MempoolPage, 400: ErrorBody },
      },
    },
    async ({ query }) => {
      const page = { limit: query.limit || 20, offset: query.offset ?? 0 };
      const order = { by: query.order_by ?? 'age', direction: query.order ?? 'desc' } as const;
      const filter = filterOf(query);
      const { total, rows } = await listMempool(pool, filter, page, order);
      const options = { excludeFunctionArgs: query.exclude_function_args, withState: query.include_state };
      return { ...page, total, results: rows.map(row => renderMempoolTransaction(row, options)) };
    },
  );

  app.get(
    '/extended/v1/tx/mempool/dropped',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_dropped_mempool_transaction_list',
        summary: 'List dropped transactions',
        description:
          'Returns the transactions that left the mempool without being mined, most recently dropped first. ' +
          '`tx_status` says why each one was dropped.',
        tags,
        querystring: Type.Object(pageQuery(20, 50)),
        response: { 200: MempoolPage },
      },
    },
    async ({ query }) => {
      const page = { limit: query.limit || 20, offset: query.offset ?? 0 };
      const { total, rows } = await listDropped(pool, page);
      return { ...page, total, results: rows.map(row => renderMempoolTransaction(row)) };
    },
  );

  app.get(
    '/extended/v1/tx/mempool/stats',
    {
      config: { freshness: 'mempool', cost: 3 },
      schema: {
        operationId: 'get_mempool_transaction_stats',
        summary: 'Get mempool statistics',
        description:
          'Returns the number of pending transactions and the percentiles of their fees (micro-STX), ages (blocks) ' +
          'and sizes (bytes), by transaction type.',
        tags,
        response: { 200: MempoolStats },
      },
    },
    async () =>
      inSnapshot(pool, async sql => renderMempoolStats(await countMempoolTypes(sql), await findMempoolStats(sql))),
  );
};

type FilterQuery = {
  sender_address?: string | undefined;
  recipient_address?: string | undefined;
  address?: string | undefined;
};

/** What a caller asks for; a 400 where a name is none or the filters exclude one another. */
function filterOf({ sender_address: sender, recipient_address: recipient, address }: FilterQuery): MempoolFilter {
  if (address !== undefined && (sender !== undefined || recipient !== undefined)) {
    throw badRequest('The "address" filter cannot be specified with other address filters');
  }
  const nameOf = (text: string) =>
    principalOf(text, `Error: Invalid query parameter: "${text}" is not a valid STX address or principal`);
  return {
    ...(sender !== undefined && { sender: nameOf(sender) }),
    ...(recipient !== undefined && { recipient: nameOf(recipient) }),
    ...(address !== undefined && { address: nameOf(address) }),
  };
}
