import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventFilterOf, hasFilter, refuseBesideFilters } from '../filters/filter-params.ts';
import { aboutFilteredPages } from '../filters/filtered-page-schema.ts';
import { walkFiltered } from '../filters/filtered-walk-view.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { atBlockQuery } from '../pages/at-block-params.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import { refuseUnbounded } from '../pages/page-errors.ts';
import { pageOf, pageQuery, walkedPageQuery } from '../pages/page-schema.ts';
import { ForkBody } from '../pages/walk-cursor-params.ts';
import { PrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from './asset-params.ts';
import { aboutFilteredMoves, mintFilterQuery, nftFilterQuery, nftMoveTypes } from './filtered-move-params.ts';
import { listFilteredMoves, listFilteredTransfersOfToken, MOST_MOVES, startOfMoves } from './filtered-moves-queries.ts';
import { listHistory, listHoldings, listMints, renderHistory, renderMints } from './nft-list-view.ts';
import { NftHistoryPage, NftHoldingPage, NftMintPage } from './nft-schema.ts';
import { renderPastHolders } from './past-holders-view.ts';
import {
  aboutPastHolders,
  holderCursor,
  holderPattern,
  NftHolderList,
  readHolderCursor,
  renderRankedHolder,
} from './ranked-holder-schema.ts';
import { listNftHolders } from './ranked-holders-queries.ts';
import {
  cutMoves,
  NftTransferList,
  readTransferCursor,
  renderNftTransfers,
  stepOfMoves,
  transferCursorPattern,
} from './token-transfer-schema.ts';
import { listTokenTransfers } from './token-transfers-queries.ts';

const defaultLimit = 50;
const paging = pageQuery(defaultLimit, 200);
const walking = walkedPageQuery(defaultLimit, 200);
const asset_identifier = Type.String({ description: 'Class of the NFT: `CONTRACT_ID::ASSET_NAME`.' });
const unanchored = Type.Optional(
  Type.Boolean({ default: false, description: 'Whether to include microblocks that no block has confirmed yet.' }),
);
const tx_metadata = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Whether to return the whole transaction (`tx`) instead of its id (`tx_id`).',
  }),
);
const classParams = Type.Object({ asset_identifier: AssetIdentifierParam });
const tags = ['Tokens'];

