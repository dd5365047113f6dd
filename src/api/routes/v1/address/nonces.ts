import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { fromHex } from '../../../../codec/hex.ts';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { badRequest, notFound } from '../../../../errors.ts';
import type { Moment } from '../../../../queries/pages/as-of.ts';
import { findExecutedNonce, listPendingNonces } from '../../../../queries/principals/nonces.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Nonces, renderNonces } from '../../../../schemas/principals/nonces.ts';
import { PrincipalParam, principalOf } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const querystring = Type.Object({
  block_height: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Height of a block. The response describes the state after this block.',
    }),
  ),
  block_hash: Type.Optional(
    Type.String({ description: 'Hash (with `0x`) of a block. The response describes the state after this block.' }),
  ),
});

export const v1AddressNonces: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/address/:principal/nonces',
    {
      config: { freshness: 'principal+mempool' },
      schema: {
        operationId: 'get_account_nonces',
        summary: 'Get the nonces of an account',
        description:
          'Returns the last used nonces and the next nonce to use. Without a block, pending transactions and ' +
          'unconfirmed microblocks are counted. With `block_height` or `block_hash` the response describes the ' +
          'state after that block, without the mempool; the status is 404 if there is no such block, and 400 if ' +
          'both are given.',
        tags: ['Accounts'],
        params: Type.Object({ principal: PrincipalParam }),
        querystring,
        response: { 200: Nonces, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { principal }, query }) => {
      const account = principalOf(principal);
      const moment = momentIn(query);
      return await inSnapshot(sql, async sql => {
        const executed = await findExecutedNonce(sql, account, moment);
        const passed = moment !== 'unanchored';
        if (passed && (!executed || executed.height !== (query.block_height ?? executed.height))) {
          throw notFound(`No block found for ${JSON.stringify(named(query))}`);
        }
        return renderNonces(executed?.nonce ?? null, passed ? [] : await listPendingNonces(sql, account));
      });
    },
  );
};

type BlockQuery = { block_height?: number; block_hash?: string };

const named = ({ block_height, block_hash }: BlockQuery) =>
  block_height === undefined ? { hash: block_hash } : { height: block_height };

function momentIn({ block_height, block_hash }: BlockQuery): Moment {
  if (block_height !== undefined && block_hash !== undefined) {
    throw badRequest('Multiple block query parameters specified');
  }
  if (block_height !== undefined) return { height: block_height };
  // What microblocks have executed is used up, confirmed or not.
  if (block_hash === undefined) return 'unanchored';
  if (!/^0x([0-9a-f]{2})*$/i.test(block_hash)) {
    throw badRequest("Query parameter 'block_hash' is not a valid block hash hex string");
  }
  return { hash: fromHex(block_hash) };
}
