import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { totalOfPage } from '../../compat/page-total.ts';
import { badRequest, notFound } from '../../errors.ts';
import { pageOf, renderPage, WalkedPage, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import type { RouteContext } from '../route-context.ts';
import { findBurnHeight, listPoxDelegations } from './delegations-queries.ts';
import { PoolDelegation, renderPoolDelegation } from './pox-delegation-schema.ts';
import { PoxParam, versionOf } from './pox-version-params.ts';

const defaultLimit = 100;
const height = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }));

export const v1PoxDelegations: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip, network }) => {
  app.get(
    '/extended/v1/:pox/:pool_principal/delegations',
    {
      config: { freshness: 'tip', walk: { grows: 'nowhere', asOf: 'height' } },
      schema: {
        operationId: 'get_pool_delegations',
        summary: 'List the members of a stacking pool',
        description:
          'Returns the delegations to a pool that are in force, newest first, as of the tip or of `height`. The ' +
          'status is 404 if there is no block at that height.',
        tags: ['Stacking'],
        params: Type.Object({
          pox: PoxParam,
          pool_principal: Type.String({ description: 'The principal that the members delegate to.' }),
        }),
        querystring: Type.Object({
          ...walkedPageQuery(defaultLimit, 200),
          after_block: height('Only members whose delegation was made after this block height.'),
          height: height(
            'Height of a block. The response describes the state after this block instead of the state at the tip.',
          ),
          unanchored: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Whether to include unconfirmed microblocks, as the block after the tip.',
            }),
          ),
        }),
        response: { 200: WalkedPage(PoolDelegation, 'PoolDelegationPage'), 409: ForkBody },
      },
    },
    async ({ sql, params, query }) => {
      const height = query.height ?? (tip.current?.height ?? 0) + (query.unanchored ? 1 : 0);
      const pool = poolOf(params.pool_principal);
      const { after_block: afterBlock = 0 } = query;
      const version = versionOf(params.pox);
      const burnHeight = await findBurnHeight(sql, height);
      if (burnHeight === undefined) throw notFound(`no block at height: ${height}`);
      const page = pageOf(query, defaultLimit);
      const rows = await listPoxDelegations(sql, { version, pool, height, afterBlock, ...page }, burnHeight);
      return renderPage(page, { total: totalOfPage(rows), rows }, row => renderPoolDelegation(row, network));
    },
  );
};

/** Unlike in other routes, lower case is accepted. */
function poolOf(text: string): Uint8Array {
  if (!isPrincipal(text)) throw badRequest(`invalid STX address "${text}"`);
  return principalToBytes(text);
}
