import { formatDuration, localTime, relativeTime, utcTime } from '../../format/time.ts';
import { now } from '../../live/clock.ts';

/** A time, relative; the exact one, local and UTC, is in its title, or beside it with `exact`. `short` is for small places. */
export function Time({ seconds, exact = false, short = false }: { seconds: number; exact?: boolean; short?: boolean }) {
  const precise = `${localTime(seconds)} · ${utcTime(seconds)}`;
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={precise}>
      {short ? `${largestUnit(Math.max(0, now.value - Math.floor(seconds)))} ago` : relativeTime(seconds, now.value)}
      {exact && <span class="soft"> · {isUtc(seconds) ? utcTime(seconds) : precise}</span>}
    </time>
  );
}

/** Whether the clock of the reader shows UTC: the same time twice says nothing. */
const isUtc = (seconds: number) => new Date(seconds * 1000).getTimezoneOffset() === 0;

/** `2 min` of 125 seconds. */
const largestUnit = (seconds: number) => formatDuration(seconds).split(' ').slice(0, 2).join(' ');
