import { type Static, Type } from 'typebox';

/** Seconds of the windows, in the order of `AverageTimes`. */
export const averageWindows = [3600, 86_400, 604_800, 2_592_000];

export const AverageTimes = Type.Object(
  { last_1h: Type.Number(), last_24h: Type.Number(), last_7d: Type.Number(), last_30d: Type.Number() },
  { title: 'AverageBlockTimes', description: 'Mean time between blocks in seconds; 0 with fewer than two blocks.' },
);

export const renderAverageTimes = ([hour = 0, day = 0, week = 0, month = 0]: number[]): Static<
  typeof AverageTimes
> => ({
  last_1h: hour,
  last_24h: day,
  last_7d: week,
  last_30d: month,
});
