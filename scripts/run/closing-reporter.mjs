import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * A vitest reporter that writes what the closing lines need to a file: counts, skipped tests by reason, the slowest files,
 * and the files that did not run because the time box ended.
 */
export default class ClosingReporter {
  #vitest;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const path = module => relative(this.#vitest.config.root, module.moduleId);
    const unrun = modules.filter(module => module.meta().leftOut);
    const run = modules.filter(module => !unrun.includes(module));
    const closing = {
      ...countTests(run, this.#vitest.config.testNamePattern === undefined),
      failed: unhandledErrors.length,
      slowest: run.map(module => [path(module), fileTime(module)]),
      unrun: unrun.map(path),
    };
    const left = unrun.reduce((sum, module) => sum + [...module.children.allTests()].length, 0);
    if (left > 0) Object.assign(closing, { skipped: closing.skipped + left });
    if (left > 0) closing.reasons['the time box had ended'] = left;
    for (const module of run) closing.failed += countFailures(module);
    closing.slowest = closing.slowest.sort((a, b) => b[1] - a[1]).slice(0, 10);
    if (process.env.CAIRN_TEST_CLOSING) writeFileSync(process.env.CAIRN_TEST_CLOSING, JSON.stringify(closing));
  }
}

/** Milliseconds that a file took, with its imports. */
function fileTime(module) {
  const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
  return Math.round(duration + collectDuration + setupDuration + prepareDuration);
}

/** Passed and skipped tests; those that a name pattern leaves out are not skipped. */
function countTests(modules, countSkipped) {
  const counts = { passed: 0, skipped: 0, reasons: {} };
  for (const test of modules.flatMap(module => [...module.children.allTests()])) {
    const { state, note } = test.result();
    if (state === 'passed') counts.passed++;
    if (state !== 'skipped' || !(countSkipped || note)) continue;
    counts.skipped++;
    const reason = note ?? `no reason is given: ${test.fullName}`;
    counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
  }
  return counts;
}

/** A file that cannot be loaded, or whose hooks fail, has no failed test and counts as one. */
function countFailures(module) {
  const failed = [...module.children.allTests('failed')].length;
  return failed === 0 && module.state() === 'failed' ? 1 : failed;
}
