import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../../../schemas/error.ts';
import { cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import {
  FtPosition,
  FtPositionList,
  ftPattern,
  NftPositionList,
  nftPattern,
  PrincipalStxBalance,
  readNftCursor,
} from '../../../../schemas/principals/principal-balance.ts';
import { findBalanceOf, findPrincipalStx, listFtsByBalance, listNfts } from '../../../../views/principals/balances.ts';
import { AssetIdentifierParam, assetOf } from '../../../params/asset.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Accounts'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3PrincipalsBalances: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v3/principals/:principal/balances/stx',
    {
      config: { freshness: 'principal+mempool+locks' },
      schema: {
        operationId: 'get_principal_balances_stx',
        summary: 'STX of an account, what of it is locked, and what is pending',
        tags,
        params,
        response: { 200: PrincipalStxBalance, 404: ErrorBody },
      },
    },
    async ({ params }) => findPrincipalStx(sql, loosePrincipalOf(params.principal)),
  );

  app.get(
    '/extended/v3/principals/:principal/balances/ft',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_balances_ft',
        summary: 'Fungible tokens of an account, the largest balance first',
        tags,
        params,
        querystring: Type.Object(cursorQuery(100, 200, ftPattern)),
        response: { 200: FtPositionList },
      },
    },
    async ({ params, query: { limit = 100, cursor } }) =>
      listFtsByBalance(sql, loosePrincipalOf(params.principal), { limit, cursor }),
  );

  app.get(
    '/extended/v3/principals/:principal/balances/ft/:asset_identifier',
    {
      config: { freshness: 'principal' },
      schema: {
        operationId: 'get_principal_balance_ft',
        summary: 'One fungible token of an account',
        tags,
        params: Type.Object({ principal: WholePrincipalParam, asset_identifier: AssetIdentifierParam }),
        response: { 200: FtPosition },
      },
    },
    async ({ params: { principal, asset_identifier } }) => ({
      asset_identifier,
      balance: await findBalanceOf(sql, loosePrincipalOf(principal), assetOf(asset_identifier)),
    }),
  );

  app.get(
    '/extended/v3/principals/:principal/balances/nft',
    {
      config: { freshness: 'principal', cost: 5 },
      schema: {
        operationId: 'get_principal_balances_nft',
        summary: 'NFTs of an account, by identifier and value',
        tags,
        params,
        querystring: Type.Object({
          ...cursorQuery(100, 200, nftPattern),
          asset_identifier: Type.Optional(AssetIdentifierParam),
        }),
        response: { 200: NftPositionList },
      },
    },
    async ({ params, query: { limit = 100, cursor, asset_identifier: only } }) =>
      listNfts(sql, loosePrincipalOf(params.principal), { cursor: readNftCursor(cursor), limit, only }),
  );
};
