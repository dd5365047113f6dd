import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { pageOf, renderPage, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { findPoxCycle, hasPoxSigner, listPoxCycles, listPoxSigners } from './cycles-queries.ts';
import {
  PoxCycle,
  PoxSigner,
  PoxStacker,
  renderPoxCycle,
  renderPoxSigner,
  renderPoxStackers,
} from './pox-cycle-schema.ts';
import { listPoxStackers } from './stackers-queries.ts';

const tags = ['Proof of Transfer'];
const defaultLimit = 100;
const CycleParam = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description: 'Number of the reward cycle.',
});
const cycleParams = Type.Object({ cycle_number: CycleParam });
const signerParams = Type.Object({
  cycle_number: CycleParam,
  signer_key: Type.String({ description: 'The public signing key: 33 bytes in hex, with or without `0x`.' }),
});

export const v2PoxCycles: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network }) => {
  app.get(
    '/extended/v2/pox/cycles',
    {
      config: { freshness: 'tip', walk: { grows: 'top' } },
      schema: {
        operationId: 'get_pox_cycles',
        summary: 'List PoX cycles',
        description: 'Returns the reward cycles that have a signer set, newest first.',
        tags,
        querystring: Type.Object(walkedPageQuery(20, 60)),
        response: { 200: WalkedPage(PoxCycle, 'PoxCyclePage'), 409: ForkBody },
      },
    },
    async ({ sql, query: { limit = 20, offset = 0 } }) => {
      const rows = await listPoxCycles(sql, limit, offset);
      return renderPage({ limit, offset }, { total: totalOfPage(rows), rows }, renderPoxCycle);
    },
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycle',
        summary: 'Get a PoX cycle',
        description: 'The status is 404 if the cycle has no signer set.',
        tags,
        params: cycleParams,
        response: { 200: PoxCycle },
      },
    },
    async ({ sql, params }) => renderPoxCycle(await readCycle(sql, params.cycle_number, 'Not found')),
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number/signers',
    {
      config: { freshness: 'tip', walk: { grows: 'nowhere' } },
      schema: {
        operationId: 'get_pox_cycle_signers',
        summary: 'List the signers of a PoX cycle',
        description:
          'Returns the signer set of a cycle, largest weight first. The status is 404 if the cycle has no signer ' +
          'set.',
        tags,
        params: cycleParams,
        querystring: Type.Object(walkedPageQuery(defaultLimit, 250)),
        response: { 200: WalkedPage(PoxSigner, 'PoxSignerPage'), 409: ForkBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = pageOf(query, defaultLimit);
      const rows = await listPoxSigners(sql, await readCycle(sql, params.cycle_number), page);
      return renderPage(page, { total: totalOfPage(rows), rows }, row => renderPoxSigner(row, network));
    },
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number/signers/:signer_key',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycle_signer',
        summary: 'Get a signer of a PoX cycle',
        description: 'The status is 404 if the cycle has no signer set or the key is not part of it.',
        tags,
        params: signerParams,
        response: { 200: PoxSigner },
      },
    },
    async ({ sql, params }) => {
      const cycle = await readCycle(sql, params.cycle_number);
      const [signer] = await listPoxSigners(sql, cycle, { limit: 1, offset: 0, key: keyOf(params.signer_key) });
      if (!signer) throw notFound('PoX cycle signer not found');
      return renderPoxSigner(signer, network);
    },
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number/signers/:signer_key/stackers',
    {
      config: { freshness: 'tip', walk: { grows: 'nowhere' } },
      schema: {
        operationId: 'get_pox_cycle_signer_stackers',
        summary: 'List the stackers of a signer',
        description:
          'Returns the stackers whose STX count for the signer in this cycle, largest amount first. The status is ' +
          '404 if the key is not in the signer set of the cycle.',
        tags,
        params: signerParams,
        querystring: Type.Object(walkedPageQuery(defaultLimit, 200)),
        response: { 200: WalkedPage(PoxStacker, 'PoxStackerPage'), 409: ForkBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = pageOf(query, defaultLimit);
      const key = keyOf(params.signer_key);
      const cycle = await readCycle(sql, params.cycle_number);
      if (!(await hasPoxSigner(sql, cycle, key))) throw notFound('PoX cycle signer not found');
      const rows = await listPoxStackers(sql, cycle.cycle, cycle.height, key);
      const results = renderPoxStackers(rows, network, page);
      return { ...page, total: results.length > 0 ? rows.length : 0, results };
    },
  );
};

async function readCycle(sql: Sql, number: number, missing = 'PoX cycle not found') {
  const cycle = await findPoxCycle(sql, number);
  if (!cycle) throw notFound(missing);
  return cycle;
}

/** The bytes of a key, with or without `0x`; a text that is not hex matches no key. */
const keyOf = (text: string): Buffer => Buffer.from(text.replace(/^0x/i, ''), 'hex');
