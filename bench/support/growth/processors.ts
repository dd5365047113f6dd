import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { Pool } from '../../../src/db/client.ts';
import { serverOf } from '../usage.ts';

/**
 * Lets this process, the processes that it starts from now on, and the database server use only so many processors, until the
 * returned function is called. Needs `taskset`; what the machine does not have is refused.
 */
export async function limitProcessors(sql: Pool, count: number): Promise<() => void> {
  const all = cpus().length;
  if (count < 1 || count > all) throw new Error(`this machine has ${all} processors, not ${count}`);
  const server = await serverOf(sql);
  const assign = (processors: number) => {
    for (const pid of [process.pid, server]) {
      execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', `0-${processors - 1}`, String(pid)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
  };
  assign(count);
  return () => assign(all);
}
