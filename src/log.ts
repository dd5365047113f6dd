import { type Logger, pino } from 'pino';

export type Log = Logger;

type Line = { level: number; time: number; msg?: string; part?: string; err?: { message: string; stack?: string } };

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** Creates the logger; errors are logged as `err`, the part of the program as `part`. */
export function createLog(options: { level: string; format: 'auto' | 'json' | 'pretty' }): Log {
  const base = { level: options.level, base: {} };
  return isPretty(options.format) ? pino(base, { write: line => process.stdout.write(prettyLine(line)) }) : pino(base);
}

/** True if the log goes to a terminal. */
export function isPretty(format: 'auto' | 'json' | 'pretty'): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true);
}

/** Formats one JSON log line for a terminal: time, level, part, message, then the rest as key=value. */
function prettyLine(json: string): string {
  const { level, time, msg, part, err, ...rest } = JSON.parse(json) as Line;
  const fields = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const head = `${new Date(time).toISOString().slice(11, 19)} ${(LEVELS[level] ?? '').padEnd(5)}`;
  const line = [head, part && `[${part}]`, msg, ...fields].filter(Boolean).join(' ');
  const cause = err === undefined ? '' : `\n    ${(err.stack ?? err.message).replaceAll('\n', '\n    ')}`;
  return `${line}${cause}\n`;
}
