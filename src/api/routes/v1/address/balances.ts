import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { findPendingStx } from '../../../../queries/principals/pending-stx.ts';
import { findStxBalance } from '../../../../queries/principals/stx-balances.ts';
import { findVesting } from '../../../../queries/principals/vesting.ts';
import { listFtBalances } from '../../../../queries/tokens/ft-balances.ts';
import { listNftBalances } from '../../../../queries/tokens/nft-balances.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { AddressBalance, renderAddressBalance } from '../../../../schemas/principals/balance.ts';
import { renderTokenOffering } from '../../../../schemas/principals/token-offering.ts';
import { unsettle } from '../../../http/settled.ts';
import { isNow, momentIn, momentQuery, noSuchMoment } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object(momentQuery);
const config = { freshness: 'principal+mempool+locks', deprecated: true } as const;

export const v1AddressBalances: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/address/:principal/balances',
    {
      config,
      schema: {
        operationId: 'get_account_balance',
        summary: 'Get all balances of an account',
        description:
          'Returns the balances of STX (micro-STX), fungible tokens and NFTs. With `until_block` they are the ' +
          'balances after that block, and the fields about pending transactions are absent. Deprecated: use ' +
          '`/extended/v3/principals/{principal}/balances/stx`, `/ft` and `/nft`. The status is 404 if `until_block` ' +
          'names an unknown block.',
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
