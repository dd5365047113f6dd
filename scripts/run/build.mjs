import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { run } from './child-process.mjs';
import { CommandError } from './error.mjs';
import { withLock } from './lock.mjs';

/** Packages of this project, each after those that it uses: their types are read as built. */
export const packages = ['codec', 'devnet', 'client'];

/** Compiles the packages and the service, each into its folder dist, unless that is up to date. */
export async function ensureBuilt(root, { types = false } = {}) {
  await ensurePackages(root, { types });
  await ensureCompiled(root, {
    config: 'tsconfig.build.json',
    folders: ['src'],
    rootDir: 'src',
    output: 'dist',
    types,
  });
}

/** Compiles the packages alone. */
export async function ensurePackages(root, { types = false } = {}) {
  for (const name of packages) {
    const folder = `packages/${name}`;
    if (!existsSync(join(root, folder))) continue;
    await ensureCompiled(root, {
      config: `${folder}/tsconfig.json`,
      folders: [`${folder}/src`],
      rootDir: `${folder}/src`,
      output: `${folder}/dist`,
      types,
    });
  }
}

/**
 * Compiles folders of TypeScript and copies their other files. Types are checked only with `types`, so that the start
 * is fast. The output is replaced in one step, and a lock makes concurrent commands wait.
 */
export async function ensureCompiled(root, { config, folders, rootDir, output, types = false }) {
  const current = () => !types && isCurrent(root, folders, output);
  if (current()) return;
  await withLock(join(root, '.run', 'lock'), async () => {
    if (current()) return;
    console.error(`Building ${output}…`);
    const hash = inputHash(root, folders);
    const temporary = join(root, '.run', `build-${process.pid}`);
    try {
      await compile(root, config, temporary, types);
      copyAssets(root, folders, rootDir, temporary);
      writeFileSync(join(temporary, '.stamp'), hash);
      swap(temporary, join(root, output));
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  });
}

export function isCurrent(root, folders, output) {
  const stamp = join(root, output, '.stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === inputHash(root, folders);
}

/** Hashes content: a checkout changes file times, and a removed file has none. */
export function inputHash(root, folders) {
  const hash = createHash('sha256');
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const files = [
    ...settings.map(name => join(root, name)),
    ...folders.flatMap(folder => listFiles(join(root, folder))),
  ];
  for (const file of files) {
    if (existsSync(file))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}

async function compile(root, config, output, types) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['-p', join(root, config), '--outDir', output, ...(types ? [] : ['--noCheck'])];
  const code = await run(process.execPath, [tsc, ...options], { cwd: root, stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new CommandError('The build failed: see the errors above');
}

/** Copies migrations, pages and other files that the program reads. */
function copyAssets(root, folders, rootDir, output) {
  for (const file of folders.flatMap(folder => listFiles(join(root, folder)))) {
    if (!file.endsWith('.ts')) cpSync(file, join(output, relative(join(root, rootDir), file)));
  }
}

function swap(temporary, output) {
  const old = `${temporary}.old`;
  mkdirSync(dirname(output), { recursive: true });
  if (existsSync(output)) renameSync(output, old);
  renameSync(temporary, output);
  rmSync(old, { recursive: true, force: true });
}

export function listFiles(directory) {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap(entry => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
