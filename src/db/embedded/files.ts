import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Creates a folder and its missing parents. The recursive `mkdirSync` never returns for a path below /proc. */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}
