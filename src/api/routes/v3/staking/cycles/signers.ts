import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cycleAt } from '../../../../../chain/pox/geometry.ts';
import { toHex } from '../../../../../codec/hex.ts';
import { inSnapshot } from '../../../../../db/pool/snapshot.ts';
import { notFound } from '../../../../../errors.ts';
import { findNewestPoxCycle, findPoxCycle } from '../../../../../queries/pox/cycles.ts';
import { listCycleSigners, listGrants, listSignerManagers } from '../../../../../queries/staking/signers.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../../../../../schemas/pages/cursor-list.ts';
import { CycleSigner, renderCycleSigner } from '../../../../../schemas/staking/signer.ts';
import { CycleParam, cycleOf } from '../../../../params/cycle.ts';
import type { RouteContext } from '../../../../route-context.ts';

const tags = ['Staking'];
const keyPattern = '^(0x)?[0-9a-fA-F]{66}$';

export const v3StakingCyclesSigners: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, tip, shapeOf, poxGeometry },
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
      const { params, query } = request;
      const { limit = 100, cursor } = query;
      // In 9.0 the current cycle is that of the newest set, as it is where no node has told when cycles begin.
      const geometry =
        shapeOf(request) === '9.0' && params.cycle_number === 'current' ? undefined : await poxGeometry();
      return await inSnapshot(sql, async snapshot => {
        const newest = await findNewestPoxCycle(snapshot);
        if (!newest) throw notFound('PoX cycle not found');
        const current = geometry ? cycleAt(geometry, tip.current?.burnHeight ?? 0) : newest.cycle;
        const number = cycleOf(params.cycle_number, current);
        if (number === undefined) throw notFound('PoX cycle not found');
        const cycle = number === newest.cycle ? newest : await findPoxCycle(snapshot, number);
        if (!cycle) throw notFound('No reward set for this PoX cycle');
        const following = await findPoxCycle(snapshot, number + 1);
        const rows = await listCycleSigners(snapshot, cycle);
        const start = startOf(rows, cursor, cursor => {
          const key = cursor.replace(/^0x/, '').toLowerCase();
          return row => toHex(row.key).endsWith(key);
        });
        if (start > 0 && start === rows.length) throw notFound('Cursor not found');
        const page = rows.slice(start, start + limit);
        const keys = page.map(row => row.key);
        const managers = await listSignerManagers(snapshot, keys, cycle.height, following?.height);
        const grants = await listGrants(
          snapshot,
          managers.map(manager => manager.signer),
        );
        const render = (row: (typeof rows)[number]) => renderCycleSigner(row, cycle.cycle, managers, grants);
        return cutList(rows, { start, limit }, { cursorOf: row => toHex(row.key), render });
      });
    },
  );
};
