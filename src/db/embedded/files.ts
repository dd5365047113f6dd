import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that readers see whole or not at all. */
export function writeWhole(path: string, content: string, mode: number): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, path);
}
