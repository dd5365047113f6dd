import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cycleAt } from '../../../chain/pox/geometry.ts';
import { toHex } from '../../../codec/hex.ts';
import { inSnapshot } from '../../../db/pool/snapshot.ts';
import { notFound } from '../../../errors.ts';
import { findNewestPoxCycle, findPoxCycle } from '../../../queries/pox/cycles.ts';
import {
  listCycleSigners,
  listGrants,
  listSignerManagers,
  listSignerStakers,
  listStakingSigners,
} from '../../../queries/staking/signers.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../../../schemas/pages/cursor-list.ts';
import {
  CycleSigner,
  renderCycleSigner,
  renderSignerStaker,
  renderStakingSigner,
  renderStakingSignerDetail,
  SignerStaker,
  StakingSigner,
  StakingSignerDetail,
} from '../../../schemas/staking/signer.ts';
import { CycleParam, cycleOf } from '../../params/cycle.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../params/principal.ts';
import type { RouteContext } from '../../server.ts';
import { principalPattern } from './principal-pattern.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: WholePrincipalParam });
const keyPattern = '^(0x)?[0-9a-fA-F]{66}$';

export const stakingSignerRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, tip, shapeOf, poxGeometry },
) => {
  app.get(
    '/extended/v3/staking/signers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signers',
        summary: 'Signer managers and their keys, in the order of their names',
        tags,
        querystring: Type.Object(cursorQuery(100, 250, principalPattern)),
        response: { 200: CursorList(StakingSigner, 'StakingSignerList') },
      },
    },
    async ({ query: { limit = 100, cursor } }) => {
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
        summary: 'A signer manager with its registration',
        tags,
        params,
        response: { 200: StakingSignerDetail },
      },
    },
    async request => {
      const [row] = await listStakingSigners(sql, loosePrincipalOf(request.params.principal));
      if (!row) throw notFound('Staking signer not found');
      return renderStakingSignerDetail(row, shapeOf(request));
    },
  );

  app.get(
    '/extended/v3/staking/signers/:principal/stakers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signer_stakers',
        summary: 'Who stakes with a signer, in the order of their names',
        tags,
        params,
        querystring: Type.Object(cursorQuery(100, 200, principalPattern)),
        response: { 200: CursorList(SignerStaker, 'SignerStakerList') },
      },
    },
    async ({ params, query: { limit = 100, cursor } }) => {
      const signer = loosePrincipalOf(params.principal);
      const stakers = await listSignerStakers(sql, signer, tip.current?.burnHeight ?? 0);
      const rows = stakers.map(renderSignerStaker).sort((a, b) => (a.staker < b.staker ? -1 : 1));
      const start = startOf(rows, cursor, cursor => row => row.staker >= cursor);
      return cutList(rows, { start, limit }, { cursorOf: row => row.staker, render: row => row });
    },
  );

  app.get(
    '/extended/v3/staking/cycles/:cycle_number/signers',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_cycle_signers',
        summary: 'The signer set of a cycle with who stands behind each key',
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
