import { type Static, Type } from 'typebox';
import type { BurnTimes } from '../burn/burn-times-queries.ts';
import { isoTimeFrom0 } from '../pages/time.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** When a Bitcoin block was mined, or an estimate from the pace of the last ones; at most one of the two. */
export const scheduleTimes = {
  time: nullable(Type.Integer({ description: 'Unix time of the block in seconds; null if it is not mined yet.' })),
  time_iso: nullable(Type.String({ description: 'The same time as UTC text.' })),
  projected_time: nullable(
    Type.Integer({ description: 'Estimated Unix time of a future block, in seconds; null if the block is mined.' }),
  ),
  projected_time_iso: nullable(Type.String({ description: 'The same time as UTC text.' })),
};
type ScheduleTimes = {
  time: number | null;
  time_iso: string | null;
  projected_time: number | null;
  projected_time_iso: string | null;
};

/** How far back the pace of Bitcoin blocks is measured, and what it is meant to be. */
export const PACE_BLOCKS = 144;
const TARGET_SECONDS = 600;
const RETARGET_BLOCKS = 2016;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** On mainnet blocks beyond the next change of difficulty are taken to come at the pace that they are meant to. */
export function renderScheduleTimes(
  height: number,
  times: BurnTimes,
  mainnet: boolean,
  burnTip: number,
): ScheduleTimes {
  const none = { time: null, time_iso: null, projected_time: null, projected_time_iso: null };
  const time = times.known.get(height);
  if (time !== undefined) return { ...none, time, time_iso: isoTimeFrom0(time) };
  const { tip, past } = times;
  if (!tip || height <= Math.max(burnTip, tip.height)) return none;
  const measured = past && past.height < tip.height ? (tip.time - past.time) / (tip.height - past.height) : 0;
  const pace = measured > 0 ? measured : TARGET_SECONDS;
  const retarget = (Math.floor(tip.height / RETARGET_BLOCKS) + 1) * RETARGET_BLOCKS;
  const soon = mainnet ? Math.max(Math.min(height, retarget - 1) - tip.height, 0) : height - tip.height;
  const projected = Math.round(tip.time + soon * pace + (height - tip.height - soon) * TARGET_SECONDS);
  if (projected > LAST_SECOND) return none;
  return { ...none, projected_time: projected, projected_time_iso: isoTimeFrom0(projected) };
}

export const SchedulePoint = Type.Object(
  { bitcoin_height: Type.Integer({ description: 'Height of the Bitcoin block.' }), ...scheduleTimes },
  { title: 'SchedulePoint' },
);
export type SchedulePoint = Static<typeof SchedulePoint>;
