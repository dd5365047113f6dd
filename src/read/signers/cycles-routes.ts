import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { Page, pageOf, pageQuery } from '../pages/page-schema.ts';
import { rangeOf, rangeQuery } from '../pages/time-range-params.ts';
import type { RouteContext } from '../route-context.ts';
import { CycleSigner } from './cycle-signer-schema.ts';
import { findCycleSigner, listCycleSigners } from './cycle-signers-view.ts';

const tags = ['Signer Metrics'];
const defaultLimit = 100;
const CycleParam = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Number of the reward cycle.' });
const range = 'With `from` or `to`, only proposals that arrived in this time are counted.';

export const signerMetricsCycles: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/signer-metrics/v1/cycles/:cycle_number/signers',
    {
      config: { freshness: 'signers' },
      schema: {
        operationId: 'get_signers_for_cycle',
        summary: 'List the signers of a cycle with their metrics',
        description: `Returns the signers of a PoX cycle, those with the most STX first. An unknown cycle has none. ${range}`,
        tags,
        params: Type.Object({ cycle_number: CycleParam }),
        querystring: Type.Object({ ...rangeQuery, ...pageQuery(defaultLimit, 500) }),
        response: { 200: Page(CycleSigner, 'SignerMetricsSignerPage') },
      },
    },
    ({ sql, params, query }) => listCycleSigners(sql, params.cycle_number, rangeOf(query), pageOf(query, defaultLimit)),
  );

  app.get(
    '/signer-metrics/v1/cycles/:cycle_number/signers/:signer_key',
    {
      config: { freshness: 'signers' },
      schema: {
        operationId: 'get_signer_for_cycle',
        summary: 'Get a signer of a cycle with its metrics',
        description: `The status is 404 if the key is not in the signer set of the cycle. ${range}`,
        tags,
        params: Type.Object({
          cycle_number: CycleParam,
          signer_key: Type.String({
            pattern: '^(0x)?[a-fA-F0-9]{66}$',
            description: 'The public signing key: 33 bytes in hex, with or without `0x`.',
          }),
        }),
        querystring: Type.Object(rangeQuery),
        response: { 200: CycleSigner, 404: ErrorBody },
      },
    },
    ({ sql, params, query }) =>
      findCycleSigner(sql, params.cycle_number, withPrefix(params.signer_key), rangeOf(query)),
  );
};

const withPrefix = (hex: string) => `0x${hex.replace(/^0x/, '').toLowerCase()}`;
