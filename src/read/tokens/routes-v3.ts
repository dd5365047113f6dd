import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventCursorOf } from '../events/event-position-params.ts';
import { eventPositionCursor, eventPositionPattern } from '../events/event-position-schema.ts';
import { assetMetadata } from '../metadata/asset-schema.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import { cursorQuery, renderKeyedPage } from '../pages/cursor-list-schema.ts';
import { assertBlockNamed } from '../pages/page-errors.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from './asset-params.ts';
import { findFtSupply } from './ft-supply-queries.ts';
import { NftMoveList, renderNftMove } from './nft-move-schema.ts';
import { listNftMoves } from './nft-moves-queries.ts';
import { renderPastHolders } from './past-holders-view.ts';
import {
  aboutPastHolders,
  FtHolderList,
  holderCursor,
  holderPattern,
  readHolderCursor,
  renderRankedHolder,
  TokenHolderList,
} from './ranked-holder-schema.ts';
import { listRankedHolders } from './ranked-holders-queries.ts';
import { readStxSupply } from './stx-supply-view.ts';
import { renderTotalSupply, TotalSupply } from './supply-schema.ts';

const tags = ['Tokens'];
const assetParams = Type.Object({ asset_identifier: AssetIdentifierParam });
const holderQuery = { ...cursorQuery(100, 200, holderPattern), ...atBlockQuery };
/** An asset that no contract has. */
const unknown = { contract: new Uint8Array(0), name: '' };

export const v3Tokens: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v3/tokens/stx/supply',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_stx_total_supply',
        summary: 'Get the STX supply',
        description:
          'Returns the supply at the tip or after `at_block`, in micro-STX. The status is 404 before the first block.',
        tags: ['Supply'],
        querystring: Type.Object(atBlockQuery),
        response: { 200: TotalSupply, 404: ErrorBody },
      },
    },
    async ({ sql, query }) => renderTotalSupply((await readStxSupply(sql, query)).microStx),
  );

  app.get(
    '/extended/v3/tokens/stx/holders',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_stx_token_holders',
        summary: 'List the holders of STX',
        description: `Returns the holders, largest balance first. Balances are in micro-STX and include locked STX. ${aboutPastHolders}`,
        tags,
        querystring: Type.Object(holderQuery),
        response: { 200: TokenHolderList, 404: ErrorBody },
      },
    },
    async ({ sql, query }) => {
      const page = holderPageOf(query);
      const { at_block } = query;
      if (at_block !== undefined) {
        return await renderPastHolders(sql, undefined, { at_block, cursor: query.cursor, limit: page.limit });
      }
      const found = await listRankedHolders(sql, undefined, page);
      return renderKeyedPage(found, page.limit, { cursorOf: holderCursor, render: renderRankedHolder });
    },
  );

  app.get(
    '/extended/v3/tokens/ft/:asset_identifier/holders',
    {
      config: { freshness: 'tip', assetMetadata: true },
      schema: {
        operationId: 'get_ft_token_holders',
        summary: 'List the holders of a fungible token',
        description:
          'Returns the holders, largest balance first. Balances are in the smallest unit of the token. The list is ' +
          `empty if the token is unknown. ${aboutPastHolders}`,
        tags,
        params: assetParams,
        querystring: Type.Object({ ...holderQuery, ...assetMetadataQuery }),
        response: { 200: FtHolderList, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = holderPageOf(query);
      const asset = assetOf(params.asset_identifier) ?? unknown;
      const { at_block } = query;
      if (at_block !== undefined) {
        return await renderPastHolders(sql, asset, { at_block, cursor: query.cursor, limit: page.limit });
      }
      const found = await listRankedHolders(sql, asset, page);
      return renderKeyedPage(found, page.limit, { cursorOf: holderCursor, render: renderRankedHolder });
    },
  );

  app.get(
    '/extended/v3/tokens/ft/:asset_identifier/supply',
    {
      config: { freshness: 'tip', assetMetadata: true },
      schema: {
        operationId: 'get_ft_token_supply',
        summary: 'Get the supply of a fungible token',
        description:
          'Returns the minted amount less the burned amount, in the smallest unit of the token. It is `0` if the ' +
          'token is unknown.',
        tags,
        params: assetParams,
        querystring: Type.Object({ ...atBlockQuery, ...assetMetadataQuery }),
        response: {
          404: ErrorBody,
          200: Type.Object(
            {
              asset_identifier: Type.String(),
              total: Type.String({ description: 'Minted less burned, in the smallest unit.' }),
              ...assetMetadata,
            },
            { title: 'FtSupply' },
          ),
        },
      },
    },
    async ({ sql, params: { asset_identifier }, query: { at_block } }) => {
      const asset = assetOf(asset_identifier);
      const asOf = asOfAtBlock(at_block);
      const total = asset && (await findFtSupply(sql, asset, asOf));
      if (total === undefined) await assertBlockNamed(sql, asOf);
      return { asset_identifier, total: total ?? '0' };
    },
  );

  app.get(
    '/extended/v3/tokens/nft/:asset_identifier/:value/history',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_nft_instance_history',
        summary: 'List the history of an NFT',
        description:
          'Returns the mint, the transfers and the burn of one NFT, newest first. The list is empty if the NFT is ' +
          'unknown.',
        tags,
        params: Type.Object({
          asset_identifier: AssetIdentifierParam,
          value: Type.String({
            pattern: '^([0-9]{1,39}|0x([0-9a-fA-F]{2})+)$',
            description: 'Id of the NFT: an unsigned integer, or a serialized Clarity value in hex with `0x`.',
          }),
        }),
        querystring: Type.Object(cursorQuery(50, 200, eventPositionPattern)),
        response: { 200: NftMoveList },
      },
    },
    async ({ sql, params, query: { limit = 50, cursor } }) => {
      const asset = assetOf(params.asset_identifier) ?? unknown;
      const found = await listNftMoves(sql, asset, nftIdOf(params.value), { cursor: eventCursorOf(cursor), limit });
      return renderKeyedPage(found, limit, { cursorOf: eventPositionCursor, render: renderNftMove });
    },
  );
};

function holderPageOf({ limit = 100, cursor }: { limit?: number; cursor?: string }) {
  const start = readHolderCursor(cursor);
  if (start && !isPrincipal(start.principal)) throw badRequest('querystring/cursor: no such principal');
  return { cursor: start, limit };
}

const most = 2n ** 128n - 1n;

/** The serialized id of an NFT as a caller wrote it. */
function nftIdOf(text: string): Uint8Array {
  if (text.startsWith('0x')) return fromHex(text);
  if (BigInt(text) > most) throw badRequest('params/value must be an integer below 2^128');
  return encodeClarity(uint(BigInt(text)));
}
