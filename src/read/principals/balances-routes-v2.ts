import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { asShortHolding } from '../../compat/stx-holding.ts';
import { badRequest } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import { assertBlockNamed, noBlockAsOf } from '../pages/page-errors.ts';
import { pageOf, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { assetOf } from '../tokens/asset-params.ts';
import { findFtBalance, listFtBalances } from '../tokens/ft-balances-queries.ts';
import { OneBalance, renderTokenBalances, TokenBalancePage } from '../tokens/token-balance-schema.ts';
import { renderStxHolding, StxHolding } from './balance-schema.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';
import { findStxBalance, findStxPosition } from './stx-balances-queries.ts';

const defaultLimit = 100;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];

export const v2AddressesBalances: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v2/addresses/:principal/balances/stx',
    {
      config: { freshness: 'principal+mempool+locks' },
      schema: {
        operationId: 'get_principal_stx_balance',
        summary: 'Get the STX balance of a principal',
        description:
          'Returns amounts in micro-STX. The fields about pending transactions are present only with ' +
          '`include_mempool`.',
        tags,
        params,
        querystring: Type.Object({
          ...atBlockQuery,
          include_mempool: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Whether to add the effect of pending transactions on the balance.',
            }),
          ),
        }),
        response: { 200: StxHolding, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const principal = principalOf(params.principal);
      if (query.include_mempool && query.at_block !== undefined) {
        throw badRequest('at_block cannot be combined with include_mempool=true: nothing is pending at a past block');
      }
      const asOf = asOfAtBlock(query.at_block);
      const position = query.include_mempool ? await findStxPosition(sql, principal) : undefined;
      const stx = position ?? (await findStxBalance(sql, principal, asOf));
      if (!stx) throw noBlockAsOf(asOf);
      return renderStxHolding(asShortHolding(stx), position?.pending);
    },
  );

  app.get(
    '/extended/v2/addresses/:principal/balances/ft',
    {
      config: { freshness: 'principal', assetMetadata: true, walk: { grows: 'nowhere', asOf: 'at_block' } },
      schema: {
        operationId: 'get_principal_ft_balances',
        summary: 'List the fungible token balances of a principal',
        description:
          'Returns the tokens with a balance above zero, ordered by asset identifier. Balances are in the smallest ' +
          'unit of the token.',
        tags,
        params,
        querystring: Type.Object({ ...walkedPageQuery(defaultLimit, 200), ...atBlockQuery, ...assetMetadataQuery }),
        response: { 200: TokenBalancePage, 400: ErrorBody, 404: ErrorBody, 409: ForkBody },
      },
    },
    async ({ sql, params, query }) => {
      const asOf = asOfAtBlock(query.at_block);
      const balances = await listFtBalances(sql, principalOf(params.principal), asOf);
      if (balances.length === 0) await assertBlockNamed(sql, asOf);
      return renderTokenBalances(balances, pageOf(query, defaultLimit));
    },
  );

  app.get(
    '/extended/v2/addresses/:principal/balances/ft/:token',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_ft_balance',
        summary: 'Get a fungible token balance of a principal',
        description:
          'Returns the balance of one token in its smallest unit, or of STX in micro-STX. It is `0` if the ' +
          'principal has none or the token is unknown.',
        tags,
        params: Type.Object({
          principal: PrincipalParam,
          token: Type.String({ description: '`stx`, or an asset identifier (`CONTRACT_ID::ASSET_NAME`).' }),
        }),
        querystring: Type.Object(atBlockQuery),
        response: { 200: OneBalance, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params: { principal: text, token }, query }) => {
      const principal = principalOf(text);
      const asOf = asOfAtBlock(query.at_block);
      const asset = token === 'stx' ? undefined : assetOf(token);
      const balance =
        token === 'stx'
          ? (await findStxBalance(sql, principal, asOf))?.balance
          : asset && (await findFtBalance(sql, principal, asset, asOf));
      if (balance === undefined) await assertBlockNamed(sql, asOf);
      return { balance: balance ?? '0' };
    },
  );
};
