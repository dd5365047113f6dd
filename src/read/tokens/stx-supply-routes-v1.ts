import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { atBlockQuery } from '../pages/at-block-params.ts';
import type { RouteContext } from '../route-context.ts';
import { readStxSupply } from './stx-supply-view.ts';
import { LegacySupply, renderLegacySupply, renderStx, renderSupply, Supply } from './supply-schema.ts';

const querystring = Type.Object({
  ...atBlockQuery,
  height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Height of a block. The response is the supply after this block instead of the supply at the tip.',
    }),
  ),
  unanchored: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to report the height of the next block, which unconfirmed microblocks will belong to.',
    }),
  ),
});
const plain = {
  description: 'The supply in STX with six decimals.',
  content: { 'text/plain': { schema: Type.String() } },
};
const tags = ['Supply'];

export const v1StxSupply: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/stx_supply',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_stx_supply',
        summary: 'Get the STX supply',
        description:
          'Returns the supply in STX with six decimals, as of the tip or after `height`. A height above the tip ' +
          'means the tip. The status is 404 before the first block.',
        tags,
        querystring,
        response: { 200: Supply, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const { microStx, height } = await readStxSupply(sql, query);
      return renderSupply(microStx, height);
    },
  );

  app.get(
    '/extended/v1/stx_supply/legacy_format',
    {
      config: { freshness: 'tip', deprecated: true },
      schema: {
        operationId: 'get_total_stx_supply_legacy_format',
        summary: 'Get the STX supply in the legacy format',
        description:
          'Returns the same numbers as `/extended/v1/stx_supply` under the field names of an older API. Deprecated: ' +
          'use `/extended/v1/stx_supply`.',
        tags,
        querystring,
        response: { 200: LegacySupply, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const { microStx, height } = await readStxSupply(sql, query);
      return renderLegacySupply(microStx, height);
    },
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
          summary: `Get the ${kind} STX supply as plain text`,
          description:
            'Returns one number: STX with six decimals, as of the tip. Deprecated: use `/extended/v1/stx_supply`.',
          tags,
          response: { 200: plain, 404: ErrorBody },
        },
      },
      async ({ sql }, reply) => {
        reply.type('text/plain; charset=utf-8');
        return renderStx((await readStxSupply(sql)).microStx);
      },
    );
  }
};
