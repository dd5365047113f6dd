import { type Static, Type } from 'typebox';
import type { BurnTimes } from '../burn/burn-times-queries.ts';
import { renderScheduleTimes, scheduleTimes } from './schedule-point-schema.ts';

const Point = Type.Object(
  {
    bitcoin_height: Type.Integer({ description: 'Height of the Bitcoin block.' }),
    pox_cycle: Type.Integer({ description: 'Number of the reward cycle.' }),
    ...scheduleTimes,
  },
  { title: 'BondSchedulePoint' },
);

/** When registering ends, when a bond begins to earn, and when it is unlocked. */
export const bondSchedule = Type.Object(
  { enrollment_cutoff: Type.Optional(Point), activation: Point, unlock: Point },
  { title: 'BondScheduleTimes' },
);
export type BondSchedule = Static<typeof bondSchedule>;

/** The source of times; without the length of the prepare phase, which no node has reported, the end of registration is left out. */
export type ScheduleClock = { burnTip: number; mainnet: boolean; prepare: number | undefined };

type BondBounds = { start: number; unlock: number; firstCycle: number; unlockCycle: number };

export function scheduleOf(
  { start, unlock, firstCycle, unlockCycle }: BondBounds,
  times: BurnTimes,
  { burnTip, mainnet, prepare }: ScheduleClock,
): BondSchedule {
  const point = (height: number, cycle: number) => ({
    bitcoin_height: height,
    pox_cycle: cycle,
    ...renderScheduleTimes(height, times, mainnet, burnTip),
  });
  return {
    ...(prepare !== undefined && { enrollment_cutoff: point(start - prepare, firstCycle - 1) }),
    activation: point(start, firstCycle),
    unlock: point(unlock, unlockCycle),
  };
}
