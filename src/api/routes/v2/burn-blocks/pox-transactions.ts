import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PoxTransaction } from '../../../../schemas/burn/burn-reward.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { listPoxTransactionsOf } from '../../../../views/burn/rewards.ts';
import { BlockKeyParam, blockKeyOf } from '../../../params/block.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Burn chain'];
const config = { freshness: 'tip' } as const;
const PoxPage = Page(PoxTransaction, 'BurnBlockPoxTransactionPage');

export const v2BurnBlocksPoxTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v2/burn-blocks/:height_or_hash/pox-transactions',
    {
      config,
      schema: {
        operationId: 'get_burn_block_pox_transactions',
        summary: 'Outputs of block commits in a burn block',
        tags,
        params: Type.Object({ height_or_hash: BlockKeyParam }),
        querystring: Type.Object(pageQuery(20, 30)),
        response: { 200: PoxPage, 404: ErrorBody },
      },
    },
    ({ params, query }) => listPoxTransactionsOf(sql, blockKeyOf(params.height_or_hash), pageOf(query, 20)),
  );
};
