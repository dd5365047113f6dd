import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { BurnchainReward, BurnchainRewardTotal, RewardSlotHolder } from '../../../schemas/burn/burn-reward.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import { Page, pageOf, pageQuery } from '../../../schemas/pages/page.ts';
import { findRewardTotal, listRewardSlots, listRewards } from '../../../views/burn/rewards.ts';
import { BitcoinAddressParam, bitcoinAddressOf } from '../../params/bitcoin.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Burn chain'];
const config = { freshness: 'tip' } as const;
const params = Type.Object({ address: BitcoinAddressParam });
const querystring = Type.Object(pageQuery(96, 250));
const RewardPage = Type.Object(
  { limit: Type.Integer(), offset: Type.Integer(), results: Type.Array(BurnchainReward) },
  { title: 'BurnchainRewardPage' },
);
const SlotPage = Page(RewardSlotHolder, 'RewardSlotHolderPage');

export const v1Burnchain: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/burnchain/reward_slot_holders',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_slot_holders',
        summary: 'Addresses that could be paid, by burn block, newest first',
        tags,
        querystring,
        response: { 200: SlotPage },
      },
    },
    ({ query }) => listRewardSlots(sql, pageOf(query, 96)),
  );

  app.get(
    '/extended/v1/burnchain/reward_slot_holders/:address',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_slot_holders_by_address',
        summary: 'Reward slots of an address, newest first',
        tags,
        params,
        querystring,
        response: { 200: SlotPage, 400: ErrorBody },
      },
    },
    async ({ params, query }) => listRewardSlots(sql, pageOf(query, 96), bitcoinAddressOf(params.address)),
  );

  app.get(
    '/extended/v1/burnchain/rewards',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_list',
        summary: 'What burn blocks paid, newest first',
        tags,
        querystring,
        response: { 200: RewardPage },
      },
    },
    ({ query }) => listRewards(sql, pageOf(query, 96)),
  );

  app.get(
    '/extended/v1/burnchain/rewards/:address',
    {
      config,
      schema: {
        operationId: 'get_burnchain_reward_list_by_address',
        summary: 'What burn blocks paid to an address, newest first',
        tags,
        params,
        querystring,
        response: { 200: RewardPage, 400: ErrorBody },
      },
    },
    async ({ params, query }) =>
      listRewards(sql, pageOf(query, 96), bitcoinAddressOf(params.address, { named: false })),
  );

  app.get(
    '/extended/v1/burnchain/rewards/:address/total',
    {
      config,
      schema: {
        operationId: 'get_burnchain_rewards_total_by_address',
        summary: 'All that burn blocks paid to an address',
        tags,
        params,
        response: { 200: BurnchainRewardTotal, 400: ErrorBody },
      },
    },
    async ({ params }) => findRewardTotal(sql, bitcoinAddressOf(params.address)),
  );
};
