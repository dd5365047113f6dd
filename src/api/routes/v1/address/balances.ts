import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { AddressBalance } from '../../../../schemas/principals/balance.ts';
import { findBalances } from '../../../../views/principals/balances.ts';
import { unsettle } from '../../../http/settled.ts';
import { asOfIn, asOfQuery, isNow } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object(asOfQuery);
const config = { freshness: 'principal+mempool+locks', deprecated: true } as const;

export const v1AddressBalances: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/address/:principal/balances',
    {
      config,
      schema: {
        operationId: 'get_account_balance',
        summary: 'STX, fungible and non-fungible tokens of an account, now or after a block',
        tags: ['Accounts'],
        params,
        querystring,
        response: { 200: AddressBalance, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }, reply) => {
      const options = { withPending: isNow(query) };
      const { body, hasVesting } = await findBalances(sql, principalOf(params.principal), asOfIn(query), options);
      // The vesting schedule changes with every block.
      if (hasVesting) unsettle(reply);
      return body;
    },
  );
};
