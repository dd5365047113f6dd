import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.mjs';

/** Runs all tests or those that the arguments name; the last line is `N passed, M failed`. */
export async function runTests(root, args) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'run', 'count-reporter.mjs')}`];
    const code = await run(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      env: { ...process.env, CAIRN_TEST_COUNTS: file },
    });
    const counts = closingCounts(readCounts(file), code);
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    return counts.failed === 0 ? code : code || 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts one failure for a run that failed outside any test. */
export function closingCounts(counts, code) {
  const { passed = 0, failed = 0 } = counts ?? {};
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