export const v1TokensNft: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tokens/nft/holdings',
    {
      config: { freshness: 'tip', cost: 3, assetMetadata: true },
      schema: {
        operationId: 'get_nft_holdings',
        summary: 'List the NFTs of an account',
        description:
          'Returns the NFTs that the account owns, most recently moved first. An `offset` above 20,000 is rejected ' +
          'with status 400; use the cursor of `/extended/v3/principals/{principal}/balances/nft` instead.',
        tags,
        querystring: Type.Object({
          principal: PrincipalParam,
          asset_identifiers: Type.Optional(
            Type.Array(Type.String(), {
              [COMMA_LIST]: true,
              description: 'Only NFTs of these classes (`CONTRACT_ID::ASSET_NAME`).',
            }),
          ),
          ...paging,
          unanchored,
          tx_metadata,
          ...assetMetadataQuery,
        }),
        response: { 200: NftHoldingPage, 400: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const page = pageOf(query, defaultLimit);
      const account = principalOf(query.principal, 'Invalid or missing principal');
      const assets = query.asset_identifiers?.map(text => classOf(text, 'Invalid asset identifier'));
      const options = { withTransactions: query.tx_metadata === true };
      const found = await listHoldings(caches, sql, account, assets, page, options).catch(refuseUnbounded);
      return { ...page, ...found };
    },
  );

  app.get(
    '/extended/v1/tokens/nft/history',
    {
      config: { freshness: 'tip', walk: { grows: 'top', when: query => !hasFilter(query) } },
      schema: {
        operationId: 'get_nft_history',
        summary: 'List the history of an NFT',
        description:
          'Returns the mint, the transfers and the burn of one NFT, newest first. The list is empty for an unknown ' +
          `NFT. ${aboutFilteredPages(MOST_MOVES, 'moves of the NFT')}`,
        tags,
        querystring: Type.Object({
          asset_identifier,
          value: Type.String({ description: 'Id of the NFT: a serialized Clarity value in hex.' }),
          ...walking,
          ...nftFilterQuery,
          unanchored,
          tx_metadata,
        }),
        response: { 200: NftHistoryPage, 400: ErrorBody, 409: ForkBody },
      },
    },
    async request => {
      const { sql, query } = request;
      const page = pageOf(query, defaultLimit);
      const asset = classOf(query.asset_identifier);
      const value = nftValueOf(query.value);
      if (hasFilter(query)) {
        refuseBesideFilters(query);
        const filter = eventFilterOf(query, nftMoveTypes, nftFilterQuery);
        const { rows, ...cursors } = await walkFiltered(request, start =>
          listFilteredMoves(sql, { asset, value }, { filter, start, limit: page.limit }),
        );
        return { ...page, total: null, results: await renderHistory(caches, sql, rows, query.tx_metadata), ...cursors };
      }
      const options = { unanchored: query.unanchored === true, withTransactions: query.tx_metadata === true };
      return { ...page, ...(await listHistory(caches, sql, asset, value, page, options)) };
    },
  );

  app.get(
    '/extended/v1/tokens/nft/mints',
    {
      config: { freshness: 'tip', walk: { grows: 'top', when: query => !hasFilter(query) } },
      schema: {
        operationId: 'get_nft_mints',
        summary: 'List the mints of an NFT collection',
        description: `Returns the mint events of an NFT class, newest first. ${aboutFilteredPages(MOST_MOVES, 'moves of the class')}`,
        tags,
        querystring: Type.Object({ asset_identifier, ...walking, ...mintFilterQuery, unanchored, tx_metadata }),
        response: { 200: NftMintPage, 400: ErrorBody, 409: ForkBody },
      },
    },
    async request => {
      const { sql, query } = request;
      const page = pageOf(query, defaultLimit);
      const asset = classOf(query.asset_identifier);
      if (hasFilter(query)) {
        refuseBesideFilters(query);
        const filter = eventFilterOf(query, ['nft_mint'], mintFilterQuery);
        const { rows, ...cursors } = await walkFiltered(request, start =>
          listFilteredMoves(sql, { asset, kind: 'nft' }, { filter, start, limit: page.limit }),
        );
        return { ...page, total: null, results: await renderMints(caches, sql, rows, query.tx_metadata), ...cursors };
      }
      const options = { unanchored: query.unanchored === true, withTransactions: query.tx_metadata === true };
      return { ...page, ...(await listMints(caches, sql, asset, page, options)) };
    },
  );

  app.get(
    '/extended/v1/tokens/nft/:asset_identifier/holders',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_nft_holders',
        summary: 'List the holders of an NFT collection',
        description:
          'Returns who owns NFTs of the class and how many, those with the most first. The list is empty if the class ' +
          `is unknown. ${aboutPastHolders}`,
        tags,
        params: classParams,
        querystring: Type.Object({ ...cursorQuery(defaultLimit, 200, holderPattern), ...atBlockQuery }),
        response: { 200: NftHolderList, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = defaultLimit, cursor, at_block } }) => {
      const asset = classOf(params.asset_identifier);
      const start = readHolderCursor(cursor);
      if (start && !isPrincipal(start.principal)) throw badRequest('querystring/cursor: no such principal');
      if (at_block !== undefined) {
        return await renderPastHolders(sql, asset, { at_block, cursor, limit });
      }
      const found = await listNftHolders(sql, asset, { cursor: start, limit });
      return renderKeyedPage(found, limit, { cursorOf: holderCursor, render: renderRankedHolder });
    },
  );

  app.get(
    '/extended/v1/tokens/nft/:asset_identifier/transfers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_nft_transfers',
        summary: 'List the transfers of an NFT collection',
        description:
          'Returns the transfers, mints and burns of all NFTs of the class, newest first. The list is empty if the ' +
          `class is unknown. ${aboutFilteredMoves}`,
        tags,
        params: classParams,
        querystring: Type.Object({ ...cursorQuery(defaultLimit, 200, transferCursorPattern), ...nftFilterQuery }),
        response: { 200: NftTransferList, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const { limit = defaultLimit } = query;
      const asset = classOf(params.asset_identifier);
      const cursor = readTransferCursor(query.cursor);
      if (hasFilter(query)) {
        const filter = eventFilterOf(query, nftMoveTypes, nftFilterQuery);
        const request = { filter, limit, start: startOfMoves(sql, cursor) };
        return renderNftTransfers(
          stepOfMoves(await listFilteredTransfersOfToken(sql, { asset, kind: 'nft' }, request)),
          limit,
        );
      }
      return renderNftTransfers(cutMoves(await listTokenTransfers(sql, 'nft', asset, cursor, limit), limit), limit);
    },
  );
};

function classOf(text: string, message = 'Invalid or missing asset_identifier') {
  const asset = assetOf(text);
  if (!asset) throw badRequest(message);
  return asset;
}

function nftValueOf(text: string): Uint8Array {
  try {
    return fromHex(text);
  } catch {
    throw badRequest('value must be a serialized Clarity value in hex');
  }
}
