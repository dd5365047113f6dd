import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { CommandError } from './error.mjs';
import { withLock } from './lock.mjs';

/** Installs the packages of package-lock.json unless they are installed. */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  await withLock(join(root, '.run', 'lock'), async () => {
    if (isInstalled(root)) return; // installed by the command that held the lock
    if (!matchesLock(root)) await install(root);
    writeFileSync(stampFile(root), stamp(root));
  });
}

/** Installs the browser that tests drive. It has a lock file of its own, so that `npm start` does not download it. */
export const ensureBrowser = root => ensureBeside(join(root, 'test', 'explorer'));

/** Installs the S3 server of the tests of snapshots, for the same reason with a lock file of its own. */
export const ensureS3Server = root => ensureBeside(join(root, 'test', 'snapshot'));

async function ensureBeside(folder) {
  if (existsSync(join(folder, 'package-lock.json'))) await ensureInstalled(folder);
}

export const isInstalled = root => read(stampFile(root)) === stamp(root);

const stampFile = root => join(root, 'node_modules', '.install-stamp');

/** Changes with the lock file and with the platform, which decides the binaries that npm installs. */
export function stamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const machine = `${process.platform} ${process.arch} ${process.versions.modules}`;
  return `${createHash('sha256').update(lock).digest('hex')} ${machine}`;
}

/** True if npm has already installed what the lock file lists, so that a manual `npm ci` is not repeated. */
export function matchesLock(root) {
  const found = read(join(root, 'node_modules', '.package-lock.json'));
  if (found === undefined) return false;
  const installed = JSON.parse(found).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const other = installed[path];
    return other ? other.version === version && existsSync(join(root, path)) : optional === true;
  });
}

async function install(root) {
  console.error('Installing dependencies (first run or lock file changed)…');
  // No package needs its install script. Compiling needs the dev packages in production too.
  const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const [command, ...first] = npmCommand();
  const code = await run(command, [...first, 'ci', ...options, '--loglevel=error'], {
    cwd: root,
    env: { ...process.env, ...npmCache() },
    stdio: ['ignore', 2, 2], // standard output belongs to the command
  });
  if (code !== 0)
    throw new CommandError(`npm ci failed with code ${code}: it needs network access once, to download packages`);
}

/** The npm that started this process, else the one on the PATH. */
function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli && /npm-cli\.[cm]?js$/.test(cli) && existsSync(cli) ? [process.execPath, cli] : ['npm'];
}

/** Uses a cache in the temporary folder if the home folder is not writable. */
export function npmCache(env = process.env) {
  const cache = env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(join(cache, '_cacache', 'tmp'), { recursive: true });
    accessSync(join(cache, '_cacache', 'tmp'), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(tmpdir(), `cairn-npm-${process.getuid?.() ?? 0}`) };
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
