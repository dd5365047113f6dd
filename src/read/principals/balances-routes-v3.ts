import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOrUnknown } from '../../codec/address/principal.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { cursorQuery } from '../pages/cursor-list-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from '../tokens/asset-params.ts';
import { findBalanceOf, findPrincipalStx, listFtsByBalance, listNfts } from './balances-view.ts';
import {
  FtPosition,
  FtPositionList,
  ftPattern,
  NftPositionList,
  nftPattern,
  PrincipalStxBalance,
  readNftCursor,
} from './principal-balance-schema.ts';
import { WholePrincipalParam } from './principal-params.ts';

const tags = ['Accounts'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsBalances: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/principals/:principal/balances/stx',
    {
      config: { freshness: 'principal+mempool+locks' },
      schema: {
        operationId: 'get_principal_balances_stx',
        summary: 'Get the STX balance of a principal',
        description:
          'Returns amounts in micro-STX: the balance, the available and the locked part, and the effect of pending ' +
          'transactions.',
        tags,
        params,
        response: { 200: PrincipalStxBalance, 404: ErrorBody },
      },
    },
    async ({ params }) => findPrincipalStx(sql, principalOrUnknown(params.principal)),
  );

  app.get(
    '/extended/v3/principals/:principal/balances/ft',
    {
      config: { freshness: 'principal', assetMetadata: true },
      schema: {
        operationId: 'get_principal_balances_ft',
        summary: 'List the fungible token balances of a principal',
        description:
          'Returns the tokens with a balance above zero, largest balance first. Balances are in the smallest unit ' +
          'of the token.',
        tags,
        params,
        querystring: Type.Object({ ...cursorQuery(100, 200, ftPattern), ...assetMetadataQuery }),
        response: { 200: FtPositionList },
      },
    },
    async ({ params, query: { limit = 100, cursor } }) =>
      listFtsByBalance(sql, principalOrUnknown(params.principal), { limit, cursor }),
  );

  app.get(
    '/extended/v3/principals/:principal/balances/ft/:asset_identifier',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_balance_ft',
        summary: 'Get a fungible token balance of a principal',
        description:
          'Returns the balance in the smallest unit of the token. It is `0` if the principal has none or the token ' +
          'is unknown.',
        tags,
        params: Type.Object({ principal: WholePrincipalParam, asset_identifier: AssetIdentifierParam }),
        response: { 200: FtPosition },
      },
    },
    async ({ params: { principal, asset_identifier } }) => ({
      asset_identifier,
      balance: await findBalanceOf(sql, principalOrUnknown(principal), assetOf(asset_identifier)),
    }),
  );

  app.get(
    '/extended/v3/principals/:principal/balances/nft',
    {
      config: { freshness: 'principal', cost: 5, assetMetadata: true },
      schema: {
        operationId: 'get_principal_balances_nft',
        summary: 'List the NFTs of a principal',
        description: 'Returns the NFTs that the principal owns, ordered by asset identifier and value.',
        tags,
        params,
        querystring: Type.Object({
          ...cursorQuery(100, 200, nftPattern),
          ...assetMetadataQuery,
          asset_identifier: Type.Optional(AssetIdentifierParam),
        }),
        response: { 200: NftPositionList },
      },
    },
    async ({ params, query: { limit = 100, cursor, asset_identifier: only } }) =>
      listNfts(sql, principalOrUnknown(params.principal), { cursor: readNftCursor(cursor), limit, only }),
  );
};
