import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { SeriesEnd } from './range-queries.ts';

const maxHeight = 2_147_483_647;
/** Points of a series. */
const MAX_POINTS = 500;
const end = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));
const blockOrTime = 'a block height, or an ISO 8601 time, which means the last block up to then';
const points = (steps: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: MAX_POINTS,
      description: `Maximum number of points, in equal steps of ${steps}, both ends included. Default: 100.`,
    }),
  );

/** Parameters of a series over blocks. */
export const seriesQuery = {
  from: end(`First point: ${blockOrTime}. Default: the first block.`),
  to: end(`Last point: ${blockOrTime}. Default: the tip.`),
  points: points('blocks'),
  step: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxHeight,
      description: `Blocks between two points, from the first on, instead of \`points\`. At most ${MAX_POINTS} points can be requested.`,
    }),
  ),
};

/** Parameters of a series over minutes. */
export const timeSeriesQuery = {
  from: end('First point, an ISO 8601 time. Default: a day before the last point.'),
  to: end('Last point, an ISO 8601 time. Default: the newest sample.'),
  points: points('minutes'),
};

type SeriesParams = { from?: string; to?: string; points?: number; step?: number };

/** The ends of a series; 400 unless each is a height or a time. */
export function seriesIn({ from, to, points, step }: SeriesParams) {
  if (points !== undefined && step !== undefined) throw badRequest('give `points` or `step`, not both');
  return {
    points: points ?? (step === undefined ? 100 : MAX_POINTS),
    ...(step !== undefined && { step }),
    ...(from !== undefined && { from: endOf('from', from) }),
    ...(to !== undefined && { to: endOf('to', to) }),
  };
}

/** The ends of a series over minutes, in seconds; 400 unless each is a time. */
export function timesIn({ from, to, points = 100 }: SeriesParams) {
  return {
    points,
    ...(from !== undefined && { from: timeOf('from', from) }),
    ...(to !== undefined && { to: timeOf('to', to) }),
  };
}

function endOf(name: string, text: string): SeriesEnd {
  if (!/^\d+$/.test(text)) return { time: timeOf(name, text, ', or a block height') };
  if (Number(text) > maxHeight) throw badRequest(`\`${name}\` is greater than any block height (${maxHeight})`);
  return { height: Number(text) };
}

function timeOf(name: string, text: string, alternative = ''): number {
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw badRequest(`\`${name}\` must be a time such as 2026-01-31T12:00:00Z${alternative}`);
  return Math.max(0, Math.min(Math.floor(ms / 1000), maxHeight));
}
