import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Account } from './account.ts';

/** sun_path has 108 bytes on Linux and 104 on macOS, including the final zero. */
const pathLimit = 103;

const prefix = 'cairn-socket-';

const parents = () => [...new Set([tmpdir(), '/tmp'])];

/**
 * A folder for a unix socket: the server folder, else a short path under the temporary folder, else none. A short path that was used
 * before is used again, because clients expect the server there.
 */
export async function socketFolder(
  serverDir: string,
  account: Account | undefined,
  last?: string,
): Promise<string | undefined> {
  if (await canListen(serverDir)) return serverDir;
  const again = last !== undefined && isTemporary(last) ? [() => openFolder(last, account)] : [];
  for (const make of [...again, ...parents().map(parent => () => temporaryFolder(parent, account))]) {
    const folder = make();
    if (folder !== undefined && (await canListen(folder))) return folder;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
}

/** Removes remaining sockets of a server: a lock file that names a zombie would prevent the next start. */
export function removeSockets(folder: string | undefined, serverDir: string): void {
  if (folder && isTemporary(folder)) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(serverDir)) return;
  for (const name of readdirSync(serverDir).filter(entry => entry.startsWith('.s.PGSQL.')))
    rmSync(join(serverDir, name));
}

const isTemporary = (folder: string) =>
  parents().some(parent => folder.startsWith(join(parent, prefix)) && dirname(folder) === parent);

/** Creates a folder of that name; undefined if another user has one. */
function openFolder(path: string, account: Account | undefined): string | undefined {
  try {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  } catch {
    return undefined;
  }
}

function temporaryFolder(parent: string, account: Account | undefined): string | undefined {
  try {
    const folder = mkdtempSync(join(parent, prefix));
    chmodSync(folder, 0o700);
    if (account) chownSync(folder, account.uid, account.gid);
    return folder;
  } catch {
    return undefined;
  }
}

/** Some file systems do not support sockets, and long paths do not fit: only a test shows it. */
function canListen(folder: string): Promise<boolean> {
  const path = join(folder, '.s.PGSQL.probe');
  if (Buffer.byteLength(path) > pathLimit) return Promise.resolve(false);
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}
