import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../db/snapshot.ts';
import { listFtBalances } from '../../../queries/ft-balances.ts';
import { listNftBalances } from '../../../queries/nft-balances.ts';
import { findPendingStx } from '../../../queries/pending-stx.ts';
import { findStxBalance } from '../../../queries/stx-balances.ts';
import { findVesting } from '../../../queries/vesting.ts';
import { AddressBalance, renderAddressBalance, renderStxBalance, StxBalance } from '../../../schemas/balance.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { renderTokenOffering } from '../../../schemas/token-offering.ts';
import { isNow, momentIn, momentQuery, noSuchMoment } from '../../moment-param.ts';
import { PrincipalParam, principalOf } from '../../principal-param.ts';
import type { RouteContext } from '../../server.ts';
import { unsettle } from '../../settled.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object(momentQuery);
const config = { freshness: 'principal+mempool+locks', deprecated: true } as const;

export const addressBalanceRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
    async ({ params: { principal }, query }, reply) => {
      const account = principalOf(principal);
      const moment = momentIn(query);
      return await inSnapshot(sql, async sql => {
        const [stx, vesting, pending] = await Promise.all([
          findStxBalance(sql, account, moment),
          findVesting(sql, account, moment),
          isNow(query) ? findPendingStx(sql, account) : undefined,
        ]);
        if (!stx) throw noSuchMoment(moment);
        if (vesting) unsettle(reply); // its schedule goes by blocks
        return { ...renderStxBalance(stx, pending), ...renderTokenOffering(vesting) };
      });
    },
  );

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
    async ({ params: { principal }, query }, reply) => {
      const account = principalOf(principal);
      const moment = momentIn(query);
      return await inSnapshot(sql, async sql => {
        const [stx, vesting, fts, nfts, pending] = await Promise.all([
          findStxBalance(sql, account, moment),
          findVesting(sql, account, moment),
          listFtBalances(sql, account, moment),
          listNftBalances(sql, account, moment),
          isNow(query) ? findPendingStx(sql, account) : undefined,
        ]);
        if (!stx) throw noSuchMoment(moment);
        if (vesting) unsettle(reply); // its schedule goes by blocks
        return { ...renderAddressBalance(stx, fts, nfts, pending), ...renderTokenOffering(vesting) };
      });
    },
  );
};
