import { execFileSync } from 'node:child_process';

/** Whether a program that some tests need is on the PATH. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
