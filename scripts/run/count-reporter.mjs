import { writeFileSync } from 'node:fs';

/** A vitest reporter that writes the number of passed and failed tests to a file. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      let failures = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        if (state === 'failed') failures++;
      }
      // A file that cannot be loaded, or whose hooks fail, has no failed test.
      failed += failures === 0 && module.state() === 'failed' ? 1 : failures;
    }
    const file = process.env.CAIRN_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify({ passed, failed }));
  }
}
