const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Steps of a time axis in seconds. */
const steps = [1, 2, 5, 10, 15, 30, 1, 2, 5, 10, 15, 30, 1, 2, 3, 6, 12, 1, 2, 4, 7, 14, 30, 90, 180, 365].map(
  (count, index) => count * (index < 6 ? 1 : index < 12 ? MINUTE : index < 17 ? HOUR : DAY),
);

/** The steps that are not smaller than the width of a bar. */
export const timeSteps = (bar = 0): number[] => steps.filter(step => step >= bar);

/** Making a format takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, options);
    formats.set(key, format);
  }
  return format;
}

type Reader = { locale?: string | undefined; timeZone?: string | undefined };

/**
 * Texts of the ticks of a time axis as the reader writes times. The date stands below a time where it changes, and below the
 * first one unless that is today; steps of days show dates alone.
 */
export function timeTexts(ticks: readonly number[], now: number, { locale, timeZone }: Reader = {}): string[] {
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : MINUTE;
  if (step >= 28 * DAY) {
    const year = formatOf(locale, { month: 'short', year: 'numeric', timeZone });
    return ticks.map(tick => year.format(tick * 1000));
  }
  const date = formatOf(locale, { day: 'numeric', month: 'short', timeZone });
  if (step >= DAY) return ticks.map(tick => date.format(tick * 1000));
  const time = formatOf(locale, { timeStyle: step < MINUTE ? 'medium' : 'short', hourCycle: 'h23', timeZone });
  let shown = date.format(now * 1000);
  return ticks.map(tick => {
    const day = date.format(tick * 1000);
    const text = time.format(tick * 1000);
    if (day === shown) return text;
    shown = day;
    return `${text}\n${day}`;
  });
}

/** A time beside the value that it belongs to; its date only if that is not today. */
export function timeText(seconds: number, now: number, { locale, timeZone }: Reader = {}): string {
  const date = formatOf(locale, { day: 'numeric', month: 'short', timeZone });
  const today = date.format(seconds * 1000) === date.format(now * 1000);
  const format = formatOf(locale, {
    timeStyle: 'medium',
    hourCycle: 'h23',
    ...(!today && { dateStyle: 'medium' }),
    timeZone,
  });
  return format.format(seconds * 1000);
}
