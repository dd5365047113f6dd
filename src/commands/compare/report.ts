import { formatCount } from '../progress.ts';
import type { Comparison, Finding } from './comparison.ts';

/** The result of a whole comparison. */
export type Summary = {
  /** The highest block that was compared. */
  height: number;
  same: number;
  different: number;
  /** Responses that differ only as documented in docs/differences.md. */
  known: number;
  /** Responses that differed while the tips were different, so that no conclusion is possible. */
  moved: number;
  /** Requests without a response from one of the two APIs. */
  failed: number;
  lastFailure?: string;
  departures: Record<string, number>;
  notOffered: string[];
};

const SHOWN = 10;
const MAX_VALUE = 200;

export function summaryOf({ counts, reasons, notOffered, lastFailure }: Comparison, height: number): Summary {
  const departures = Object.fromEntries([...reasons].sort(([, a], [, b]) => b - a));
  const summary = { height, ...counts, departures, notOffered: [...notOffered.keys()].sort() };
  return lastFailure === '' ? summary : { ...summary, lastFailure };
}

/** One path with each field that differs, and both values. */
export function findingText({ path, differences }: Finding): string {
  const lines = differences
    .slice(0, SHOWN)
    .map(
      ({ field, here, there }) => `  ${field || 'the response'}: here ${valueText(here)}, there ${valueText(there)}`,
    );
  const more = differences.length - SHOWN;
  return [`DIFFERENT: ${path}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function valueText(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

export function summaryText(summary: Summary): string {
  const { same, different, known, moved, failed, height, departures, notOffered, lastFailure } = summary;
  const compared = same + different + known;
  const lines = [
    `${formatCount(compared)} responses compared, at or below block ${formatCount(height)}: ${formatCount(different)} differ`,
    `${formatCount(same)} are the same, ${formatCount(known)} differ only as docs/differences.md says`,
    ...Object.entries(departures).map(([reason, count]) => `  ${formatCount(count)} × ${reason}`),
  ];
  if (moved > 0)
    lines.push(`${formatCount(moved)} could not be compared: they differed while the two were at different tips`);
  if (notOffered.length > 0) lines.push('not offered by the other API:', ...notOffered.map(route => `  ${route}`));
  if (failed > 0) lines.push(`${formatCount(failed)} requests failed, the last: ${lastFailure}`);
  if (compared === 0) lines.push('nothing was compared: --only matches nothing, or every request failed');
  return `${lines.join('\n')}\n`;
}
