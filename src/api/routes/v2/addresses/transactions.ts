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
        summary: 'Transactions that touched an account, the newest first, with what they moved for it',
        description:
          'With `cursor`, empty for the newest page, or asked for as version 9 (`X-API-Version: 9`), the answer tells the cursors of its neighbours.',
        tags,
        params: Type.Object({ address: PrincipalParam }),
        querystring: Type.Object({
          ...pageQuery(usual, 50),
          cursor: Type.Optional(Type.String({ description: 'Where a page starts, as an earlier answer told it.' })),
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
        summary: 'What one transaction moved for an account',
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
