import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type Account, canUse, serverAccount } from './account.ts';
import { readText, writeWhole } from './files.ts';

/** The server folder of one data folder, and the account that runs it. */
export type ServerDir = { directory: string; cluster: string; account: Account | undefined };

/** In a server folder outside its data folder: the file that names it. */
type Owner = { namedBy: string };

/** Folders for server folders that cannot be in their data folder; the first is not emptied at boot. */
export const defaultFallbackDirs = ['/var/lib/cairn', join(tmpdir(), 'cairn')];

/** Finds or creates the server folder: in the data folder, or elsewhere with a file in the data folder that names it. */
export function openServerDir(dataDir: string, fallbackDirs: string[]): ServerDir {
  const inside = join(dataDir, 'postgres');
  const account = serverAccount();
  if (existsSync(namingFile(dataDir))) return openElsewhere(dataDir, fallbackDirs);
  if (existsSync(inside)) {
    shareId(dataDir, inside);
    return ownedServerDir(inside);
  }
  const lost = readText(idFile(dataDir));
  if (lost !== undefined) {
    throw new UsageError(
      `the database of ${dataDir} (id ${lost}) is gone; to start with an empty database remove ${idFile(dataDir)}`,
    );
  }
  if (!account || canUse(account, 'x', dataDir)) {
    const serverDir = createServerDir(inside, account);
    shareId(dataDir, inside);
    return serverDir;
  }
  const serverDir = createServerDir(join(openFallbackDir(fallbackDirs, account), `${dirPrefix}${newId()}`), account);
  writeOwner(serverDir.directory, dataDir);
  shareId(dataDir, serverDir.directory);
  writeWhole(namingFile(dataDir), serverDir.directory, 0o644);
  return serverDir;
}

/** The first fallback folder that can be created, that no other user can change, and that the account can enter. */
export function openFallbackDir(fallbackDirs: string[], account: Account | undefined): string {
  for (const fallbackDir of fallbackDirs) {
    try {
      mkdirSync(fallbackDir, { recursive: true, mode: 0o755 });
      const { uid, mode } = lstatSync(fallbackDir);
      // A folder of another user under a shared /tmp could be replaced at any time.
      if (uid === process.getuid?.() && (mode & 0o022) === 0 && canUse(account, 'x', fallbackDir)) return fallbackDir;
    } catch {
      // the next one
    }
  }
  throw new UsageError(`no folder for PostgreSQL can be reached (tried ${fallbackDirs.join(', ')}): set DATABASE_URL`);
}

/** The folders in the fallback folders with a server, complete or not. */
export function listServerDirs(fallbackDirs: string[]): string[] {
  return fallbackDirs
    .filter(existsSync)
    .flatMap(fallbackDir => readdirSync(fallbackDir).map(name => join(fallbackDir, name)))
    .filter(path => path.slice(dirname(path).length + 1).startsWith(dirPrefix));
}

/** The id that a server folder shares with its data folder; server folders of earlier versions have it in their name. */
export function readServerId(directory: string): string | undefined {
  return readText(join(directory, 'id')) ?? directory.split(`/${dirPrefix}`)[1];
}

/** The data folder that used a server folder last, and whether it still names it. */
export function readOwner(directory: string): { dataDir: string; names: boolean } | undefined {
  const text = readText(join(directory, 'owner.json'));
  if (text === undefined) return undefined;
  const { namedBy } = JSON.parse(text) as Owner;
  return { dataDir: dirname(namedBy), names: readText(namedBy) === directory };
}

const dirPrefix = 'cluster-';

const newId = () => randomBytes(8).toString('hex');

const namingFile = (dataDir: string) => join(dataDir, 'postgres.location');

const idFile = (dataDir: string) => join(dataDir, 'postgres.id');

/** Gives data folder and server folder the same id, so that neither is ever paired with another one. */
function shareId(dataDir: string, directory: string): void {
  const expected = readText(idFile(dataDir));
  const found = readServerId(directory);
  if (expected !== undefined && found !== undefined && expected !== found) {
    throw new UsageError(
      `the database in ${directory} (id ${found}) is that of another data folder: ${dataDir} has the id ${expected}`,
    );
  }
  const id = expected ?? found ?? newId();
  const own = join(directory, 'id');
  if (readText(own) === undefined) writeWhole(own, id, 0o644);
  if (expected === undefined) writeWhole(idFile(dataDir), id, 0o644);
}

function openElsewhere(dataDir: string, fallbackDirs: string[]): ServerDir {
  const naming = namingFile(dataDir);
  const named = readFileSync(naming, 'utf8').trim();
  const directory = existsSync(named) ? named : findMoved(dataDir, fallbackDirs);
  if (directory === undefined) {
    throw new UsageError(
      `the database folder ${named} is gone; to start with an empty database remove ${naming} and ${idFile(dataDir)}`,
    );
  }
  const owner = readOwner(directory);
  if (owner?.names && owner.dataDir !== dataDir) {
    throw new UsageError(
      `the database in ${directory} belongs to the data folder ${owner.dataDir}: ` +
        `copy the database as well and name the copy in ${naming}, or remove ${naming} and ${idFile(dataDir)}`,
    );
  }
  shareId(dataDir, directory);
  writeOwner(directory, dataDir); // the data folder may have been moved
  if (directory !== named) writeWhole(naming, directory, 0o644);
  return ownedServerDir(directory);
}

/** A server folder that was moved to another fallback folder and that no other data folder names. */
function findMoved(dataDir: string, fallbackDirs: string[]): string | undefined {
  const id = readText(idFile(dataDir));
  if (id === undefined) return undefined;
  const found = listServerDirs(fallbackDirs).filter(
    directory => readServerId(directory) === id && !readOwner(directory)?.names,
  );
  return found.length === 1 ? found[0] : undefined;
}

function writeOwner(directory: string, dataDir: string): void {
  const owner: Owner = { namedBy: namingFile(dataDir) };
  writeWhole(join(directory, 'owner.json'), JSON.stringify(owner), 0o644);
}

function createServerDir(directory: string, account: Account | undefined): ServerDir {
  mkdirSync(directory, { mode: 0o700 });
  if (account) chownSync(directory, account.uid, account.gid);
  return { directory, cluster: join(directory, 'cluster'), account };
}

/** An existing server folder keeps its owner: root starts the server of an ordinary user as that user. */
function ownedServerDir(directory: string): ServerDir {
  const { uid, gid } = statSync(directory);
  const self = process.getuid?.();
  if (self !== 0 && uid !== self) {
    throw new UsageError(
      `${directory} belongs to another user: run as that user, or set CAIRN_DATA_DIR to a new folder`,
    );
  }
  const account = self === 0 ? { uid, gid } : undefined;
  if (account && !canUse(account, 'x', directory)) {
    throw new UsageError(`${directory} cannot be reached by its owner (uid ${uid}): open the folders above it`);
  }
  return { directory, cluster: join(directory, 'cluster'), account };
}
