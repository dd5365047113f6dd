import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound } from '../../../../errors.ts';
import { findBurnTimes } from '../../../../queries/burn/burn-times.ts';
import { type BondRow, listAllowances, listBonds, listRegistrations } from '../../../../queries/staking/bonds.ts';
import { listBondRewards } from '../../../../queries/staking/rewards.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../../../../schemas/pages/cursor-list.ts';
import {
  Bond,
  BondAllowlistEntry,
  BondRegistration,
  BondRegistrationSummary,
  BondSummary,
  type BondTimes,
  renderBond,
  renderBondAllowlistEntry,
  renderBondRegistration,
  renderBondRegistrationSummary,
  renderBondSummary,
} from '../../../../schemas/staking/bond.ts';
import { isAtPlace, placeCursor, placePattern } from '../../../../schemas/staking/position.ts';
import { PACE_BLOCKS } from '../../../../schemas/staking/schedule-point.ts';
import { BondParam } from '../../../params/bond.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Staking'];
const bondParams = Type.Object({ bond_index: BondParam });
const stakerParams = Type.Object({ bond_index: BondParam, principal: WholePrincipalParam });
const placeQuery = Type.Object(cursorQuery(20, 50, placePattern));

export const v3StakingBonds: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, tip, network, shapeOf, poxGeometry },
) => {
  const burnHeight = () => tip.current?.burnHeight ?? 0;

  /** What came since 9.0, for those who ask for it. */
  const timesOf = async (request: FastifyRequest, bonds: BondRow[]): Promise<BondTimes | undefined> => {
    if (shapeOf(request) === '9.0') return undefined;
    const prepare = (await poxGeometry())?.prepare;
    const clock = { burnTip: burnHeight(), mainnet: network.name === 'mainnet', prepare };
    const heights = bonds.flatMap(row => [row.start_height - (prepare ?? 0), row.start_height, row.unlock_height]);
    const indexes = bonds.map(row => row.bond);
    return {
      clock,
      times: await findBurnTimes(sql, heights, PACE_BLOCKS),
      rewards: await listBondRewards(sql, indexes),
    };
  };

  const bondOf = async (index: number) => {
    const [bond] = await listBonds(sql, index);
    if (!bond) throw notFound('Bond not found');
    return bond;
  };

  app.get(
    '/extended/v3/staking/bonds',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bonds',
        summary: 'List bonds',
        description: 'Returns bonds, highest index first.',
        tags,
        querystring: Type.Object(cursorQuery(20, 50, '^\\d+$')),
        response: { 200: CursorList(BondSummary, 'BondList') },
      },
    },
    async request => {
      const { limit = 20, cursor } = request.query;
      const rows = await listBonds(sql);
      const start = startOf(rows, cursor, cursor => row => row.bond <= Number(cursor));
      const times = await timesOf(request, rows.slice(start, start + limit));
      const render = (row: (typeof rows)[number]) => renderBondSummary(row, burnHeight(), times);
      return cutList(rows, { start, limit, alwaysCounted: true }, { cursorOf: row => String(row.bond), render });
    },
  );

  app.get(
    '/extended/v3/staking/bonds/:bond_index',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bond',
        summary: 'Get a bond',
        description: 'Returns a bond with the transaction that created it. The status is 404 if the bond is unknown.',
        tags,
        params: bondParams,
        response: { 200: Bond },
      },
    },
    async request => {
      const bond = await bondOf(request.params.bond_index);
      return renderBond(bond, burnHeight(), shapeOf(request), await timesOf(request, [bond]));
    },
  );

  app.get(
    '/extended/v3/staking/bonds/:bond_index/allowlist',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bond_allowlist_entries',
        summary: 'List the allowlist of a bond',
        description:
          'Returns the stakers that may enroll in a bond, newest entry first. The list is empty if the bond is ' +
          'unknown.',
        tags,
        params: bondParams,
        querystring: placeQuery,
        response: { 200: CursorList(BondAllowlistEntry, 'BondAllowlist') },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const rows = await listAllowances(sql, params.bond_index);
      const start = startOf(rows, cursor, cursor => row => isAtPlace(row, cursor));
      return cutList(
        rows,
        { start, limit, alwaysCounted: true },
        { cursorOf: placeCursor, render: renderBondAllowlistEntry },
      );
    },
  );

  app.get(
    '/extended/v3/staking/bonds/:bond_index/allowlist/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bond_allowlist_entry',
        summary: 'Get an allowlist entry of a bond',
        description:
          'Returns the maximum that a staker may lock in a bond. The status is 404 if the staker is not on the ' +
          'allowlist.',
        tags,
        params: stakerParams,
        response: { 200: BondAllowlistEntry },
      },
    },
    async ({ params }) => {
      const [row] = await listAllowances(sql, params.bond_index, loosePrincipalOf(params.principal));
      if (!row) throw notFound('Bond allowlist entry not found');
      return renderBondAllowlistEntry(row);
    },
  );

  app.get(
    '/extended/v3/staking/bonds/:bond_index/registrations',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bond_registrations',
        summary: 'List the registrations of a bond',
        description:
          'Returns the stakers that are enrolled in a bond, newest first. The list is empty if the bond is unknown.',
        tags,
        params: bondParams,
        querystring: placeQuery,
        response: { 200: CursorList(BondRegistrationSummary, 'BondRegistrationList') },
      },
    },
    async ({ params, query: { limit = 20, cursor } }) => {
      const rows = await listRegistrations(sql, params.bond_index);
      const start = startOf(rows, cursor, cursor => row => isAtPlace(row, cursor));
      return cutList(
        rows,
        { start, limit, alwaysCounted: true },
        { cursorOf: placeCursor, render: renderBondRegistrationSummary },
      );
    },
  );

  app.get(
    '/extended/v3/staking/bonds/:bond_index/registrations/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bond_registration',
        summary: 'Get a registration of a bond',
        description:
          'Returns an enrollment with the proof of its bitcoin: the Bitcoin outputs (`l1`) or the sBTC transaction ' +
          '(`l2`). The status is 404 if the staker is not enrolled.',
        tags,
        params: stakerParams,
        response: { 200: BondRegistration },
      },
    },
    async ({ params }) => {
      const [row] = await listRegistrations(sql, params.bond_index, loosePrincipalOf(params.principal));
      if (!row) throw notFound('Bond registration not found');
      return renderBondRegistration(row);
    },
  );
};
