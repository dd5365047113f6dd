import type { NodePox } from '../api/schema.ts';

/** Where the burn chain stands in its reward cycle. */
export type CyclePosition = {
  cycle: number;
  length: number;
  prepareLength: number;
  /** Blocks of the cycle that have passed. */
  passed: number;
  left: number;
  phase: 'reward' | 'prepare';
  startsAt: number;
  prepareAt: number;
  endsAt: number;
};

export function cyclePosition(pox: NodePox): CyclePosition {
  const { first_burnchain_block_height: first, current_burnchain_block_height: height } = pox;
  const length = pox.reward_cycle_length;
  const prepareLength = pox.prepare_phase_block_length;
  const cycle = Math.floor((height - first) / length);
  const startsAt = first + cycle * length;
  const passed = height - startsAt;
  const rewards = length - prepareLength;
  return {
    cycle,
    length,
    prepareLength,
    passed,
    left: length - passed,
    phase: passed < rewards ? 'reward' : 'prepare',
    startsAt,
    prepareAt: startsAt + rewards,
    endsAt: startsAt + length,
  };
}
