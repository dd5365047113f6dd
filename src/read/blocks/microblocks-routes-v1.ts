import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { redirectTo0x } from '../../http/hex-redirect.ts';
import { Page, pageOf, pageQuery } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { Transaction } from '../transactions/transaction-schema.ts';
import { hashOf } from './block-params.ts';
import { Microblock } from './microblock-schema.ts';
import { findMicroblock, listMicroblocks, listUnanchoredTransactions } from './microblocks-view.ts';

const tags = ['Microblocks'];

export const v1Microblock: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, caches }) => {
  app.get(
    '/extended/v1/microblock',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_microblock_list',
        summary: 'List microblocks',
        description: 'Returns microblocks, newest first. Blocks since Nakamoto have none.',
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
        summary: 'List the transactions of unconfirmed microblocks',
        description:
          'Returns the transactions of microblocks that no block has confirmed yet. The list is empty since ' +
          'Nakamoto.',
        tags,
        response: {
          200: Type.Object(
            { total: Type.Integer({ description: 'Number of transactions.' }), results: Type.Array(Transaction) },
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
        summary: 'Get a microblock',
        description:
          'Returns a canonical or non-canonical microblock. The status is 404 if no microblock has this hash.',
        tags,
        params: Type.Object({ hash: Type.String({ description: 'A microblock hash in hex.' }) }),
        response: { 200: Microblock, 404: ErrorBody },
      },
    },
    async ({ params }) => findMicroblock(sql, hashOf(params.hash)),
  );
};
