import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { StxBalance } from '../../../../schemas/principals/balance.ts';
import { findStx } from '../../../../views/principals/balances.ts';
import { unsettle } from '../../../http/settled.ts';
import { asOfIn, asOfQuery, isNow } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object(asOfQuery);
const config = { freshness: 'principal+mempool+locks', deprecated: true } as const;

export const v1AddressStx: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/address/:principal/stx',
    {
      config,
      schema: {
        operationId: 'get_account_stx_balance',
        summary: 'STX of an account, now or after a block',
        tags: ['Accounts'],
        params,
        querystring,
        response: { 200: StxBalance, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }, reply) => {
      const options = { withPending: isNow(query) };
      const { body, hasVesting } = await findStx(sql, principalOf(params.principal), asOfIn(query), options);
      // The vesting schedule changes with every block.
      if (hasVesting) unsettle(reply);
      return body;
    },
  );
};
