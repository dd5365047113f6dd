import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the built explorer, with the variants that the build compressed. */
export type ExplorerFile = { type: string; plain: Buffer; br?: Buffer; gzip?: Buffer };

/** The built explorer: its two pages, and the files that they load by hashed names. */
export type ExplorerFiles = { page: ExplorerFile; docs: ExplorerFile; assets: ReadonlyMap<string, ExplorerFile> };

/** Beside `src` and `dist`, hence the same path from both. */
const explorerFolder = fileURLToPath(new URL('../../../explorer/dist', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Reads the built explorer into memory; undefined if it is not built. */
export function readExplorer(folder = explorerFolder): ExplorerFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter(name => extname(name) in types);
  return {
    page: readFile(folder, 'index.html'),
    docs: readFile(folder, 'docs.html'),
    assets: new Map(names.map(name => [name, readFile(assets, name)])),
  };
}

function readFile(folder: string, name: string): ExplorerFile {
  const read = (ending: string) => {
    const path = join(folder, name + ending);
    return existsSync(path) ? readFileSync(path) : undefined;
  };
  const [br, gzip] = [read('.br'), read('.gz')];
  return {
    type: types[extname(name)]!,
    plain: readFileSync(join(folder, name)),
    ...(br && { br }),
    ...(gzip && { gzip }),
  };
}
