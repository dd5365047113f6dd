import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { cursorQuery, cutList, startOf } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { TransactionIdParam, transactionIdOf } from '../transactions/transaction-params.ts';
import {
  changeCursor,
  changePattern,
  isAtChange,
  renderTransactionBalanceChange,
  sortChanges,
  TransactionBalanceChangeList,
} from './balance-change-schema.ts';
import { listBalanceChanges } from './balance-changes-queries.ts';
import { ExactPrincipalParam } from './principal-params.ts';

const tags = ['Transactions'];

export const v3PrincipalsBalanceChanges: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/principals/:principal/balance-changes',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_balance_changes',
        summary: 'List the balance changes of several transactions',
        description:
          'Returns how the requested transactions changed the balances of the principal, newest transaction first. ' +
          'Within a transaction STX comes first, then fungible tokens, then NFTs, each by identifier. Unknown ' +
          'transactions are left out.',
        tags,
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: Type.Object({
          ...cursorQuery(20, 50, changePattern),
          tx_id: Type.Array(TransactionIdParam, {
            [COMMA_LIST]: 'single',
            minItems: 1,
            maxItems: 20,
            description: 'Ids of 1 to 20 transactions. Unknown ones are ignored.',
          }),
        }),
        response: { 200: TransactionBalanceChangeList },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor, tx_id } }) => {
      const principal = principalOrUnknown(params.principal);
      const rows = sortChanges(await listBalanceChanges(sql, principal, tx_id.map(transactionIdOf)));
      const start = startOf(rows, cursor, isAtChange);
      const rendering = { cursorOf: changeCursor, render: renderTransactionBalanceChange };
      return cutList(rows, { start, limit, wholePages: true }, rendering);
    },
  );
};
