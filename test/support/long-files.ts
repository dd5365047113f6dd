import { readFileSync } from 'node:fs';

/** Seconds that long files usually take on 2 quiet cores, where three of them run at once: those of 30 s or more. */
const measured: Record<string, number> = {
  'test/api/contract/fuzz.long.test.ts': 120,
  'test/api/contract/whole-responses.long.test.ts': 76,
  'test/attach.long.test.ts': 133,
  'test/commands/compare.long.test.ts': 99,
  'test/explorer/keyboard.long.test.ts': 79,
  'test/explorer/live.long.test.ts': 87,
  'test/explorer/pages.long.test.ts': 125,
  'test/explorer/stopped.long.test.ts': 106,
  'test/faults/takeover.long.test.ts': 96,
  'test/ingest/crash.long.test.ts': 95,
  'test/ingest/large-genesis.long.test.ts': 35,
  'test/recipes.long.test.ts': 230,
};

/** Seconds of a file that is not in the list. */
const usual = 30;

export const measuredFiles = Object.keys(measured);

export const usualSeconds = (file: string): number => measured[file] ?? usual;

const today = () => Math.floor(Date.now() / 86_400_000);

/**
 * The order of long files: those that hold an invariant of docs/architecture.md come first, the longest before the others. The
 * rest begins at another file each day, so that one that a time box left out has its turn.
 */
export function orderLongFiles(files: readonly string[], day = today()): string[] {
  const invariants = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const first = files.filter(file => invariants.includes(`\`${file}\``));
  const others = files.filter(file => !first.includes(file)).toSorted();
  const turn = others.length === 0 ? 0 : day % others.length;
  const byTime = first.toSorted((a, b) => usualSeconds(b) - usualSeconds(a) || (a < b ? -1 : 1));
  return [...byTime, ...others.slice(turn), ...others.slice(0, turn)];
}
