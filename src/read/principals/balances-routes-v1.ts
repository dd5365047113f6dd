import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cacheUntilNextBlock } from '../../http/cache-until-rollback.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { asOfIn, asOfQuery, isNow } from '../pages/as-of-params.ts';
import type { RouteContext } from '../route-context.ts';
import { AddressBalance } from './balance-schema.ts';
import { findBalances } from './balances-view.ts';
import { PrincipalParam, principalOf } from './principal-params.ts';

const params = Type.Object({ principal: PrincipalParam });
const querystring = Type.Object({ ...asOfQuery, ...assetMetadataQuery });
const config = { freshness: 'principal+mempool+locks', deprecated: true, assetMetadata: true } as const;

export const v1AddressBalances: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/address/:principal/balances',
    {
      config,
      schema: {
        operationId: 'get_account_balance',
        summary: 'Get all balances of an account',
        description:
          'Returns the balances of STX (micro-STX), fungible tokens and NFTs. With `until_block` they are the ' +
          'balances after that block, and the fields about pending transactions are absent. Deprecated: use ' +
          '`/extended/v3/principals/{principal}/balances/stx`, `/ft` and `/nft`. The status is 404 if `until_block` ' +
          'names an unknown block.',
        tags: ['Accounts'],
        params,
        querystring,
        response: { 200: AddressBalance, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }, reply) => {
      const options = { withPending: isNow(query) };
      const { body, hasVesting } = await findBalances(sql, principalOf(params.principal), asOfIn(query), options);
      // The vesting schedule changes with every block.
      if (hasVesting) cacheUntilNextBlock(reply);
      return body;
    },
  );
};
