import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { Page, pageOf, pageQuery, renderPage } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { BitcoinAddressParam, bitcoinAddressOf } from './bitcoin-params.ts';
import { includePayer, PoxTransaction, renderPoxTransaction } from './burn-reward-schema.ts';
import { listPoxOutputsTo } from './burn-rewards-queries.ts';

const tags = ['Burn chain'];
const config = { freshness: 'tip' } as const;
const PoxPage = Page(PoxTransaction, 'BurnBlockPoxTransactionPage');

export const v2AddressesPoxTransactions: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v2/addresses/:burnchain_address/pox-transactions',
    {
      config,
      schema: {
        operationId: 'get_burnchain_address_pox_transactions',
        summary: 'List the PoX payments to a Bitcoin address',
        description:
          'Returns the outputs of block commits to a reward address, newest first. Amounts are in satoshis. The ' +
          'status is 400 if the address is invalid.',
        tags,
        params: Type.Object({ burnchain_address: BitcoinAddressParam }),
        querystring: Type.Object({ ...pageQuery(20, 30), include: includePayer }),
        response: { 200: PoxPage, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = pageOf(query, 20);
      const listed = await listPoxOutputsTo(sql, bitcoinAddressOf(params.burnchain_address), page);
      return renderPage(page, listed, row => renderPoxTransaction(row, query.include));
    },
  );
};
