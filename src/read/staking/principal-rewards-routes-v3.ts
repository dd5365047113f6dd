import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { cursorQuery, cutList, startOf } from '../pages/cursor-list-schema.ts';
import { ExactPrincipalParam } from '../principals/principal-params.ts';
import { principalShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { principalOn } from '../sbtc/sbtc-params.ts';
import { cycleClock } from './cycle-clock.ts';
import { CycleRewardList, renderCycleReward } from './cycle-reward-schema.ts';
import { readStakerHistories } from './staker-history-view.ts';
import { findStakerKey } from './staker-terms-queries.ts';

export const v3PrincipalsStakingRewards: FastifyPluginAsyncTypebox<RouteContext> = async (app, context) => {
  app.get(
    '/extended/v3/principals/:principal/staking/rewards',
    {
      config: { freshness: 'tip', asksNode: true, cost: 3 },
      schema: {
        operationId: 'get_principal_staking_rewards',
        summary: 'List the staking rewards of a principal by cycle',
        description:
          'Returns the cycles in which the principal stakes or staked, up to the present one, newest first, each with ' +
          'what was earned and claimed. Rewards stay claimable after the lock has ended. The status is 503 while no ' +
          'node has reported the start of the cycles.',
        tags: ['Staking'],
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: Type.Object({
          ...cursorQuery(20, 100, '^[0-9]{1,6}$'),
          signer: Type.Optional(
            Type.String({
              pattern: `^${principalShape}$`,
              description: 'Only cycles in which the principal stakes with this signer manager.',
            }),
          ),
          unclaimed: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Only cycles with rewards that were not claimed, also those that await the signer manager.',
            }),
          ),
        }),
        response: { 200: CycleRewardList, 400: ErrorBody, 503: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor, signer, unclaimed = false } }) => {
      const clock = await cycleClock(context);
      const manager = signer === undefined ? undefined : principalOn(context.network, signer, 'signer');
      const rows = await inSnapshot(sql, async snapshot => {
        const staker = await findStakerKey(snapshot, principalOrUnknown(params.principal));
        if (staker === undefined) return [];
        const wanted = manager && (await findStakerKey(snapshot, manager));
        const found = (await readStakerHistories(snapshot, [staker], clock)).get(staker)!.rewards;
        return found.filter(row => (!manager || row.signer === wanted) && (!unclaimed || row.due > 0n));
      });
      rows.sort((a, b) => b.cycle - a.cycle);
      const start = startOf(rows, cursor, cursor => row => row.cycle <= Number(cursor));
      const cursorOf = (row: (typeof rows)[number]) => String(row.cycle);
      return cutList(rows, { start, limit, alwaysCounted: true }, { cursorOf, render: renderCycleReward });
    },
  );
};
