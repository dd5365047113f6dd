import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { findRegistry } from './registry-queries.ts';
import { BitcoinRecipientParam, bitcoinRecipientOn, principalOn, RequestParam, SenderParam } from './sbtc-params.ts';
import { renderWithdrawal, statusNames, Withdrawal, WithdrawalList } from './withdrawal-schema.ts';
import { listWithdrawals } from './withdrawals-queries.ts';

const tags = ['sBTC'];

export const v1SbtcWithdrawals: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v1/sbtc/withdrawals',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_withdrawals',
        summary: 'List withdrawals of sBTC',
        description: 'Returns the requested withdrawals, newest request first, each with what has become of it.',
        tags,
        querystring: Type.Object({
          ...cursorQuery(20, 100, eventPositionPattern),
          status: Type.Optional(Type.Enum(statusNames, { description: 'Only withdrawals in this state.' })),
          sender: Type.Optional(SenderParam),
          address: Type.Optional(BitcoinRecipientParam),
        }),
        response: { 200: WithdrawalList, 400: ErrorBody },
      },
    },
    async ({ sql, query: { limit = 20, cursor, status, sender, address } }) => {
      const filter = {
        status,
        sender: sender === undefined ? undefined : principalOn(network, sender, 'sender'),
        recipient: address === undefined ? undefined : bitcoinRecipientOn(network, address),
      };
      const page = { cursor: eventCursorOf(cursor), limit };
      const found = await listWithdrawals(sql, await findRegistry(sql, network), filter, page);
      const render = (row: (typeof found.rows)[number]) => renderWithdrawal(row, network);
      return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render });
    },
  );

  app.get(
    '/extended/v1/sbtc/withdrawals/:request_id',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_withdrawal',
        summary: 'Get a withdrawal of sBTC',
        description: 'Returns a withdrawal by the number of its request. The status is 404 if there is none.',
        tags,
        params: Type.Object({ request_id: RequestParam }),
        response: { 200: Withdrawal, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const page = { cursor: undefined, limit: 1 };
      const filter = { request: params.request_id };
      const [row] = (await listWithdrawals(sql, await findRegistry(sql, network), filter, page)).rows;
      if (!row) throw notFound('Withdrawal not found');
      return renderWithdrawal(row, network);
    },
  );
};
