const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `5 minutes ago`, `in 2 hours`; times are Unix seconds. */
export function relativeTime(seconds: number, now: number): string {
  const difference = Math.round(seconds - now);
  if (Math.abs(difference) < 2) return 'just now';
  const [unit, size] = steps.find(([, size]) => Math.abs(difference) >= size) ?? steps.at(-1)!;
  return relative.format(Math.trunc(difference / size), unit);
}

/** `2 h 5 min`, `12 s`: the two largest units. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** `2026-11-18 03:45:12 UTC`. */
export function utcTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Making a format takes longer than using it a hundred times. */
const localFormats = new Map<string, Intl.DateTimeFormat>();

/** A time as the clock of the reader shows it. */
export function localTime(seconds: number, locale?: string, timeZone?: string): string {
  const key = `${locale} ${timeZone}`;
  let format = localFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', timeZone });
    localFormats.set(key, format);
  }
  return format.format(seconds * 1000);
}
