import type { Static } from 'typebox';
import type { TokenOffering } from './balance-schema.ts';
import type { VestingRow } from './vesting-queries.ts';

/** The vesting fields of a balance; none for principals without a schedule. */
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
