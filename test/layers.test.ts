import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

const below = ['codec', 'chain', 'node', 'db', 'compat', 'queries', 'schemas', 'cache', 'views'];
const parts = ['audit', 'ingest', 'api', 'realtime', 'rosetta', 'proxy', 'devnet'];

/** Each layer and the other layers it may import. */
const may: Record<string, string[]> = {
  codec: [],
  chain: ['codec'],
  node: ['chain', 'codec'],
  db: [],
  compat: [],
  queries: ['db', 'node', 'chain', 'codec', 'compat'],
  schemas: ['compat', 'queries', 'chain', 'codec'],
  cache: ['queries', 'db', 'chain', 'codec'],
  // Read the keys of a page, fill what is missing from a cache or a query, render.
  views: ['cache', 'compat', 'schemas', 'queries', 'db', 'node', 'chain', 'codec'],
  ingest: ['node', 'db', 'chain', 'codec'],
  // The audit reads the tables by itself: it must not trust the queries it checks.
  audit: ['db', 'chain', 'codec'],
  api: ['views', 'cache', 'compat', 'schemas', 'queries', 'db', 'chain', 'codec', 'node'],
  realtime: ['cache', 'schemas', 'queries', 'db', 'chain', 'codec'],
  rosetta: ['schemas', 'queries', 'db', 'chain', 'codec', 'node'],
  // The proxy responds from the index where no node does; its routes share the public shapes.
  proxy: ['schemas', 'queries', 'db', 'node', 'chain', 'codec'],
  devnet: ['node', 'chain', 'codec'],
  app: [...parts, ...below],
  commands: ['app', ...parts, ...below],
  main: ['commands'],
};

/** Importable by all; they import nothing but each other. */
const common = ['bare-answer', 'config', 'network', 'errors', 'log', 'metrics', 'pause', 'version'];

type Import = { from: string; to: string; line: string };

function listImports(): Import[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  return files.flatMap(file => {
    const text = readFileSync(join(source, file), 'utf8');
    const targets = [...text.matchAll(/(?:\bfrom|\bimport\(?|new URL\()\s*'(\.[^']*\.[jt]s)'/g)].map(
      match => match[1]!,
    );
    return targets.map(target => {
      const path = relative(source, join(source, dirname(file), target));
      return { from: layerOf(file), to: layerOf(path), line: `${file} imports ${path}` };
    });
  });
}

/** The first folder of a path inside src, or the name of a file that lies there itself. */
const layerOf = (path: string) => path.split('/')[0]!.replace(/\.[jt]s$/, '');

function isAllowed({ from, to }: Import): boolean {
  if (from === to || common.includes(to)) return true;
  return may[from]?.includes(to) ?? false;
}

test('every file belongs to a layer that has a rule', () => {
  const layers = readdirSync(source).map(layerOf);
  expect(layers.filter(layer => !(layer in may) && !common.includes(layer))).toEqual([]);
});

test('routes read through views, never through queries', () => {
  const direct = listImports().filter(({ line, to }) => line.startsWith('api/routes/') && to === 'queries');
  expect(direct.map(each => each.line)).toEqual([]);
});

test('imports point only to the layers below', () => {
  const imports = listImports();
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter(each => !isAllowed(each)).map(each => each.line)).toEqual([]);
});
