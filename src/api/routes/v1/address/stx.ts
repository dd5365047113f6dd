import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { findPendingStx } from '../../../../queries/principals/pending-stx.ts';
import { findStxBalance } from '../../../../queries/principals/stx-balances.ts';
import { findVesting } from '../../../../queries/principals/vesting.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { renderStxBalance, StxBalance } from '../../../../schemas/principals/balance.ts';
import { renderTokenOffering } from '../../../../schemas/principals/token-offering.ts';
import { unsettle } from '../../../http/settled.ts';
import { isNow, momentIn, momentQuery, noSuchMoment } from '../../../params/as-of.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object(momentQuery);
const config = { freshness: 'principal+mempool+locks', deprecated: true } as const;

export const v1AddressStx: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
};
