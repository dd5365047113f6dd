import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cycleAt } from '../../chain/pox/geometry.ts';
import { badRequest, notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../pages/cursor-list-schema.ts';
import { CycleParam, cycleOf } from '../pox/cycle-params.ts';
import { ExactPrincipalParam } from '../principals/principal-params.ts';
import { principalShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { cycleClock } from './cycle-clock.ts';
import { renderStakingSigner, renderStakingSignerDetail, StakingSigner, StakingSignerDetail } from './signer-schema.ts';
import { renderSignerStaker, SignerStaker } from './signer-staker-schema.ts';
import { listStakerPositions } from './signer-stakers-view.ts';
import { listSignerStakers, listStakingSigners } from './signers-queries.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3StakingSigners: FastifyPluginAsyncTypebox<RouteContext> = async (app, context) => {
  const { tip, shapeOf } = context;
  app.get(
    '/extended/v3/staking/signers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signers',
        summary: 'List signer managers',
        description: 'Returns the registered signer managers and their keys, ordered by principal.',
        tags,
        querystring: Type.Object(cursorQuery(100, 250, `^${principalShape}$`)),
        response: { 200: CursorList(StakingSigner, 'StakingSignerList') },
      },
    },
    async ({ sql, query: { limit = 100, cursor } }) => {
      const rows = (await listStakingSigners(sql))
        .map(renderStakingSigner)
        .sort((a, b) => (a.signer < b.signer ? -1 : 1));
      const start = startOf(rows, cursor, cursor => row => row.signer >= cursor);
      return cutList(rows, { start, limit }, { cursorOf: row => row.signer, render: row => row });
    },
  );

  app.get(
    '/extended/v3/staking/signers/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signer',
        summary: 'Get a signer manager',
        description:
          'Returns a signer manager with the transaction of its registration. The status is 404 if the principal is ' +
          'not registered.',
        tags,
        params,
        response: { 200: StakingSignerDetail },
      },
    },
    async request => {
      const [row] = await listStakingSigners(request.sql, principalOrUnknown(request.params.principal));
      if (!row) throw notFound('Staking signer not found');
      return renderStakingSignerDetail(row, shapeOf(request));
    },
  );

  app.get(
    '/extended/v3/staking/signers/:principal/stakers',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_staking_signer_stakers',
        summary: 'List the stakers of a signer',
        description:
          'Returns the principals that stake with a signer manager at the tip, ordered by principal. With `cycle`, those ' +
          'that stake with it in that cycle; with `include=past`, also those that did so before. Both tell what is ' +
          'staked, from when to when, and what was not claimed. The status is then 503 while no node has reported the ' +
          'start of the cycles.',
        tags,
        params,
        querystring: Type.Object({
          ...cursorQuery(100, 200, `^${principalShape}$`),
          cycle: Type.Optional(CycleParam),
          include: Type.Optional(
            Type.Enum(['past'], {
              description: '`past`: also stakers whose position has ended, who may still have rewards to claim.',
            }),
          ),
        }),
        response: { 200: CursorList(SignerStaker, 'SignerStakerList'), 400: ErrorBody, 404: ErrorBody, 503: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 100, cursor, cycle, include } }) => {
      const signer = principalOrUnknown(params.principal);
      if (cycle !== undefined && include !== undefined)
        throw badRequest(
          'cycle and include: use one of them; `cycle` lists the stakers of any cycle, also of a past one',
        );
      if (cycle !== undefined || include !== undefined) {
        const clock = await cycleClock(context);
        const number = cycle === undefined ? undefined : cycleOf(cycle, cycleAt(clock.geometry, clock.burnTip));
        if (cycle !== undefined && number === undefined) throw notFound('PoX cycle not found');
        return await listStakerPositions(sql, signer, number, { limit, cursor }, clock);
      }
      const rows = (await listSignerStakers(sql, signer, tip.current?.burnHeight ?? 0))
        .map(renderSignerStaker)
        .sort((a, b) => (a.staker < b.staker ? -1 : 1));
      const start = startOf(rows, cursor, cursor => row => row.staker >= cursor);
      return cutList(rows, { start, limit }, { cursorOf: row => row.staker, render: row => row });
    },
  );
};
