import { closeSync, copyFileSync, existsSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const limitBytes = 16 * 2 ** 20;

/** Limits the size of the server's log and one older part of it; the returned function ends that. */
export function boundLog(path: string, limit = limitBytes): () => void {
  const check = () => {
    if (logSize(path) <= limit) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path); // the server appends, so it goes on at the new end
  };
  check();
  const timer = setInterval(check, 60_000).unref();
  return () => clearInterval(timer);
}

export const logSize = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/** The text written after `from`, at most its last few kilobytes. */
export function logTail(path: string, from: number): string {
  const size = logSize(path);
  const start = Math.max(from, size - 4096);
  const bytes = Buffer.alloc(Math.max(0, size - start));
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, start);
  } finally {
    closeSync(file);
  }
  return bytes.toString('utf8').trim();
}
