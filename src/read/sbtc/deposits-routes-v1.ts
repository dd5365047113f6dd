import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { Deposit, DepositList, renderDeposit } from './deposit-schema.ts';
import { listDeposits } from './deposits-queries.ts';
import { findRegistry } from './registry-queries.ts';
import { MinAmountParam, OutputParam, outputOf, principalOn, RecipientParam } from './sbtc-params.ts';

const tags = ['sBTC'];

export const v1SbtcDeposits: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v1/sbtc/deposits',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_deposits',
        summary: 'List deposits of sBTC',
        description:
          'Returns the deposits that the signers have completed, newest first, each with the Bitcoin transaction that ' +
          'moved the bitcoin. Most are rewards of stakers; `exclude_staking` leaves them out.',
        tags,
        querystring: Type.Object({
          ...cursorQuery(20, 100, eventPositionPattern),
          recipient: Type.Optional(RecipientParam),
          min_amount: Type.Optional(MinAmountParam),
          exclude_staking: Type.Optional(
            Type.Boolean({ default: false, description: 'Leaves out the deposits for the staking contract.' }),
          ),
        }),
        response: { 200: DepositList, 400: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const { limit = 20, cursor, recipient, min_amount: minAmount, exclude_staking: excludeStaking } = query;
      const filter = {
        recipient: recipient === undefined ? undefined : principalOn(network, recipient, 'recipient'),
        ...{ minAmount, excludeStaking },
      };
      const page = { cursor: eventCursorOf(cursor), limit };
      const found = await listDeposits(sql, await findRegistry(sql, network), filter, page);
      return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render: renderDeposit });
    },
  );

  app.get(
    '/extended/v1/sbtc/deposits/:output',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_deposit',
        summary: 'Get a deposit of sBTC',
        description: 'Returns the deposit of a Bitcoin output. The status is 404 until the signers have completed it.',
        tags,
        params: Type.Object({ output: OutputParam }),
        response: { 200: Deposit, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const output = outputOf(params.output);
      const page = { cursor: undefined, limit: 1 };
      const { rows } = await listDeposits(sql, await findRegistry(sql, network), { output }, page);
      const [row] = rows;
      if (!row) throw notFound('Deposit not found');
      return renderDeposit(row);
    },
  );
};
