import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type Account, canUse, serverAccount } from './account.ts';
import { writeWhole } from './files.ts';
import { killServer } from './server.ts';

/** Where one data folder keeps its server, and as whom it runs. */
export type Home = { directory: string; cluster: string; account: Account | undefined };

/** In a home elsewhere: which file names it, and on which device that file was. */
type Owner = { namedBy: string; device: number };

/** Folders that hold homes which cannot live in their data folder; the first is not emptied at boot. */
export const defaultShelters = ['/var/lib/cairn', join(tmpdir(), 'cairn')];

/** A data folder may be moved and then started again: what it left behind is not thrown away at once. */
const graceMs = 10 * 60_000;

/** Finds or creates the folder of the server: in the data folder, or elsewhere with a file in the data folder naming it. */
export function openHome(dataDir: string, shelters: string[]): Home {
  const naming = namingFile(dataDir);
  const inside = join(dataDir, 'postgres');
  const account = serverAccount();
  if (existsSync(naming)) return openElsewhere(naming);
  if (existsSync(inside)) return ownedHome(inside);
  if (!account || canUse(account, 'x', dataDir)) return createHome(inside, account);
  const home = createHome(join(openShelter(shelters, account), `cluster-${randomBytes(4).toString('hex')}`), account);
  claim(home.directory, naming);
  writeWhole(naming, home.directory, 0o644);
  return home;
}

/** The first shelter that can be created, is nobody else's to change, and that the account can enter. */
export function openShelter(shelters: string[], account: Account | undefined): string {
  for (const shelter of shelters) {
    try {
      mkdirSync(shelter, { recursive: true, mode: 0o755 });
      const { uid, mode } = lstatSync(shelter);
      // A folder of somebody else under a shared /tmp could be swapped under our feet.
      if (uid === process.getuid?.() && (mode & 0o022) === 0 && canUse(account, 'x', shelter)) return shelter;
    } catch {
      // the next one
    }
  }
  throw new UsageError(`no folder for PostgreSQL can be reached (tried ${shelters.join(', ')}): set DATABASE_URL`);
}

/** Removes the homes in the shelters whose data folder is gone. */
export async function removeOrphans(shelters: string[], now = Date.now()): Promise<string[]> {
  const removed: string[] = [];
  for (const shelter of shelters.filter(existsSync)) {
    for (const name of readdirSync(shelter).filter(entry => entry.startsWith('cluster-'))) {
      const directory = join(shelter, name);
      if (!isOrphan(directory, now)) continue;
      await killServer(join(directory, 'cluster'));
      rmSync(directory, { recursive: true, force: true });
      removed.push(directory);
    }
  }
  return removed;
}

/** Removes a stopped home elsewhere whose data folder is gone: it was ours, so there is nothing to wait for. */
export function removeUnnamed(home: Home, dataDir: string): void {
  const elsewhere = dirname(home.directory) !== dataDir;
  if (elsewhere && !existsSync(namingFile(dataDir))) rmSync(home.directory, { recursive: true, force: true });
}

function isOrphan(directory: string, now: number): boolean {
  const owner = readOwner(directory);
  if (!owner) return now - lastUse(directory) > graceMs; // never finished
  if (existsSync(owner.namedBy)) return readFileSync(owner.namedBy, 'utf8') !== directory;
  // An unmounted disk also makes the naming file disappear: then the nearest folder left is on another device.
  let ancestor = dirname(owner.namedBy);
  while (!existsSync(ancestor)) ancestor = dirname(ancestor);
  return statSync(ancestor).dev === owner.device && now - lastUse(directory) > graceMs;
}

/** The control file is written at each checkpoint and at shutdown. */
function lastUse(directory: string): number {
  const control = join(directory, 'cluster', 'global', 'pg_control');
  return statSync(existsSync(control) ? control : directory).mtimeMs;
}

function readOwner(directory: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function openElsewhere(naming: string): Home {
  const directory = readFileSync(naming, 'utf8');
  if (!existsSync(directory)) {
    throw new UsageError(`the database folder ${directory} is gone; to start with an empty database remove ${naming}`);
  }
  claim(directory, naming); // the data folder may have been moved
  return ownedHome(directory);
}

function claim(directory: string, namedBy: string): void {
  const owner: Owner = { namedBy, device: statSync(dirname(namedBy)).dev };
  writeWhole(join(directory, 'owner.json'), JSON.stringify(owner), 0o644);
}

function createHome(directory: string, account: Account | undefined): Home {
  mkdirSync(directory, { mode: 0o700 });
  if (account) chownSync(directory, account.uid, account.gid);
  return { directory, cluster: join(directory, 'cluster'), account };
}

/** An existing home keeps its owner: root can start what an ordinary user made, as that user. */
function ownedHome(directory: string): Home {
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

const namingFile = (dataDir: string) => join(dataDir, 'postgres.location');
