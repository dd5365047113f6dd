import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../errors.ts';

/** The user of the PostgreSQL process; PostgreSQL does not run as root. */
export type Account = { uid: number; gid: number };

/** The unprivileged account to use, or undefined if this process can run PostgreSQL itself. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // The account needs a passwd entry, because initdb looks up its name.
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (!entry) {
    throw new UsageError(
      'PostgreSQL cannot run as root and there is no user nobody: run as another user or set DATABASE_URL',
    );
  }
  // macOS writes -2 for the kernel's 4294967294.
  return { uid: Number(entry[1]) >>> 0, gid: Number(entry[2]) >>> 0 };
}

/** True if the account can read (r), write (w) and enter or execute (x) a path, as tested by a process of that user. */
export function canUse(account: Account | undefined, mode: 'rx' | 'r' | 'x', path: string): boolean {
  const tests = [...mode].map(letter => `test -${letter} "$0"`).join(' && ');
  const probe = spawnSync('/bin/sh', ['-c', tests, path], { ...account, cwd: '/', stdio: 'ignore' });
  if (probe.error && 'code' in probe.error && probe.error.code === 'EPERM') {
    throw new UsageError('PostgreSQL cannot run as root and root may not change users here: set DATABASE_URL', {
      cause: probe.error,
    });
  }
  return probe.status === 0;
}
