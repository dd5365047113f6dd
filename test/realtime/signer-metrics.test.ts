import { fromHex } from '@cairn-stacks/codec/hex';
import { proposalMessage, pushMessage, responsesMessage } from '@cairn-stacks/devnet/chain/stackerdb-messages';
import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import type { BlockProposal } from '../../src/read/signers/block-proposal-schema.ts';
import { testChain } from '../support/chain.ts';
import { until } from '../support/service.ts';
import { startLive } from './support.ts';

const signers = ['02', '03'].map(start => ({ signing_key: start.repeat(33), stacked_amt: '5', weight: 1 }));

test.for(['websocket', 'polling'])('proposals are sent whole after each change, by %s', async (transport, t) => {
  const { port, post } = await startLive(t);
  const chain = testChain();
  const first = chain.mine();
  const rewardSet = { rewarded_addresses: [], start_cycle_state: { missed_reward_slots: [] }, signers };
  Object.assign(first.body, { reward_set: { ...rewardSet, pox_ustx_threshold: '1' }, cycle_number: 7 });
  const block = chain.mine(first);
  await post(chain.genesis, first);

  const socket = io(`http://127.0.0.1:${port}/block-proposals`, {
    path: '/signer-metrics/socket.io/',
    transports: [transport],
  });
  t.onTestFinished(async () => void socket.close());
  const received: BlockProposal[] = [];
  socket.on('blockProposal', proposal => received.push(proposal));
  await until(async () => socket.connected);

  const last = () => received.at(-1);
  const response = { slot: 1, accepted: true, hash: fromHex(block.hash), signature: new Uint8Array(65), version: 'v' };
  // A response to a proposal that is not known is not sent.
  await post(responsesMessage(7, [{ ...response, hash: new Uint8Array(32) }]));
  await post(proposalMessage(block, 7));
  await until(async () => last()?.status === 'pending' && last()?.missing_count === 2);
  await post(responsesMessage(7, [response]));
  await until(async () => last()?.accepted_count === 1);
  await post(pushMessage(block));
  await until(async () => last()?.status === 'accepted');
  expect(new Set(received.map(({ block_hash }) => block_hash))).toEqual(new Set([block.hash]));
  expect(last()).toMatchObject({
    block_height: 2,
    cycle_number: 7,
    total_signer_count: 2,
    signer_data: [{ response: 'missing' }, { response: 'accepted', version: 'v' }],
  });
});
