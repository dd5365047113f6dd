const steps: Record<string, number> = { previous: -1, current: 0, next: 1 };

/** The number of the cycle that a caller names; undefined where the chain has not come to cycle 0, or before it. */
export function cycleOf(text: string, current: number): number | undefined {
  const step = steps[text];
  const cycle = step === undefined ? Number(text) : current + step;
  return current < 0 || cycle < 0 ? undefined : cycle;
}
