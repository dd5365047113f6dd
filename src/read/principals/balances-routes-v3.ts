import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import { cursorQuery, cutList, renderKeyedPage, startOf } from '../pages/cursor-list-schema.ts';
import { assertBlockNamed, noBlockAsOf } from '../pages/page-errors.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from '../tokens/asset-params.ts';
import { findFtBalance, listFtBalances } from '../tokens/ft-balances-queries.ts';
import { listNftPositions } from '../tokens/nft-positions-queries.ts';
import { listPastNfts } from '../tokens/past-nfts-queries.ts';
import {
  FtPosition,
  FtPositionList,
  ftCursor,
  ftPattern,
  isAtFt,
  NftPositionList,
  nftCursor,
  nftPattern,
  PrincipalStxBalance,
  readNftCursor,
  renderFtPositions,
  renderNftPosition,
  renderStxPosition,
} from './principal-balance-schema.ts';
import { ExactPrincipalParam } from './principal-params.ts';
import { findStxBalance, findStxPosition } from './stx-balances-queries.ts';

const tags = ['Accounts'];
const params = Type.Object({ principal: ExactPrincipalParam });

export const v3PrincipalsBalances: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/principals/:principal/balances/stx',
    {
      config: { freshness: 'principal+mempool+locks' },
      schema: {
        operationId: 'get_principal_balances_stx',
        summary: 'Get the STX balance of a principal',
        description:
          'Returns amounts in micro-STX: the balance, the available and the locked part, and the effect of pending ' +
          'transactions, which is null with `at_block`.',
        tags,
        params,
        querystring: Type.Object(atBlockQuery),
        response: { 200: PrincipalStxBalance, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { at_block } }) => {
      const principal = principalOrUnknown(params.principal);
      const asOf = asOfAtBlock(at_block);
      if (asOf !== 'tip') {
        const past = await findStxBalance(sql, principal, asOf);
        if (!past) throw noBlockAsOf(asOf);
        return renderStxPosition(past, { inbound: 0n, outbound: 0n });
      }
      const row = await findStxPosition(sql, principal);
      if (!row) throw noBlockAsOf('tip');
      return renderStxPosition(row, row.pending);
    },
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
        querystring: Type.Object({ ...cursorQuery(100, 200, ftPattern), ...atBlockQuery, ...assetMetadataQuery }),
        response: { 200: FtPositionList, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 100, cursor, at_block } }) => {
      const asOf = asOfAtBlock(at_block);
      const rows = renderFtPositions(await listFtBalances(sql, principalOrUnknown(params.principal), asOf));
      if (rows.length === 0) await assertBlockNamed(sql, asOf);
      const start = startOf(rows, cursor, isAtFt);
      return cutList(rows, { start, limit }, { cursorOf: ftCursor, render: row => row });
    },
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
        params: Type.Object({ principal: ExactPrincipalParam, asset_identifier: AssetIdentifierParam }),
        querystring: Type.Object(atBlockQuery),
        response: { 200: FtPosition, 404: ErrorBody },
      },
    },
    async ({ sql, params: { principal, asset_identifier }, query: { at_block } }) => {
      const asset = assetOf(asset_identifier);
      const asOf = asOfAtBlock(at_block);
      const balance = asset && (await findFtBalance(sql, principalOrUnknown(principal), asset, asOf));
      if (balance === undefined) await assertBlockNamed(sql, asOf);
      return { asset_identifier, balance: balance ?? '0' };
    },
  );

  app.get(
    '/extended/v3/principals/:principal/balances/nft',
    {
      config: { freshness: 'principal', cost: 5, assetMetadata: true },
      schema: {
        operationId: 'get_principal_balances_nft',
        summary: 'List the NFTs of a principal',
        description:
          'Returns the NFTs that the principal owns, ordered by asset identifier and value. With `at_block` a page may have fewer ' +
          'results than `limit` and still a `cursor.next`, and there is no cursor back.',
        tags,
        params,
        querystring: Type.Object({
          ...cursorQuery(100, 200, nftPattern),
          ...atBlockQuery,
          ...assetMetadataQuery,
          asset_identifier: Type.Optional(AssetIdentifierParam),
        }),
        response: { 200: NftPositionList, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 100, cursor, at_block, asset_identifier: only } }) => {
      const page = { cursor: readNftCursor(cursor), limit, only };
      const principal = principalOrUnknown(params.principal);
      const asOf = asOfAtBlock(at_block);
      const found =
        asOf === 'tip' ? await listNftPositions(sql, principal, page) : await listPastNfts(sql, principal, asOf, page);
      if (!found) throw noBlockAsOf(asOf);
      return renderKeyedPage(found, limit, { cursorOf: nftCursor, render: renderNftPosition });
    },
  );
};
