import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { usualSeconds } from './long-files.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The time box ended before this file or test began, or before it ended. */
    leftOut?: boolean;
  }
}

/** Read each time: a test of this file sets it. */
const msLeft = () => Number(process.env.CAIRN_TEST_END ?? Number.POSITIVE_INFINITY) - Date.now();

/**
 * Holds the time box of `--minutes`. A file begins only if the time that it usually takes is left. What runs when the box ends
 * is given up, and what has not begun is left out; both are named and counted as skipped, so that no run takes longer.
 */
export default class TimeBoxRunner extends TestRunner {
  onBeforeRunFiles(files: RunnerTestFile[]): void {
    for (const file of files) {
      if (msLeft() > usualSeconds(file.name) * 1000) continue;
      file.meta.leftOut = true;
      skip(file);
    }
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (msLeft() > 0 || test.mode !== 'run') return;
    test.meta.leftOut = true;
    test.mode = 'skip';
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const work = Promise.resolve(TestRunner.getTestFn(test)());
    const ms = msLeft();
    if (!Number.isFinite(ms)) return await work;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<'over'>(resolve => {
      timer = setTimeout(resolve, ms, 'over');
    });
    const first = await Promise.race([work, over]).finally(() => clearTimeout(timer));
    if (first !== 'over') return;
    work.catch(() => {}); // what it says after it was given up
    test.meta.leftOut = true;
    test.context.skip();
  }
}

function skip(task: RunnerTask): void {
  task.mode = 'skip';
  if ('tasks' in task) task.tasks.forEach(skip);
}
