import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../schemas/error.ts';
import { LegacySupply, Supply } from '../../../schemas/tokens/supply.ts';
import { findLegacyStxSupply, findPlainStxSupply, findStxSupply } from '../../../views/tokens/supply.ts';
import type { RouteContext } from '../../route-context.ts';

const querystring = Type.Object({
  height: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'The supply after this block.' }),
  ),
  unanchored: Type.Optional(
    Type.Boolean({ default: false, description: 'Count what is in microblocks that no block has confirmed yet.' }),
  ),
});
const plain = { description: 'STX with six decimals.', content: { 'text/plain': { schema: Type.String() } } };
const tags = ['Supply'];

export const v1StxSupply: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/stx_supply',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_stx_supply',
        summary: 'STX in existence, now or after a block',
        tags,
        querystring,
        response: { 200: Supply, 400: ErrorBody, 404: ErrorBody },
      },
    },
    ({ query }) => findStxSupply(sql, query),
  );

  app.get(
    '/extended/v1/stx_supply/legacy_format',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_total_stx_supply_legacy_format',
        summary: 'STX in existence under the names of an older API',
        tags,
        querystring,
        response: { 200: LegacySupply, 400: ErrorBody, 404: ErrorBody },
      },
    },
    ({ query }) => findLegacyStxSupply(sql, query),
  );

  for (const [kind, id] of [
    ['total', 'get_stx_supply_total_supply_plain'],
    ['circulating', 'get_stx_supply_circulating_plain'],
  ] as const) {
    app.get(
      `/extended/v1/stx_supply/${kind}/plain`,
      {
        config: { freshness: 'tip', deprecated: true },
        schema: {
          operationId: id,
          summary: `STX in existence (${kind}) as plain text`,
          tags,
          response: { 200: plain, 404: ErrorBody },
        },
      },
      (_request, reply) => {
        reply.type('text/plain; charset=utf-8');
        return findPlainStxSupply(sql);
      },
    );
  }
};
