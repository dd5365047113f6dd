import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { findStxBalance, findStxPosition, type StxBalanceRow } from '../../../../queries/principals/stx-balances.ts';
import { findFtBalance, listFtBalances } from '../../../../queries/tokens/ft-balances.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { renderStxHolding, StxHolding } from '../../../../schemas/principals/balance.ts';
import { OneBalance, renderTokenBalances, TokenBalancePage } from '../../../../schemas/tokens/token-balance.ts';
import { noSuchMoment } from '../../../params/as-of.ts';
import { assetOf } from '../../../params/asset.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 100;
const params = Type.Object({ principal: PrincipalParam });
const tags = ['Accounts'];
/** The shorter form has never shown a lock of the first PoX before the node told when that one ends for all. */
const withoutUntoldLock = (row: StxBalanceRow): StxBalanceRow =>
  row.unlock_heights?.[0] === undefined && row.lock_contract?.subarray(-4).toString() === '.pox'
    ? { ...row, lock_amount: null }
    : row;

export const v2AddressesBalances: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
    async ({ params: { principal }, query }) => {
      const account = principalOf(principal);
      const position = query.include_mempool ? await findStxPosition(sql, account) : undefined;
      const stx = position ?? (await findStxBalance(sql, account, 'tip'));
      if (!stx) throw noSuchMoment('tip');
      // Clients know the burn height of the tip here; that of the lock is in v1.
      const shown = { ...withoutUntoldLock(stx), lock_burn_height: stx.burn_height };
      return renderStxHolding(shown, position?.pending);
    },
  );

  app.get(
    '/extended/v2/addresses/:principal/balances/ft',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_ft_balances',
        summary: 'List the fungible token balances of a principal',
        description:
          'Returns the tokens with a balance above zero, ordered by asset identifier. Balances are in the smallest ' +
          'unit of the token.',
        tags,
        params,
        querystring: Type.Object(pageQuery(usual, 200)),
        response: { 200: TokenBalancePage, 400: ErrorBody },
      },
    },
    async ({ params: { principal }, query }) => {
      const account = principalOf(principal);
      return renderTokenBalances(await listFtBalances(sql, account, 'tip'), pageOf(query, usual));
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
        response: { 200: OneBalance, 400: ErrorBody },
      },
    },
    async ({ params: { principal, token } }) => {
      const account = principalOf(principal);
      const asset = assetOf(token);
      const balance =
        token === 'stx'
          ? (await findStxBalance(sql, account, 'tip'))?.balance
          : asset && (await findFtBalance(sql, account, asset));
      return { balance: balance ?? '0' };
    },
  );
};
