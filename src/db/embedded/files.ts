import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isCode } from './lock.ts';

/** Writes a file atomically. */
export function writeWhole(path: string, content: string, mode: number): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, path);
}

/** The text of a small file, or undefined if it does not exist. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}
