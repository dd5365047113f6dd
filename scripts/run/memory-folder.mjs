import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './lock.mjs';

const prefix = 'cairn-tests-';
/** What a run of tests may need there, and what must be left for the tests themselves. */
const usualNeeds = { folder: 4 * 2 ** 30, memory: 8 * 2 ** 30 };

/**
 * A folder for the temporary files of this process, in memory: databases cost a quarter of what they cost on a disk. Nothing
 * where the system has no such file system or too little of it, or where `TMPDIR` says what to use. Folders of processes that
 * were killed are removed.
 */
export function makeMemoryFolder({ at = '/dev/shm', chosen = process.env.TMPDIR, needed = usualNeeds } = {}) {
  if (chosen) return undefined;
  try {
    accessSync(at, constants.W_OK);
    const { bavail, bsize } = statfsSync(at);
    if (bavail * bsize < needed.folder || freemem() < needed.memory) return undefined;
  } catch {
    return undefined;
  }
  for (const name of readdirSync(at))
    if (isLeftOver(at, name)) rmSync(join(at, name), { recursive: true, force: true });
  const folder = join(at, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // As the usual one: databases of tests that root runs belong to another user.
  chmodSync(folder, 0o1777);
  return folder;
}

/** True if the process that made a folder has ended; those of other users are theirs. */
function isLeftOver(at, name) {
  if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) return false;
  return statSync(join(at, name), { throwIfNoEntry: false })?.uid === process.getuid();
}
