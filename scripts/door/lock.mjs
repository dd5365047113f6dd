import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DoorError } from './error.mjs';

/** Runs `work` while no other command of this clone holds the lock; that of a dead process is taken over. */
export async function withLock(path, work, { timeoutMs = 15 * 60_000, say = line => console.error(line) } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  const mine = identity(process.pid);
  const deadline = Date.now() + timeoutMs;
  let said = false;
  for (;;) {
    writeFileSync(draft, mine);
    try {
      linkSync(draft, path);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw new DoorError(`Cannot take the lock ${path}: ${error.message}`);
    } finally {
      rmSync(draft, { force: true });
    }
    const holder = read(path);
    if (holder === undefined) continue;
    if (!isAlive(holder)) takeAway(path, holder);
    else if (Date.now() > deadline) throw new DoorError(`Process ${holder} has held ${path} for too long`);
    else {
      if (!said) say(`Waiting for another command in this folder (process ${holder.split(' ')[0]})…`);
      said = true;
      await sleep(50);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** A process by its pid and start time, where the system tells: pids are used again. */
function identity(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? String(pid) : `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}

function isAlive(holder) {
  const pid = Number.parseInt(holder, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return identity(pid) === holder;
}

/** Another process may have been quicker and hold it now: then it goes back. */
function takeAway(path, holder) {
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
