import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cacheUntilNextBlock } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfIn, asOfQuery, isNow } from '../pages/as-of-params.ts';
import type { RouteContext } from '../route-context.ts';
import { StxBalance } from './balance-schema.ts';
import { findStx } from './balances-view.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object(asOfQuery);
const config = { freshness: 'principal+mempool+locks', deprecated: true } as const;

export const v1AddressStx: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/address/:principal/stx',
    {
      config,
      schema: {
        operationId: 'get_account_stx_balance',
        summary: 'Get the STX balance of an account',
        description:
          'Returns amounts in micro-STX. With `until_block` it is the balance after that block, and the fields ' +
          'about pending transactions are absent. Deprecated: use ' +
          '`/extended/v3/principals/{principal}/balances/stx`. The status is 404 if `until_block` names an unknown ' +
          'block.',
        tags: ['Accounts'],
        params,
        querystring,
        response: { 200: StxBalance, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }, reply) => {
      const options = { withPending: isNow(query) };
      const { body, hasVesting } = await findStx(sql, principalOf(params.principal), asOfIn(query), options);
      // The vesting schedule changes with every block.
      if (hasVesting) cacheUntilNextBlock(reply);
      return body;
    },
  );
};
