import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { BlockKeyParam, blockKeyOf } from '../blocks/block-params.ts';
import { Page, pageOf, pageQuery, renderPage } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { includePayer, PoxTransaction, renderPoxTransaction } from './burn-reward-schema.ts';
import { listPoxOutputsOf } from './burn-rewards-queries.ts';

const tags = ['Burn chain'];
const config = { freshness: 'tip' } as const;
const PoxPage = Page(PoxTransaction, 'BurnBlockPoxTransactionPage');

export const v2BurnBlocksPoxTransactions: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v2/burn-blocks/:height_or_hash/pox-transactions',
    {
      config,
      schema: {
        operationId: 'get_burn_block_pox_transactions',
        summary: 'List the PoX payments of a burn block',
        description:
          'Returns the outputs of block commits to reward addresses, ordered by transaction id and output index. ' +
          'Amounts are in satoshis. The status is 404 if the burn block is unknown.',
        tags,
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object({ ...pageQuery(20, 30), include: includePayer }),
        response: { 200: PoxPage, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = pageOf(query, 20);
      const listed = await listPoxOutputsOf(sql, blockKeyOf(params.height_or_hash), page);
      if (!listed) throw notFound('Burn block not found');
      return renderPage(page, listed, row => renderPoxTransaction(row, query.include));
    },
  );
};
