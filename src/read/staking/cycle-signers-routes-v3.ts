import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { CursorList, cursorQuery } from '../pages/cursor-list-schema.ts';
import { CycleParam } from '../pox/cycle-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listSignersOfCycle } from './cycle-signers-view.ts';
import { CycleSigner } from './signer-schema.ts';

const tags = ['Staking'];
const keyPattern = '^(0x)?[0-9a-fA-F]{66}$';

export const v3StakingCyclesSigners: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { tip, shapeOf, poxGeometry },
) => {
  app.get(
    '/extended/v3/staking/cycles/:cycle_number/signers',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_cycle_signers',
        summary: 'List the signers of a staking cycle',
        description:
          'Returns the signer set of a cycle, largest weight first, with the managers of each key. The status is ' +
          '404 if the cycle has no signer set or the cursor is unknown.',
        tags,
        params: Type.Object({ cycle_number: CycleParam }),
        querystring: Type.Object(cursorQuery(100, 250, keyPattern)),
        response: { 200: CursorList(CycleSigner, 'CycleSignerList') },
      },
    },
    async request => {
      const { sql, params, query } = request;
      const { limit = 100, cursor } = query;
      // In 9.0 the current cycle is that of the newest set, as it is where no node has reported when cycles begin.
      const geometry =
        shapeOf(request) === '9.0' && params.cycle_number === 'current' ? undefined : await poxGeometry();
      return await listSignersOfCycle(
        sql,
        params.cycle_number,
        { limit, cursor },
        geometry,
        tip.current?.burnHeight ?? 0,
      );
    },
  );
};
