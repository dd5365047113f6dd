import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './error.mjs';

/** Runs `work` while holding the lock of this clone; the lock of a dead process is removed. */
export async function withLock(path, work, { timeoutMs = 15 * 60_000, log = line => console.error(line) } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  const mine = identity(process.pid);
  const deadline = Date.now() + timeoutMs;
  let logged = false;
  for (;;) {
    writeFileSync(temporary, mine);
    try {
      linkSync(temporary, path);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw new CommandError(`Cannot take the lock ${path}: ${error.message}`);
    } finally {
      rmSync(temporary, { force: true });
    }
    const holder = read(path);
    if (holder === undefined) continue;
    if (!isAlive(holder)) removeStale(path, holder);
    else if (Date.now() > deadline) throw new CommandError(`Process ${holder} has held ${path} for too long`);
    else {
      if (!logged) log(`Waiting for another command in this folder (process ${holder.split(' ')[0]})…`);
      logged = true;
      await sleep(50);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Identifies a process by pid and, where available, start time, because pids are reused. */
function identity(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? String(pid) : `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}

/** True if there is a process with this pid, whoever it belongs to. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

const isAlive = holder => {
  const pid = Number.parseInt(holder, 10);
  return isRunning(pid) && identity(pid) === holder;
};

/** Removes a stale lock; restores it if another process acquired it in the meantime. */
function removeStale(path, holder) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    if (read(aside) !== holder) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
