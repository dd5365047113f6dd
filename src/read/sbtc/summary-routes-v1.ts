import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { KeyRotationList, renderKeyRotation } from './key-rotation-schema.ts';
import { listKeyRotations } from './key-rotations-queries.ts';
import { findRegistry } from './registry-queries.ts';
import { findSbtcTotals, listSbtcContracts, listSbtcSupplies } from './summary-queries.ts';
import { renderSummary, SbtcSummary } from './summary-schema.ts';

const tags = ['sBTC'];

export const v1Sbtc: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v1/sbtc/summary',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_summary',
        summary: 'Get the state of sBTC',
        description:
          'Returns counts and sums of deposits and withdrawals, the supply, the signers and the contracts. Locked sBTC ' +
          'wait for a withdrawal and belong to the same token.',
        tags,
        response: { 200: SbtcSummary },
      },
    },
    async request =>
      await inSnapshot(request.sql, async sql => {
        const registry = await findRegistry(sql, network);
        return renderSummary({
          ...{ registry, network },
          totals: await findSbtcTotals(sql, registry),
          supplies: await listSbtcSupplies(sql, registry),
          signers: (await listKeyRotations(sql, registry, { cursor: undefined, limit: 1 })).rows[0],
          contracts: await listSbtcContracts(sql, registry),
        });
      }),
  );

  app.get(
    '/extended/v1/sbtc/key-rotations',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_sbtc_key_rotations',
        summary: 'List the key rotations of sBTC',
        description: 'Returns the sets of signers that sBTC has had, newest first.',
        tags,
        querystring: Type.Object(cursorQuery(20, 100, eventPositionPattern)),
        response: { 200: KeyRotationList, 400: ErrorBody },
      },
    },
    async ({ sql, query: { limit = 20, cursor } }) => {
      const page = { cursor: eventCursorOf(cursor), limit };
      const found = await listKeyRotations(sql, await findRegistry(sql, network), page);
      const render = (row: (typeof found.rows)[number]) => renderKeyRotation(row, network);
      return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render });
    },
  );
};
