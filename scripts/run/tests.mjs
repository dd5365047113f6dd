import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { CommandError } from './error.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';

/** The vitest projects of each command; test/README.md says what belongs to which. */
export const tiers = { 'test:fast': ['fast'], test: ['fast', 'database'], 'test:long': ['long'] };

/** After its time box a run may take so long to end what it started; what hangs is ended then. */
const endingMs = 3 * 60_000;

/**
 * Runs the tests of a tier, or the files that the arguments name, whatever their tier. `--minutes N` leaves out what has
 * not ended by then. The last line is `N passed, N failed`, with `, N skipped` if some were.
 */
export async function runTests(root, tier, args) {
  const { minutes, rest } = readMinutes(args);
  const named = rest.some(arg => arg.startsWith('test/'));
  const projects = named ? [] : tiers[tier].map(project => `--project=${project}`);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-closing-'));
  const file = join(folder, 'closing.json');
  const memory = makeMemoryFolder();
  try {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'run', 'closing-reporter.mjs')}`];
    const code = await run(process.execPath, [vitest, 'run', ...reporters, ...projects, ...rest], {
      cwd: root,
      env: {
        ...process.env,
        CAIRN_TEST_CLOSING: file,
        ...(memory && { TMPDIR: memory }),
        ...(minutes && { CAIRN_TEST_END: String(Date.now() + minutes * 60_000) }),
      },
      ...(minutes && { timeout: minutes * 60_000 + endingMs, killSignal: 'SIGKILL' }),
    });
    const closing = closingCounts(readClosing(file), code);
    console.log(closingLines(closing, minutes).join('\n'));
    return closing.failed === 0 ? 0 : code || 1;
  } finally {
    for (const made of [folder, memory]) if (made) rmSync(made, { recursive: true, force: true });
  }
}

function readMinutes(args) {
  const at = args.indexOf('--minutes');
  if (at === -1) return { minutes: undefined, rest: args };
  const minutes = Number(args[at + 1]);
  if (!(minutes > 0)) throw new CommandError(`--minutes ${args[at + 1]}: expected a number of minutes above 0`);
  return { minutes, rest: args.toSpliced(at, 2) };
}

/** Counts one failure for a run that failed outside any test. */
export function closingCounts(closing, code) {
  const counts = { passed: 0, skipped: 0, reasons: {}, slowest: [], unrun: [], running: [], failures: [] };
  const { failed = 0, ...rest } = closing ?? {};
  return { ...counts, ...rest, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** What is printed after the output of vitest. */
export function closingLines({ passed, failed, skipped, reasons, slowest, unrun, running, failures }, minutes) {
  const lines = ['', 'Slowest files:'];
  for (const [file, ms] of slowest) lines.push(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`);
  if (skipped > 0) lines.push('Skipped:');
  for (const [reason, count] of Object.entries(reasons)) lines.push(`${String(count).padStart(8)}  ${reason}`);
  if (unrun.length > 0)
    lines.push(
      `Not run, or not to the end, because the ${minutes} minutes had ended:`,
      ...unrun.map(file => `  ${file}`),
    );
  // vitest tells failures at its end, which this run has not reached.
  if (running.length > 0) lines.push('Ended while they ran:', ...running.map(file => `  ${file}`), ...failures);
  return [...lines, `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`];
}

function readClosing(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
