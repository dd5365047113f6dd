import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Account } from './account.ts';

/** sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero among them. */
const pathLimit = 103;

/** A folder where a unix socket can be made: the home, else a short one under the temporary folder, else none. */
export async function socketFolder(home: string, account: Account | undefined): Promise<string | undefined> {
  if (await canListen(home)) return home;
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const folder = temporaryFolder(parent, account);
    if (folder !== undefined && (await canListen(folder))) return folder;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
}

/** Removes a folder that `socketFolder` made outside the home. */
export function removeSocketFolder(folder: string | undefined, home: string): void {
  if (folder && folder !== home && basename(folder).startsWith('cairn-')) {
    rmSync(folder, { recursive: true, force: true });
  }
}

function temporaryFolder(parent: string, account: Account | undefined): string | undefined {
  try {
    const folder = mkdtempSync(join(parent, 'cairn-'));
    chmodSync(folder, 0o700);
    if (account) chownSync(folder, account.uid, account.gid);
    return folder;
  } catch {
    return undefined;
  }
}

/** Some file systems know no sockets, and a long path does not fit: trying is the only sure test. */
function canListen(folder: string): Promise<boolean> {
  const path = join(folder, '.s.PGSQL.probe');
  if (Buffer.byteLength(path) > pathLimit) return Promise.resolve(false);
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}
