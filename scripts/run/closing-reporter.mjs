import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * A vitest reporter that writes what the closing lines need to a file: counts, skipped tests by reason, the slowest files,
 * and the files that the end of the time box left out, whole or in part. The file is written whenever a test file begins or
 * ends and when a test fails, with the messages of failures, for a run that is ended from outside.
 */
export default class ClosingReporter {
  #vitest;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  #ended = [];
  #running = new Set();

  onTestModuleStart(module) {
    this.#running.add(module);
    this.#write([]);
  }

  onTestModuleEnd(module) {
    this.#running.delete(module);
    this.#ended.push(module);
    this.#write([]);
  }

  onTestCaseResult(test) {
    if (test.result().state === 'failed') this.#write([]);
  }

  onTestRunEnd(modules, unhandledErrors) {
    this.#ended = modules;
    this.#running.clear();
    this.#write(unhandledErrors);
  }

  #write(unhandledErrors) {
    if (!process.env.CAIRN_TEST_CLOSING) return;
    const path = module => relative(this.#vitest.config.root, module.moduleId);
    const modules = [...this.#ended, ...this.#running];
    const run = modules.filter(module => !module.meta().leftOut);
    const closing = {
      ...countTests(modules, this.#vitest.config.testNamePattern === undefined),
      failed: unhandledErrors.length + modules.reduce((sum, module) => sum + countFailures(module), 0),
      failures: modules.flatMap(module => [...module.children.allTests('failed')].map(describeFailure)),
      slowest: run.map(module => [path(module), fileTime(module)]),
      unrun: modules.filter(isLeftOut).map(path),
      running: [...this.#running].map(path),
    };
    closing.slowest = closing.slowest.sort((a, b) => b[1] - a[1]).slice(0, 10);
    writeFileSync(process.env.CAIRN_TEST_CLOSING, JSON.stringify(closing));
  }
}

/** True if the end of the time box left out the file or a test of it. */
function isLeftOut(module) {
  return module.meta().leftOut || [...module.children.allTests()].some(test => test.meta().leftOut);
}

function describeFailure(test) {
  const messages = test.result().errors.map(({ message }) => message);
  return `${test.module.relativeModuleId} > ${test.fullName}\n${messages.join('\n')}`;
}

/** Milliseconds that a file took, with its imports. */
function fileTime(module) {
  const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
  return Math.round(duration + collectDuration + setupDuration + prepareDuration);
}

/** Passed and skipped tests; those that a name pattern leaves out are not skipped. */
function countTests(modules, countSkipped) {
  const counts = { passed: 0, skipped: 0, reasons: {} };
  const skip = reason => {
    counts.skipped++;
    counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
  };
  for (const test of modules.flatMap(module => [...module.children.allTests()])) {
    const { state, note } = test.result();
    if (state === 'passed') counts.passed++;
    else if (test.meta().leftOut || test.module.meta().leftOut) skip('the time box had ended');
    else if (state === 'skipped' && (countSkipped || note)) skip(note ?? `no reason is given: ${test.fullName}`);
  }
  return counts;
}

/** A file that cannot be loaded, or whose hooks fail, has no failed test and counts as one. */
function countFailures(module) {
  const failed = [...module.children.allTests('failed')].length;
  return failed === 0 && module.state() === 'failed' ? 1 : failed;
}
