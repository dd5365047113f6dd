import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { principalShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { listPrimaryNames } from './lists-queries.ts';

const MAX_ASKED = 50;

const PrincipalLabel = Type.Object(
  {
    principal: Type.String({ description: 'The address or contract.' }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'What the operator of this service calls it (`CAIRN_LABELS`); null without a label.',
    }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Its primary name; null if it has none.' }),
  },
  { title: 'PrincipalLabel' },
);
const PrincipalLabels = Type.Object(
  { results: Type.Array(PrincipalLabel, { description: 'Those of which a label or a name is known, as asked for.' }) },
  { title: 'PrincipalLabelList' },
);

export const v1Labels: FastifyPluginAsyncTypebox<RouteContext> = async (app, { labels = new Map() }) => {
  app.get(
    '/extended/v1/labels',
    {
      config: { freshness: 'content' },
      schema: {
        operationId: 'get_labels',
        summary: 'Get what principals are called',
        description:
          'Returns the label that the operator of this service gave to each principal, and its primary name. Principals with neither ' +
          'are left out.',
        tags: ['Names'],
        querystring: Type.Object({
          principal: Type.Array(Type.String({ pattern: `^${principalShape}$` }), {
            [COMMA_LIST]: true,
            ...{ minItems: 1, maxItems: MAX_ASKED },
            description: `Addresses and contracts, at most ${MAX_ASKED}.`,
          }),
        }),
        response: { 200: PrincipalLabels, 400: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const asked = [...new Set(query.principal)].filter(isPrincipal);
      const names = await listPrimaryNames(sql, asked.map(principalToBytes), 'tip');
      const all = asked.map((principal, i): Static<typeof PrincipalLabel> => {
        return { principal, label: labels.get(principal) ?? null, name: names[i]?.name ?? null };
      });
      return { results: all.filter(({ label, name }) => label !== null || name !== null) };
    },
  );
};
