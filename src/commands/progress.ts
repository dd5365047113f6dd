export type ProgressOptions = {
  /** The task, as printed before the bar. */
  label: string;
  /** Unit of the work. */
  unit: 'bytes' | 'events' | 'blocks';
  /** Unit of the second number of an update. */
  counted?: 'events' | 'requests' | 'rows' | 'chunks';
  /** Final value of `done`. */
  total: number;
  /** Start value when earlier work is continued. */
  start?: number;
  out?: { isTTY?: boolean; columns?: number; write(text: string): unknown };
  now?: () => number;
};

const TTY_MS = 100;
const LINE_MS = 5_000;

/** Shows the progress of a long task: a bar on a terminal, a line every few seconds elsewhere. */
export class Progress {
  readonly #options: Required<ProgressOptions>;
  readonly #started: number;
  #shown: number;
  #done: number;
  #events = 0;
  #firstEvents: number | undefined;

  constructor(options: ProgressOptions) {
    this.#options = { start: 0, counted: 'events', out: process.stderr, now: () => performance.now(), ...options };
    this.#started = this.#options.now();
    this.#done = this.#options.start;
    // Without a terminal, a short task prints only its last line.
    this.#shown = this.#options.out.isTTY ? Number.NEGATIVE_INFINITY : this.#started;
  }

  update(done: number, events: number): void {
    this.#done = done;
    this.#events = events;
    this.#firstEvents ??= events;
    const { out, now } = this.#options;
    if (now() - this.#shown < (out.isTTY ? TTY_MS : LINE_MS)) return;
    this.#shown = now();
    out.write(out.isTTY ? `\r\x1b[2K${this.#line()}` : `${this.#line()}\n`);
  }

  /** Prints a permanent message above the bar. */
  say(message: string): void {
    const { out } = this.#options;
    out.write(`${out.isTTY ? '\r\x1b[2K' : ''}${message}\n`);
  }

  /** Clears the bar, so that other output starts on an empty line. */
  clear(): void {
    const { out } = this.#options;
    if (out.isTTY) out.write('\r\x1b[2K');
  }

  /** Shows the final state and ends the line. */
  finish(): void {
    this.say(this.#line());
  }

  #line(): string {
    const { label, unit, counted, total, start, out, now } = this.#options;
    const seconds = Math.max((now() - this.#started) / 1000, 0.001);
    const share = total === 0 ? 1 : Math.min(this.#done / total, 1);
    const rate = Math.max(0, this.#done - start) / seconds;
    const eventRate = (this.#events - (this.#firstEvents ?? 0)) / seconds;
    const parts = [
      `${(share * 100).toFixed(1)} %`,
      `${formatCount(this.#events)} ${counted}`,
      `${formatCount(eventRate)}/s`,
      ...(unit === 'bytes' ? [`${formatBytes(this.#done)} of ${formatBytes(total)}`, `${formatBytes(rate)}/s`] : []),
      share < 1 && rate > 0 ? `${formatDuration((total - this.#done) / rate)} left` : formatDuration(seconds),
    ].join('  ');
    const room = (out.isTTY ? (out.columns ?? 80) : 0) - label.length - parts.length - 5;
    return room < 10 ? `${label}  ${parts}` : `${label}  ${bar(share, Math.min(room, 30))} ${parts}`;
  }
}

const bar = (share: number, width: number) => {
  const full = Math.round(share * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
};

export const formatCount = (n: number) => Math.round(n).toLocaleString('en-US');

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

export function formatDuration(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  const minutes = Math.floor(s / 60);
  return minutes < 60 ? `${minutes} min ${s % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
