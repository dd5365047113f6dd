import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './files.ts';
import { isAlive, processIdentity } from './lock.ts';

let count = 0;

/** Registers this process as a user of the server of a data folder; the returned function ends that. */
export function register(dataDir: string): () => void {
  const folder = usersFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}-${count++}`);
  writeWhole(file, `${processIdentity(process.pid)}`, 0o644);
  return () => rmSync(file, { force: true });
}

/** Number of living users of the server; entries of dead processes are removed. */
export function liveUsers(dataDir: string): number {
  const folder = usersFolder(dataDir);
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder).map(name => join(folder, name));
  const dead = files.filter(file => !isAlive(readFileSync(file, 'utf8')));
  for (const file of dead) rmSync(file, { force: true });
  return files.length - dead.length;
}

const usersFolder = (dataDir: string) => join(dataDir, 'postgres.users');
