import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PoxTransaction } from '../../../../schemas/burn/burn-reward.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../../schemas/pages/page.ts';
import { listPoxTransactionsTo } from '../../../../views/burn/rewards.ts';
import { BitcoinAddressParam, bitcoinAddressOf } from '../../../params/bitcoin.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Burn chain'];
const config = { freshness: 'tip' } as const;
const PoxPage = Page(PoxTransaction, 'BurnBlockPoxTransactionPage');

export const v2AddressesPoxTransactions: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v2/addresses/:burnchain_address/pox-transactions',
    {
      config,
      schema: {
        operationId: 'get_burnchain_address_pox_transactions',
        summary: 'Outputs of block commits to an address, newest first',
        tags,
        params: Type.Object({ burnchain_address: BitcoinAddressParam }),
        querystring: Type.Object(pageQuery(20, 30)),
        response: { 200: PoxPage, 400: ErrorBody },
      },
    },
    async ({ params, query }) =>
      listPoxTransactionsTo(sql, bitcoinAddressOf(params.burnchain_address), pageOf(query, 20)),
  );
};
