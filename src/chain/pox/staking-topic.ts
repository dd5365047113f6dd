import { columnOf, principalOf, printedFields, textOf, uintOf } from '../print-fields.ts';

/** Prints of pox-5 that belong to a bond or a cycle. Never renumber. */
export const stakingTopics = {
  'setup-bond': 1,
  'add-to-allowlist': 2,
  'register-for-bond': 3,
  'update-bond-registration': 4,
  'announce-l1-early-exit': 5,
  'unstake-sbtc': 6,
  'bond-distribution': 7,
  'claim-staker-rewards-for-signer': 8,
  'calculate-rewards': 9,
  'claim-rewards': 10,
} as const;
export type StakingTopic = keyof typeof stakingTopics;

/** The bond and cycle of a print; -1 for none. */
export type StakingSubject = { topic: StakingTopic; bond: number; cycle: number; staker: string | undefined };

/** Reads the bond and cycle of a print of pox-5; undefined if it has neither. */
export function stakingSubject(value: Uint8Array): StakingSubject | undefined {
  const fields = printedFields(value);
  const topic = textOf(fields?.get('topic'));
  if (!fields || topic === undefined || !Object.hasOwn(stakingTopics, topic)) return undefined;
  return {
    topic: topic as StakingTopic,
    bond: columnOf(uintOf(fields.get('bond-index'))),
    cycle: columnOf(uintOf(fields.get('stx-cycle') ?? fields.get('reward-cycle'))),
    staker: principalOf(fields.get('staker')),
  };
}
