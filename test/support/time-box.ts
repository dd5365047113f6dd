import { type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The file began after the end of the time box and was left out. */
    leftOut?: boolean;
  }
}

/** Leaves out each file that begins after the end of the time box; what has begun comes to its end. */
export default class TimeBoxRunner extends TestRunner {
  onBeforeRunFiles(files: RunnerTestFile[]): void {
    const end = Number(process.env.CAIRN_TEST_END ?? Number.POSITIVE_INFINITY);
    if (Date.now() < end) return;
    for (const file of files) {
      file.meta.leftOut = true;
      skip(file);
    }
  }
}

function skip(task: RunnerTask): void {
  task.mode = 'skip';
  if ('tasks' in task) task.tasks.forEach(skip);
}
