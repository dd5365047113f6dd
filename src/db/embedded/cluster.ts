import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../../errors.ts';
import type { Binaries } from './binaries.ts';
import { writeWhole } from './files.ts';
import { serverEnvironment } from './server.ts';
import type { ServerDir } from './server-dir.ts';

const run = promisify(execFile);

/** Creates the cluster if there is none, and returns the password of its only role. */
export async function openCluster(
  dataDir: string,
  serverDir: ServerDir,
  binaries: Binaries,
  role: string,
  sync: boolean,
) {
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(serverDir.cluster)) {
    const password = randomBytes(24).toString('base64url');
    writeWhole(file, password, 0o600);
    await createCluster(serverDir, binaries, role, password, sync);
    return password;
  }
  const made = readFileSync(join(serverDir.cluster, 'PG_VERSION'), 'utf8').trim();
  const major = binaries.version.split('.')[0];
  if (made !== major) throw new UsageError(`${serverDir.cluster} was made by PostgreSQL ${made}, this is ${major}`);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`the password of the database in ${serverDir.cluster} cannot be read from ${file}`, { cause });
  }
}

/** Created in a temporary folder and renamed, so that an interrupted start leaves no partial cluster. */
async function createCluster(serverDir: ServerDir, binaries: Binaries, role: string, password: string, sync: boolean) {
  const temporary = `${serverDir.cluster}.new`;
  const passwordFile = join(serverDir.directory, 'password.new');
  rmSync(temporary, { recursive: true, force: true });
  writeOwned(passwordFile, password, serverDir);
  const options = [
    ['-D', temporary, '-U', role, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // The same collation on every machine, whatever its locales.
    ['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ['--no-instructions', ...(sync ? [] : ['--no-sync'])],
  ].flat();
  try {
    await run(join(binaries.directory, 'bin', 'initdb'), options, {
      ...serverDir.account,
      cwd: serverDir.directory,
      env: serverEnvironment,
    });
    appendFileSync(join(temporary, 'postgresql.conf'), "\ninclude_if_exists 'cairn.conf'\n");
    renameSync(temporary, serverDir.cluster);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw initFailure(error, serverDir.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** The error of `initdb` in words that say what to do, where the operator can do something. */
export function initFailure(error: unknown, cluster: string): Error {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === 'ENOENT') {
    return new UsageError('the PostgreSQL binaries do not run on this system (they need glibc): set DATABASE_URL', {
      cause: error,
    });
  }
  if (stderr?.includes('No space left on device') || code === 'ENOSPC') {
    return new UsageError(
      `the disk has no space for the database in ${cluster}: free at least 100 MB, or set CAIRN_DATA_DIR to a folder on another disk`,
      { cause: error },
    );
  }
  const lines = stderr
    ?.trim()
    .split('\n')
    .filter(line => line.includes('error') || line.includes('FATAL'));
  return new Error(`creating the database in ${cluster}: ${lines?.join('; ') || String(error)}`, { cause: error });
}

/** Writes a file that only the server's user can read. */
export function writeOwned(path: string, content: string, serverDir: ServerDir): void {
  writeFileSync(path, content, { mode: 0o600 });
  if (serverDir.account) chownSync(path, serverDir.account.uid, serverDir.account.gid);
}
