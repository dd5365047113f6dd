import type { Static } from 'typebox';
import type { VestingRow } from '../../queries/principals/vesting.ts';
import type { TokenOffering } from './balance.ts';

/** The part of a balance that tells of vesting; nothing for accounts without it. */
export function renderTokenOffering(row: VestingRow | undefined): {
  token_offering_locked?: Static<typeof TokenOffering>;
} {
  if (!row) return {};
  return {
    token_offering_locked: {
      total_locked: row.locked,
      total_unlocked: row.unlocked,
      unlock_schedule: row.schedule.map(({ amount, height }) => ({ amount, block_height: height })),
    },
  };
}
