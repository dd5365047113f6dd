import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';

const pattern = 'a time such as `now`, `now-3h` (units s, m, h, d, w, mo, y) or `2026-01-31T12:00:00Z`';

export const rangeQuery = {
  from: Type.Optional(Type.String({ maxLength: 64, description: `First arrival: ${pattern}.` })),
  to: Type.Optional(Type.String({ maxLength: 64, description: `End of the arrivals, not included: ${pattern}.` })),
};

/** The latest time that a Date can hold. */
const END = 8.64e15;

/** A range of Unix milliseconds; open ends reach as far as times go. */
export function rangeOf({ from, to }: { from?: string; to?: string }, now = Date.now()): { from: number; to: number } {
  const range = {
    from: from === undefined ? 0 : Math.max(0, timeOf('from', from, now)),
    to: to === undefined ? END : Math.max(0, timeOf('to', to, now)),
  };
  if (range.from > range.to) throw badRequest('`from` must not be later than `to`');
  return range;
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function timeOf(name: string, text: string, now: number): number {
  const [, amount, unit] = /^now(?:-(\d{1,6})(s|m|h|d|w|mo|y))?$/.exec(text) ?? [];
  const time = unit
    ? before(now, Number(amount), unit)
    : text === 'now'
      ? now
      : iso.test(text)
        ? utc(text)
        : Number.NaN;
  if (Number.isNaN(time)) throw badRequest(`\`${name}\` must be ${pattern}`);
  return time;
}

/** A time without a zone is UTC. */
const utc = (text: string) =>
  Date.parse(/T.*(Z|[+-]\d{2}:?\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`);

function before(now: number, amount: number, unit: string): number {
  const factor = seconds[unit];
  if (factor !== undefined) return now - amount * factor * 1000;
  const date = new Date(now);
  if (unit === 'mo') date.setUTCMonth(date.getUTCMonth() - amount);
  else date.setUTCFullYear(date.getUTCFullYear() - amount);
  return date.getTime();
}
