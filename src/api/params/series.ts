import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { SeriesEnd } from '../../queries/history/range.ts';

const maxHeight = 2_147_483_647;
const end = (name: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      description: `${name}: a block height, or an ISO 8601 time, which means the last block up to then.`,
    }),
  );

/** Parameters of a series. */
export const seriesQuery = {
  from: end('First point. Default: the first block'),
  to: end('Last point. Default: the tip'),
  points: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 500,
      default: 100,
      description: 'Maximum number of points. They are in equal steps of blocks, both ends included.',
    }),
  ),
};

type SeriesParams = { from?: string; to?: string; points?: number };

/** The ends of a series; 400 unless each is a height or a time. */
export function seriesIn({ from, to, points = 100 }: SeriesParams) {
  return {
    points,
    ...(from !== undefined && { from: endOf('from', from) }),
    ...(to !== undefined && { to: endOf('to', to) }),
  };
}

/** The same where only times have a meaning, in seconds. */
export function timesIn({ from, to, points = 100 }: SeriesParams) {
  return {
    points,
    ...(from !== undefined && { from: timeOf('from', from) }),
    ...(to !== undefined && { to: timeOf('to', to) }),
  };
}

function endOf(name: string, text: string): SeriesEnd {
  if (!/^\d+$/.test(text)) return { time: timeOf(name, text) };
  if (Number(text) > maxHeight) throw badRequest(`\`${name}\` is greater than any block height (${maxHeight})`);
  return { height: Number(text) };
}

function timeOf(name: string, text: string): number {
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text);
  const ms = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw badRequest(`\`${name}\` must be a time such as 2026-01-31T12:00:00Z, or a block height`);
  return Math.max(0, Math.min(Math.floor(ms / 1000), maxHeight));
}
