import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Pool } from '../../../../db/client.ts';
import { badRequest } from '../../../../errors.ts';
import { listFtHolders, listStxHolders, type Page } from '../../../../queries/tokens/holders.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { HolderPage } from '../../../../schemas/tokens/holder.ts';
import { gatherHolders } from '../../../../views/tokens/holder-list.ts';
import { assetOf } from '../../../params/asset.ts';
import type { RouteContext } from '../../../route-context.ts';

const usual = 100;
const nobody = { supply: '0', total: 0, rows: [] };

export const v1TokensFt: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, pieces }) => {
  app.get(
    '/extended/v1/tokens/ft/:token/holders',
    {
      config: { freshness: 'tip', cost: 3 },
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
        querystring: Type.Object(pageQuery(usual, 200)),
        response: { 200: HolderPage, 400: ErrorBody },
      },
    },
    async ({ params: { token }, query }) => {
      const page = pageOf(query, usual);
      const holders = await listHolders(sql, token, page);
      if (holders === 'too deep') {
        const cursors = `/extended/v3/tokens/${token === 'stx' ? 'stx' : `ft/${token}`}/holders`;
        throw badRequest(
          `querystring/offset is too deep: it must lie within the first or the last 100,000 holders; use the cursor of ${cursors} for the rest`,
        );
      }
      const { supply, total, rows } = holders;
      return { total_supply: supply, ...page, total, results: await gatherHolders(pieces, sql, rows) };
    },
  );
};

async function listHolders(sql: Pool, token: string, page: Page) {
  if (token === 'stx') return await listStxHolders(sql, page);
  const asset = assetOf(token);
  return asset ? await listFtHolders(sql, asset, page) : nobody;
}
