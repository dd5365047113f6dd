import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { notFound } from '../../../../errors.ts';
import { listMovesOf } from '../../../../queries/principals/asset-moves.ts';
import { listPrincipalTransactions, type PrincipalTransaction } from '../../../../queries/principals/transactions.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { AddressEventPage, renderAddressEvent } from '../../../../schemas/principals/address-event.ts';
import { AddressTransactionPage } from '../../../../schemas/principals/address-transaction.ts';
import { gatherWithCounts } from '../../../../views/principals/transaction-list.ts';
import { settle } from '../../../http/settled.ts';
import { cursorPage } from '../../../params/address-cursor.ts';
import { loosePrincipalOf, PrincipalParam } from '../../../params/principal.ts';
import { excludeFunctionArgs, TransactionIdParam, transactionIdOf } from '../../../params/transaction.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 20;
const tags = ['Accounts'];

export const v2AddressesTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, pieces, hasVersion9Keys },
) => {
  app.get(
    '/extended/v2/addresses/:address/transactions',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_address_transactions',
        summary: 'List the transactions of a principal',
        description:
          'Returns the transactions that involve the principal, newest first, each with the STX it moved for the ' +
          'principal and the number of its asset events. Pass `cursor` (empty for the first page), or send the ' +
          'header `X-API-Version: 9`, to receive `next_cursor` (newer page), `prev_cursor` (older page) and ' +
          '`cursor`. The status is 404 if the cursor is malformed or its block is no longer part of the chain.',
        tags,
        params: Type.Object({ address: PrincipalParam }),
        querystring: Type.Object({
          ...pageQuery(usual, 50),
          cursor: Type.Optional(
            Type.String({
              description: 'Start of the page: a cursor of an earlier response, or empty for the newest page.',
            }),
          ),
          ...excludeFunctionArgs,
        }),
        response: { 200: AddressTransactionPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async request => {
      const {
        params: { address },
        query,
      } = request;
      // This list has always taken a limit of 0 at its word.
      const page = { limit: query.limit ?? usual, offset: query.offset ?? 0 };
      const account = { principal: loosePrincipalOf(address), moment: 'unanchored' } as const;
      // The second version tells nothing of interfaces.
      const options = { excludeFunctionArgs: query.exclude_function_args, withoutInterface: true };
      const render = (rows: PrincipalTransaction[]) => gatherWithCounts(pieces, sql, account.principal, rows, options);
      const cursor = query.cursor ?? (hasVersion9Keys(request) ? '' : undefined);
      if (cursor !== undefined) {
        const { rows, ...cursors } = await inSnapshot(sql, sql => cursorPage(sql, account, page, cursor));
        return { ...page, ...cursors, results: await render(rows) };
      }
      const { total, rows } = await listPrincipalTransactions(sql, account, page, { hidden: 'idle' });
      return { ...page, total, results: await render(rows) };
    },
  );

  app.get(
    '/extended/v2/addresses/:address/transactions/:tx_id/events',
    {
      config: { freshness: 'tx' },
      schema: {
        operationId: 'get_address_transaction_events',
        summary: 'List the asset events of a transaction for a principal',
        description:
          'Returns the transfers, mints and burns of one transaction that involve the principal, ordered by ' +
          '`event_index`. The list is empty if the transaction moved nothing for the principal. The status is 404 ' +
          'if the transaction is unknown or pending.',
        tags,
        params: Type.Object({ address: PrincipalParam, tx_id: TransactionIdParam }),
        querystring: Type.Object(pageQuery(usual, 50)),
        response: { 200: AddressEventPage, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { address, tx_id }, query }, reply) => {
      const page = pageOf(query, usual);
      const events = await listMovesOf(sql, loosePrincipalOf(address), transactionIdOf(tx_id), page);
      if (!events) throw notFound('Transaction not found');
      const [first] = events.rows;
      if (first) settle(reply, first.height);
      return { ...page, total: events.total, results: events.rows.map(renderAddressEvent) };
    },
  );
};
