import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { listFiles } from './build.mjs';
import { CommandError } from './error.mjs';
import { withLock } from './lock.mjs';

const compressed = new Set(['.css', '.html', '.js', '.json', '.svg']);
/** Compressing more costs seconds for files of this size and gains little. */
const LARGE = 300_000;

/** Builds the explorer into explorer/dist unless that is up to date. A project without an explorer builds nothing. */
export async function ensureExplorer(root) {
  const source = join(root, 'explorer');
  const output = join(source, 'dist');
  const current = () => readStamp(output) === inputHash(root);
  if (!existsSync(join(source, 'index.html')) || current()) return;
  await withLock(join(root, '.run', 'lock'), async () => {
    if (current()) return;
    console.error('Building explorer/dist…');
    const hash = inputHash(root);
    const temporary = join(root, '.run', `explorer-${process.pid}`);
    try {
      await bundle(root, temporary);
      await compressAll(temporary);
      writeFileSync(join(temporary, '.stamp'), hash);
      rmSync(output, { recursive: true, force: true });
      renameSync(temporary, output);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  });
}

async function bundle(root, output) {
  const { build } = await import('vite');
  const { default: config } = await import(join(root, 'explorer', 'vite.config.mjs'));
  try {
    await build({ ...config, build: { ...config.build, outDir: output, emptyOutDir: true } });
  } catch (error) {
    throw new CommandError(`The explorer could not be built: ${error.message}`);
  }
}

/** Writes a gzip and a brotli variant beside each text, so that the server compresses nothing. */
async function compressAll(folder) {
  const files = listFiles(folder).filter(file => compressed.has(extname(file)));
  await Promise.all(
    files.map(async file => {
      const content = readFileSync(file);
      const quality = content.length > LARGE ? 5 : 11;
      const options = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, options),
        promisify(gzip)(content, { level: 9 }),
      ]);
      writeFileSync(`${file}.br`, br);
      writeFileSync(`${file}.gz`, gz);
    }),
  );
}

function readStamp(output) {
  const file = join(output, '.stamp');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Hashes what the output depends on: the sources and the versions of the packages. */
function inputHash(root) {
  const source = join(root, 'explorer');
  const hash = createHash('sha256');
  const files = [
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'run', 'explorer.mjs'),
    ...listFiles(join(root, 'packages', 'codec', 'src')),
    ...listFiles(join(root, 'docs', 'guides')),
    join(root, 'docs', 'asyncapi.json'),
    ...listFiles(source).filter(file => !file.startsWith(join(source, 'dist', '/'))),
  ];
  for (const file of files) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
