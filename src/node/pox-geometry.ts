import type { PoxGeometry } from '../chain/pox/geometry.ts';

/** Reads `/v2/pox` of a node; undefined if it lacks the boundaries of cycles. */
export function readPoxGeometry(text: string): PoxGeometry | undefined {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const {
    first_burnchain_block_height: first,
    reward_cycle_length: length,
    prepare_phase_block_length: prepare,
  } = body;
  const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  return whole(first) && whole(length) && whole(prepare) && length > prepare ? { first, length, prepare } : undefined;
}
