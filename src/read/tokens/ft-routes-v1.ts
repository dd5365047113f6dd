import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { eventFilterOf, hasFilter } from '../filters/filter-params.ts';
import { assetMetadataQuery } from '../metadata/metadata-params.ts';
import { cursorQuery } from '../pages/cursor-list-schema.ts';
import { pageOf, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { AssetIdentifierParam, assetOf } from './asset-params.ts';
import { aboutFilteredMoves, ftFilterQuery, ftMoveTypes } from './filtered-move-params.ts';
import { listFilteredTransfersOfToken, startOfMoves } from './filtered-moves-queries.ts';
import { listHolders } from './holder-list-view.ts';
import { HolderPage } from './holder-schema.ts';
import {
  cutMoves,
  FtTransferList,
  readTransferCursor,
  renderFtTransfers,
  stepOfMoves,
  transferCursorPattern,
} from './token-transfer-schema.ts';
import { listTokenTransfers } from './token-transfers-queries.ts';

const defaultLimit = 100;
const defaultTransfers = 50;

export const v1TokensFt: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
  app.get(
    '/extended/v1/tokens/ft/:token/holders',
    {
      config: { freshness: 'tip', cost: 3, assetMetadata: true },
      schema: {
        operationId: 'get_ft_holders',
        summary: 'List the holders of a token',
        description:
          'Returns the holders of a fungible token or of STX, largest balance first. Balances are in the smallest ' +
          'unit (micro-STX for STX). `offset` must lie within the first or the last 100,000 holders; use the cursor ' +
          'of `/extended/v3/tokens` for the rest.',
        tags: ['Tokens'],
        params: Type.Object({
          token: Type.String({ description: '`stx`, or an asset identifier (`CONTRACT_ID::ASSET_NAME`).' }),
        }),
        querystring: Type.Object({ ...pageQuery(defaultLimit, 200), ...assetMetadataQuery }),
        response: { 200: HolderPage, 400: ErrorBody },
      },
    },
    ({ sql, params: { token }, query }) =>
      listHolders(
        caches,
        sql,
        token === 'stx' ? token : assetOf(token),
        pageOf(query, defaultLimit),
        `/extended/v3/tokens/${token === 'stx' ? 'stx' : `ft/${token}`}/holders`,
      ),
  );

  app.get(
    '/extended/v1/tokens/ft/:token/transfers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_ft_transfers',
        summary: 'List the transfers of a token',
        description:
          'Returns the transfers, mints and burns of a fungible token, newest first. The list is empty if the token is ' +
          `unknown. ${aboutFilteredMoves}`,
        tags: ['Tokens'],
        params: Type.Object({ token: AssetIdentifierParam }),
        querystring: Type.Object({
          ...cursorQuery(defaultTransfers, 200, transferCursorPattern),
          ...ftFilterQuery,
        }),
        response: { 200: FtTransferList, 400: ErrorBody },
      },
    },
    async ({ sql, params: { token }, query }) => {
      const asset = assetOf(token);
      if (!asset) throw badRequest('`token` must be an asset identifier such as SP….contract::asset');
      const limit = query.limit ?? defaultTransfers;
      const cursor = readTransferCursor(query.cursor);
      if (hasFilter(query)) {
        const filter = eventFilterOf(query, ftMoveTypes, ftFilterQuery);
        const request = { filter, limit, start: startOfMoves(sql, cursor) };
        return renderFtTransfers(
          stepOfMoves(await listFilteredTransfersOfToken(sql, { asset, kind: 'ft' }, request)),
          limit,
        );
      }
      return renderFtTransfers(cutMoves(await listTokenTransfers(sql, 'ft', asset, cursor, limit), limit), limit);
    },
  );
};
