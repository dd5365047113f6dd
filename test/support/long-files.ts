import { readFileSync } from 'node:fs';

/** Seconds that long files usually take on 2 quiet cores, where three of them run at once: those of 30 s or more. */
const measured: Record<string, number> = {
  'test/api/contract/whole-responses.long.test.ts': 76,
  'test/attach.long.test.ts': 133,
  'test/commands/compare.long.test.ts': 99,
  'test/explorer/keyboard.long.test.ts': 79,
  'test/explorer/live.long.test.ts': 87,
  'test/explorer/pages.long.test.ts': 125,
  'test/explorer/stopped.long.test.ts': 106,
  'test/faults/takeover.long.test.ts': 96,
  'test/ingest/crash.long.test.ts': 157,
  'test/ingest/large-genesis.long.test.ts': 35,
  'test/recipes.long.test.ts': 230,
};

/** Seconds of a file that is not in the list. */
const usual = 30;

export const measuredFiles = Object.keys(measured);

export const usualSeconds = (file: string): number => measured[file] ?? usual;

/** The order of long files: those that hold an invariant of docs/architecture.md come first, and of both the longest. */
export function orderLongFiles(files: readonly string[]): string[] {
  const invariants = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const rank = (file: string) => (invariants.includes(`\`${file}\``) ? 0 : 1);
  return files.toSorted((a, b) => rank(a) - rank(b) || usualSeconds(b) - usualSeconds(a) || (a < b ? -1 : 1));
}
