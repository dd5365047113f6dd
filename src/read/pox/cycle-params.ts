import { Type } from 'typebox';

/** A cycle by its number, or relative to the one that holds the burn tip. */
export const CycleParam = Type.String({
  pattern: '^([0-9]{1,6}|current|previous|next)$',
  description: 'Number of the reward cycle, or `current`, `previous` or `next`.',
});

const steps: Record<string, number> = { previous: -1, current: 0, next: 1 };

/** The number of the cycle that a caller names; undefined where the chain has not come to cycle 0, or before it. */
export function cycleOf(text: string, current: number): number | undefined {
  const step = steps[text];
  const cycle = step === undefined ? Number(text) : current + step;
  return current < 0 || cycle < 0 ? undefined : cycle;
}
