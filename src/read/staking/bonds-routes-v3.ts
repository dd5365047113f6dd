import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { CursorList, cursorQuery, cutList, startOf } from '../pages/cursor-list-schema.ts';
import { ExactPrincipalParam } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { BondParam } from './bond-params.ts';
import {
  Bond,
  BondAllowlistEntry,
  BondRegistration,
  BondRegistrationSummary,
  BondSummary,
  renderBondAllowlistEntry,
  renderBondRegistration,
  renderBondRegistrationSummary,
} from './bond-schema.ts';
import { listAllowances, listRegistrations } from './bonds-queries.ts';
import { findBond, listBonds } from './bonds-view.ts';
import { isAtPlace, placeCursor, placePattern } from './position-schema.ts';

const tags = ['Staking'];
const bondParams = Type.Object({ bond_index: BondParam });
const stakerParams = Type.Object({ bond_index: BondParam, principal: ExactPrincipalParam });
const placeQuery = Type.Object(cursorQuery(20, 50, placePattern));

export const v3StakingBonds: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { tip, network, shapeOf, poxGeometry },
) => {
  /** Schedules are dated in responses since 9.0 only: for others no node is called for the prepare phase. */
  const clockOf = async (request: FastifyRequest) => ({
    burnTip: tip.current?.burnHeight ?? 0,
    mainnet: network.name === 'mainnet',
    prepare: shapeOf(request) === '9.0' ? undefined : (await poxGeometry())?.prepare,
  });

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
      return await listBonds(request.sql, { limit, cursor }, await clockOf(request), shapeOf(request));
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
    async request => findBond(request.sql, request.params.bond_index, await clockOf(request), shapeOf(request)),
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
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const rows = await listAllowances(sql, params.bond_index);
      const start = startOf(rows, cursor, cursor => row => isAtPlace(row, cursor));
      const rendering = { cursorOf: placeCursor, render: renderBondAllowlistEntry };
      return cutList(rows, { start, limit, alwaysCounted: true }, rendering);
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
    async ({ sql, params }) => {
      const [row] = await listAllowances(sql, params.bond_index, principalOrUnknown(params.principal));
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
    async ({ sql, params, query: { limit = 20, cursor } }) => {
      const rows = await listRegistrations(sql, params.bond_index);
      const start = startOf(rows, cursor, cursor => row => isAtPlace(row, cursor));
      const rendering = { cursorOf: placeCursor, render: renderBondRegistrationSummary };
      return cutList(rows, { start, limit, alwaysCounted: true }, rendering);
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
    async ({ sql, params }) => {
      const [row] = await listRegistrations(sql, params.bond_index, principalOrUnknown(params.principal));
      if (!row) throw notFound('Bond registration not found');
      return renderBondRegistration(row);
    },
  );
};
