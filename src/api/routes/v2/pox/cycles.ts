import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { PoxCycle, PoxSigner, PoxStacker } from '../../../../schemas/pox/pox-cycle.ts';
import { findCycle, findSigner, listCycles, listSigners, listStackers } from '../../../../views/pox/cycles.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Proof of Transfer'];
const usual = 100;
const CycleParam = Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, description: 'A reward cycle.' });
const cycleParams = Type.Object({ cycle_number: CycleParam });
const signerParams = Type.Object({
  cycle_number: CycleParam,
  signer_key: Type.String({ description: 'A signing key of 33 bytes in hex.' }),
});

export const v2PoxCycles: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, network }) => {
  app.get(
    '/extended/v2/pox/cycles',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycles',
        summary: 'Reward cycles with a signer set, newest first',
        tags,
        querystring: Type.Object(pageQuery(20, 60)),
        response: { 200: Page(PoxCycle, 'PoxCyclePage') },
      },
    },
    ({ query: { limit = 20, offset = 0 } }) => listCycles(sql, { limit, offset }),
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycle',
        summary: 'A reward cycle',
        tags,
        params: cycleParams,
        response: { 200: PoxCycle },
      },
    },
    ({ params }) => findCycle(sql, params.cycle_number),
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number/signers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycle_signers',
        summary: 'The signer set of a cycle, the heaviest first',
        tags,
        params: cycleParams,
        querystring: Type.Object(pageQuery(usual, 250)),
        response: { 200: Page(PoxSigner, 'PoxSignerPage') },
      },
    },
    ({ params, query }) => listSigners(sql, network, params.cycle_number, pageOf(query, usual)),
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number/signers/:signer_key',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycle_signer',
        summary: 'A signer of a cycle',
        tags,
        params: signerParams,
        response: { 200: PoxSigner },
      },
    },
    ({ params }) => findSigner(sql, network, params.cycle_number, keyOf(params.signer_key)),
  );

  app.get(
    '/extended/v2/pox/cycles/:cycle_number/signers/:signer_key/stackers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_pox_cycle_signer_stackers',
        summary: 'Whose STX stand behind a signer, the most first',
        tags,
        params: signerParams,
        querystring: Type.Object(pageQuery(usual, 200)),
        response: { 200: Page(PoxStacker, 'PoxStackerPage') },
      },
    },
    ({ params, query }) =>
      listStackers(sql, network, params.cycle_number, keyOf(params.signer_key), pageOf(query, usual)),
  );
};

/** The bytes of a key, with or without `0x`; what is no hex is nobody's key. */
const keyOf = (text: string): Buffer => Buffer.from(text.replace(/^0x/i, ''), 'hex');
