import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { redirected, redirectTo0x } from '../../http/hex-redirect.ts';
import { Page, pageOf, pageQuery, renderPage } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { listStreamTransactions } from '../transactions/list-queries.ts';
import { listTransactionsAt } from '../transactions/positions-queries.ts';
import { renderTransaction, Transaction } from '../transactions/transaction-schema.ts';
import { hashOf } from './block-params.ts';
import { Microblock, renderMicroblock } from './microblock-schema.ts';
import { findMicroblock, listMicroblocks } from './microblocks-queries.ts';
import { findOrphanMicroblock } from './orphan-microblocks-queries.ts';

const tags = ['Microblocks'];

export const v1Microblock: FastifyPluginAsyncTypebox<RouteContext> = async (app, { caches }) => {
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
    async ({ sql, query }) => {
      const page = pageOf(query, 20);
      return renderPage(page, await listMicroblocks(sql, page.limit, page.offset), renderMicroblock);
    },
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
    async ({ sql }) => {
      const rows = await inSnapshot(sql, async snapshot =>
        listTransactionsAt(snapshot, await listStreamTransactions(snapshot, {}), caches.interfaces),
      );
      return { total: rows.length, results: rows.map(row => renderTransaction(row)) };
    },
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
        response: { 200: Microblock, ...redirected, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const hash = hashOf(params.hash);
      const row = await inSnapshot(
        sql,
        async snapshot => (await findMicroblock(snapshot, hash)) ?? (await findOrphanMicroblock(snapshot, hash)),
      );
      if (!row) throw notFound('cannot find microblock by hash');
      return renderMicroblock(row);
    },
  );
};
