import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What starts a database or another process: a test file that reaches one of these is not fast. */
const slow = /^(?:test\/support\/database\.ts|src\/db\/embedded\/.*|src\/test-devnet\/.*|node:child_process)$/;
/** Only these folders are followed: a file of `src` that is imported does nothing by itself. */
const followed = /^(?:test|bench)\//;

/** What a text imports; types alone start nothing. */
function importsIn(text: string): string[] {
  const values = text.replace(/^import type [^;]*;/gm, '');
  return [...values.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map(match => match[1]!);
}

const cache = new Map<string, boolean>();

/** True if a file, or one that it imports, starts a database or another process. */
function needsProcess(file: string): boolean {
  const known = cache.get(file);
  if (known !== undefined) return known;
  cache.set(file, false); // where imports form a circle
  const targets = importsIn(readFileSync(join(root, file), 'utf8')).map(target =>
    target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target,
  );
  const found = targets.some(
    target => slow.test(target) || (followed.test(target) && /\.m?ts$/.test(target) && needsProcess(target)),
  );
  cache.set(file, found);
  return found;
}

const isLong = (file: string) => file.endsWith('.long.test.ts');

/** The test files of each tier: the name says which are long, the imports say which need no process. */
export function listTiers(): Record<'fast' | 'database' | 'long', string[]> {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map(file => `test/${file}`)
    .sort();
  const short = files.filter(file => !isLong(file));
  return {
    fast: short.filter(file => !needsProcess(file)),
    database: short.filter(needsProcess),
    long: files.filter(isLong),
  };
}
