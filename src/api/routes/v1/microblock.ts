import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Microblock } from '../../../schemas/blocks/microblock.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../schemas/pages/page.ts';
import { Transaction } from '../../../schemas/transactions/transaction.ts';
import { findMicroblock, listMicroblocks, listUnanchoredTransactions } from '../../../views/blocks/microblocks.ts';
import { redirectTo0x } from '../../http/hex-redirect.ts';
import { hashOf } from '../../params/block.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Microblocks'];

export const v1Microblock: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/microblock',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_microblock_list',
        summary: 'Microblocks, newest first',
        tags,
        querystring: Type.Object(pageQuery(20, 200)),
        response: { 200: Page(Microblock, 'MicroblockPage') },
      },
    },
    ({ query }) => listMicroblocks(sql, pageOf(query, 20)),
  );

  app.get(
    '/extended/v1/microblock/unanchored/txs',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_unanchored_txs',
        summary: 'Transactions of microblocks that no block has confirmed yet',
        tags,
        response: {
          200: Type.Object(
            { total: Type.Integer(), results: Type.Array(Transaction) },
            { title: 'UnanchoredTransactions' },
          ),
        },
      },
    },
    () => listUnanchoredTransactions(caches, sql),
  );

  app.get(
    '/extended/v1/microblock/:hash',
    {
      preValidation: redirectTo0x('hash'),
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_microblock_by_hash',
        summary: 'A microblock by its hash',
        tags,
        params: Type.Object({ hash: Type.String() }),
        response: { 200: Microblock, 404: ErrorBody },
      },
    },
    async ({ params }) => findMicroblock(sql, hashOf(params.hash)),
  );
};
