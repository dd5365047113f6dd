import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import { ExactPrincipalParam } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { renderSignerManagerEvent, SignerManagerEventList } from './signer-event-schema.ts';
import { listSignerPrints } from './signer-events-queries.ts';
import { listStakingSigners } from './signers-queries.ts';
import { findStakerKey } from './staker-terms-queries.ts';

export const v3StakingSignersEvents: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/staking/signers/:principal/events',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signer_events',
        summary: 'List what a signer manager printed',
        description:
          'Returns the prints of a registered signer manager, newest first: claims and payouts of stakers, fees, settings. ' +
          'Any contract can be a signer manager and print what it likes; what is read is what reference contracts print. The ' +
          'status is 404 if the principal is not registered.',
        tags: ['Staking'],
        params: Type.Object({ principal: ExactPrincipalParam }),
        querystring: Type.Object(cursorQuery(20, 50, eventPositionPattern)),
        response: { 200: SignerManagerEventList, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const signer = principalOrUnknown(params.principal);
      const found = await inSnapshot(sql, async snapshot => {
        const [registered] = await listStakingSigners(snapshot, signer);
        const key = registered && (await findStakerKey(snapshot, signer));
        if (key === undefined) throw notFound('Staking signer not found');
        return await listSignerPrints(snapshot, key, { cursor: eventCursorOf(cursor), limit });
      });
      return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render: renderSignerManagerEvent });
    },
  );
};
