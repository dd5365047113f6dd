import { Type } from 'typebox';

/** A cycle by its number, or relative to the one that holds the burn tip. */
export const CycleParam = Type.String({
  pattern: '^([0-9]{1,6}|current|previous|next)$',
  description: 'Number of the reward cycle, or `current`, `previous` or `next`.',
});
