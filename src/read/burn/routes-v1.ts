import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { Page, pageOf, pageQuery, renderPage } from '../pages/page-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { BitcoinAddressParam, bitcoinAddressOf } from './bitcoin-params.ts';
import {
  BurnchainReward,
  BurnchainRewardTotal,
  RewardSlotHolder,
  renderBurnReward,
  renderBurnSlot,
} from './burn-reward-schema.ts';
import { listBurnRewards, listBurnSlots, sumBurnRewards } from './burn-rewards-queries.ts';

const tags = ['Burn chain'];
const config = { freshness: 'tip' } as const;
const params = Type.Object({ address: BitcoinAddressParam });
const querystring = Type.Object(pageQuery(96, 250));
const RewardPage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped.' }),
    results: Type.Array(BurnchainReward),
  },
  { title: 'BurnchainRewardPage' },
);
const SlotPage = Page(RewardSlotHolder, 'RewardSlotHolderPage');

export const v1Burnchain: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/burnchain/reward_slot_holders',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_slot_holders',
        summary: 'List reward slot holders',
        description:
          'Returns the Bitcoin addresses that were eligible for a reward in each burn block, newest burn block ' +
          'first, last slot first.',
        tags,
        querystring,
        response: { 200: SlotPage },
      },
    },
    async ({ sql, query }) => {
      const page = pageOf(query, 96);
      return renderPage(page, await listBurnSlots(sql, page), renderBurnSlot);
    },
  );

  app.get(
    '/extended/v1/burnchain/reward_slot_holders/:address',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_slot_holders_by_address',
        summary: 'List the reward slots of an address',
        description:
          'Returns the burn blocks in which the address was eligible for a reward, newest first. The status is 400 ' +
          'if the address is invalid.',
        tags,
        params,
        querystring,
        response: { 200: SlotPage, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = pageOf(query, 96);
      return renderPage(page, await listBurnSlots(sql, page, bitcoinAddressOf(params.address)), renderBurnSlot);
    },
  );

  app.get(
    '/extended/v1/burnchain/rewards',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_list',
        summary: 'List burn chain rewards',
        description:
          'Returns the payments of burn blocks to reward addresses, newest burn block first, last reward first. ' +
          'Amounts are in satoshis.',
        tags,
        querystring,
        response: { 200: RewardPage },
      },
    },
    async ({ sql, query }) => {
      const page = pageOf(query, 96);
      return { ...page, results: (await listBurnRewards(sql, page)).map(renderBurnReward) };
    },
  );

  app.get(
    '/extended/v1/burnchain/rewards/:address',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_list_by_address',
        summary: 'List the burn chain rewards of an address',
        description:
          'Returns the payments of burn blocks to an address, newest first. Amounts are in satoshis. The status is ' +
          '400 if the address is invalid.',
        tags,
        params,
        querystring,
        response: { 200: RewardPage, 400: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const page = pageOf(query, 96);
      const recipient = bitcoinAddressOf(params.address, { named: false });
      return { ...page, results: (await listBurnRewards(sql, page, recipient)).map(renderBurnReward) };
    },
  );

  app.get(
    '/extended/v1/burnchain/rewards/:address/total',
    {
      config,
      schema: {
        operationId: 'get_burnchain_rewards_total_by_address',
        summary: 'Get the total burn chain rewards of an address',
        description:
          'Returns the sum of all payments of burn blocks to an address, in satoshis; `0` if there were none. The ' +
          'status is 400 if the address is invalid.',
        tags,
        params,
        response: { 200: BurnchainRewardTotal, 400: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const recipient = bitcoinAddressOf(params.address);
      return { reward_recipient: recipient, reward_amount: (await sumBurnRewards(sql, recipient)).toString() };
    },
  );
};
