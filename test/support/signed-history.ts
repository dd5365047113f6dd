import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import type { ChainOptions } from '@cairn-stacks/devnet/chain/chain-builder';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { Random } from '@cairn-stacks/devnet/random';
import { messagesOf, mineLine, testChain } from './chain.ts';
import { type SentResponse, signerMessages } from './signer-messages.ts';

/** Keys, weights and amounts of the signers of both cycles; two have the same amount. */
export const signers = Array.from({ length: 5 }, (_, i) => ({
  signing_key: `02${`${i + 1}`.repeat(64)}`,
  stacked_amt: String([500, 700, 500, 900, 100][i]! * 1_000_000),
  weight: [5, 7, 5, 9, 1][i]!,
}));

/** Everything that was sent about a block, whether it became canonical or not. */
export type SentMessages = {
  block: BuiltBlock;
  cycle: number;
  proposals: number[];
  responses: SentResponse[];
  pushes: number[];
};

export const start = 1_800_000_000_000;
const [firstCycle, secondCycle] = [20, 21];

/**
 * Two cycles with a fork in each: what arrives in order, what was sent, and the canonical chain. Proposals come ten minutes
 * apart. Some are never mined.
 */
export function signedHistory(seed: number, options: Partial<ChainOptions> = {}) {
  const chain = testChain({ seed, ...options });
  const random = new Random(seed);
  const trunk = mineLine(chain, chain.genesis, 18);
  const lost = [mineLine(chain, trunk[6]!, 2), mineLine(chain, trunk[14]!, 1)].flat();
  const winner = mineLine(chain, trunk[14]!, 6);
  const unmined = [chain.mine(trunk[10]), chain.mine(winner[2])];
  const canonical = [...trunk.slice(0, 15), ...winner];
  for (const [block, cycle] of [
    [trunk[0]!, firstCycle],
    [trunk[8]!, secondCycle],
  ] as const) {
    const rewardSet = { rewarded_addresses: [], start_cycle_state: { missed_reward_slots: [] }, signers };
    Object.assign(block.body, { reward_set: { ...rewardSet, pox_ustx_threshold: '1000000' }, cycle_number: cycle });
  }
  const order = [
    chain.genesis,
    ...trunk.slice(0, 9),
    ...lost.slice(0, 2),
    ...trunk.slice(9),
    ...lost.slice(2),
    ...winner,
  ];
  const sent: SentMessages[] = [];
  const timed: { time: number; message: Message }[] = [];
  order.forEach((block, i) => {
    for (const message of messagesOf(block)) timed.push({ time: i, message });
  });
  [...order.slice(1), ...unmined].forEach((block, i) => {
    const cycle = block.height < 10 ? firstCycle : secondCycle;
    const record: SentMessages = { block, cycle, proposals: [], responses: [], pushes: [] };
    sent.push(record);
    const place = order.indexOf(block) >= 0 ? order.indexOf(block) : block.height + 2;
    const messages = signerMessages(block, {
      cycle,
      signers: signers.length,
      random,
      start: start + i * 600_000,
      onSent: each => {
        if ('proposal' in each) record.proposals.push(each.proposal);
        else if ('response' in each) record.responses.push(each.response);
        else record.pushes.push(each.push);
      },
    });
    for (const { delay, message } of messages) timed.push({ time: place + delay, message });
  });
  const messages = timed.toSorted((a, b) => a.time - b.time).map(({ message }) => message);
  return { messages, sent, canonical, cycles: [firstCycle, secondCycle] };
}
