import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Identifies a process uniquely: pids are reused, especially in a restarted container. */
export function processIdentity(pid: number): string | undefined {
  try {
    // Field 22 is the start time; the name in parentheses may contain spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return `${pid} ${started.trim()}`;
  } catch {
    return undefined;
  }
}

/** True if the process with this identity is alive. */
export function isAlive(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  return pid > 0 && processIdentity(pid) === identity.trim();
}

/** Runs `work` while holding the lock file; the lock of a dead process is removed. */
export async function withLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const mine = `${processIdentity(process.pid)}`;
  const temporary = `${path}.${process.pid}`;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    writeFileSync(temporary, mine, { mode: 0o600 });
    try {
      linkSync(temporary, path); // appears with its content or not at all
      break;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw new Error(`taking the lock ${path}`, { cause: error });
    } finally {
      rmSync(temporary, { force: true });
    }
    const holder = read(path);
    if (holder !== undefined && !isAlive(holder)) breakLock(path, holder);
    else if (Date.now() > deadline) throw new Error(`another process (${holder}) holds ${path}`);
    else await sleep(20);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Removes the lock of a dead holder; restores it if another process acquired it in the meantime. */
function breakLock(path: string, holder: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    if (read(aside) !== holder) linkSync(aside, path);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** True if a file-system error has this code. */
export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
