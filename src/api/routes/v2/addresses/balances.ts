import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { StxHolding } from '../../../../schemas/principals/balance.ts';
import { OneBalance, TokenBalancePage } from '../../../../schemas/tokens/token-balance.ts';
import { findBalanceOf, findStxHolding, listFts } from '../../../../views/principals/balances.ts';
import { assetOf } from '../../../params/asset.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 100;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v2AddressesBalances: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v2/addresses/:principal/balances/stx',
    {
      config: { freshness: 'principal+mempool+locks' },
      schema: {
        operationId: 'get_principal_stx_balance',
        summary: 'STX of an account',
        tags,
        params,
        querystring: Type.Object({
          include_mempool: Type.Optional(
            Type.Boolean({ default: false, description: 'Say what pending transactions would change.' }),
          ),
        }),
        response: { 200: StxHolding, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params, query }) =>
      findStxHolding(sql, principalOf(params.principal), { withPending: query.include_mempool === true }),
  );

  app.get(
    '/extended/v2/addresses/:principal/balances/ft',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_ft_balances',
        summary: 'Fungible tokens of an account, by identifier',
        tags,
        params,
        querystring: Type.Object(pageQuery(usual, 200)),
        response: { 200: TokenBalancePage, 400: ErrorBody },
      },
    },
    async ({ params, query }) => listFts(sql, principalOf(params.principal), pageOf(query, usual)),
  );

  app.get(
    '/extended/v2/addresses/:principal/balances/ft/:token',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_ft_balance',
        summary: 'One fungible token of an account',
        tags,
        params: Type.Object({
          principal: PrincipalParam,
          token: Type.String({ description: '`stx`, or an asset identifier.' }),
        }),
        response: { 200: OneBalance, 400: ErrorBody },
      },
    },
    async ({ params: { principal, token } }) => ({
      balance: await findBalanceOf(sql, principalOf(principal), token === 'stx' ? token : assetOf(token)),
    }),
  );
};
