import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

const below = ['codec', 'chain', 'node', 'db', 'compat', 'cache', 'http', 'read'];
const parts = ['audit', 'ingest', 'metadata', 'api', 'realtime', 'stream', 'mcp', 'rosetta', 'proxy', 'devnet'];

/** Each layer and the other layers it may import. */
const may: Record<string, string[]> = {
  codec: [],
  chain: ['codec'],
  node: ['chain', 'codec'],
  db: [],
  compat: [],
  cache: ['db', 'chain', 'codec'],
  // What happens to every request, whatever it asks for.
  http: ['cache', 'compat', 'db', 'chain', 'codec'],
  // One folder for each noun: its routes, schemas with their renderers, and queries.
  read: ['http', 'cache', 'compat', 'db', 'node', 'chain', 'codec'],
  ingest: ['node', 'db', 'chain', 'codec'],
  // The audit reads the tables by itself: it must not trust the queries it checks.
  audit: ['db', 'chain', 'codec'],
  // A background worker with its own tables: it reads those of the fold and calls contracts through nodes.
  metadata: ['cache', 'node', 'db', 'chain', 'codec'],
  // Tools for language models: they read the API as a client does.
  mcp: ['read'],
  api: ['mcp', 'stream', 'read', 'http', 'cache', 'compat', 'db', 'chain', 'codec', 'node'],
  realtime: ['read', 'http', 'cache', 'db', 'chain', 'codec'],
  // What follows a position of the chain, as Server-Sent Events and as pages.
  stream: ['read', 'http', 'db', 'chain', 'codec'],
  rosetta: ['read', 'http', 'db', 'chain', 'codec', 'node'],
  // The proxy responds from the index where no node does; its routes share the public shapes.
  proxy: ['read', 'http', 'cache', 'db', 'node', 'chain', 'codec'],
  devnet: ['node', 'chain', 'codec'],
  app: [...parts, ...below],
  commands: ['app', ...parts, ...below],
  main: ['commands'],
};

/** Importable by all; they import nothing but each other. */
const common = ['config', 'network', 'errors', 'listen', 'log', 'metrics', 'pause'];

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

test('imports point only to the layers below', () => {
  const imports = listImports();
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter(each => !isAllowed(each)).map(each => each.line)).toEqual([]);
});

const root = join(source, '..');

/** Layers in backquotes in a sentence of the page of a folder. */
function layersIn(page: string, sentence: RegExp): string[] {
  const text = sentence.exec(readFileSync(join(root, 'docs/folders', page), 'utf8'))?.[1] ?? '';
  return [...text.matchAll(/`(\w+)`/g)].map(match => match[1]!).filter(name => name in may);
}

const pages = Object.keys(may).filter(
  layer => existsSync(join(root, 'docs/folders', `${layer}.md`)) && layer !== 'app',
);

test.each(pages)('the page of %s names what it may import and what imports it', layer => {
  expect(layersIn(`${layer}.md`, /\*\*May import\.\*\*([\s\S]*?)\*\*Imported by/).sort()).toEqual(
    [...may[layer]!].sort(),
  );
  const importers = new Set(listImports().flatMap(({ from, to }) => (to === layer && from !== layer ? [from] : [])));
  const named = layersIn(`${layer}.md`, /\*\*Imported by\.\*\*([\s\S]*?)(?:\.|\n\n)/);
  if (named.length > 0) expect(named.sort()).toEqual([...importers].sort());
});

test('each layer line of CONTRIBUTING is there once, and its arrows are allowed', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const lines = /## Where code goes[\s\S]*?```\n([\s\S]*?)```/.exec(text)![1]!.trim().split('\n');
  expect(lines.filter(line => !line.startsWith('explorer')).length).toBeGreaterThan(3);
  const steps = lines
    .filter(line => !line.startsWith('explorer'))
    .flatMap(line => {
      const groups = line.split('→').map(group => group.split(/[|,]/).map(name => name.trim()));
      return groups.slice(1).flatMap((group, i) => groups[i]!.flatMap(from => group.map(to => `${from} → ${to}`)));
    });
  expect(new Set(lines).size).toBe(lines.length);
  const allowed = (step: string) => may[step.split(' ')[0]!]?.includes(step.split(' ')[2]!) ?? false;
  expect([...new Set(steps)].filter(step => !allowed(step))).toEqual([]);
});

/** Each file of src and the files that it imports by a relative path; type-only imports count. */
function readImports(): Map<string, string[]> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const known = new Set(files);
  const imports = files.map((file): [string, string[]] => {
    const text = readFileSync(join(source, file), 'utf8');
    const targets = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']*)\.[jt]s'/g)];
    return [file, targets.map(match => `${join(dirname(file), match[1]!)}.ts`).filter(target => known.has(target))];
  });
  return new Map(imports);
}

/** The strongly connected components of more than one file (Tarjan), each sorted by name. */
function findCircles(imports: Map<string, string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1 || imports.get(file)?.includes(file)) circles.push(component.sort());
  };

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

test('a circle of imports is found and its files are named', () => {
  const imports = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['a.ts', 'd.ts']],
    ['d.ts', []],
    ['e.ts', ['e.ts', 'a.ts']],
  ]);
  expect(findCircles(imports)).toEqual([['a.ts', 'b.ts', 'c.ts'], ['e.ts']]);
});

test('no files of src import each other in a circle, type-only imports included', () => {
  const imports = readImports();
  expect([...imports.values()].flat().length).toBeGreaterThan(0);
  expect(findCircles(imports)).toEqual([]);
});

test('the explorer knows the service only through its public documents', () => {
  const explorer = fileURLToPath(new URL('../explorer', import.meta.url));
  const paths = readdirSync(explorer, { recursive: true, encoding: 'utf8' }).filter(path => !/^dist(\/|$)/.test(path));
  const files = paths.filter(path => /\.tsx?$/.test(path));
  const leaving = files.flatMap(file => {
    const text = readFileSync(join(explorer, file), 'utf8');
    const targets = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']*)'/g)].map(match => match[1]!);
    return targets
      .map(target => relative(explorer, join(explorer, dirname(file), target)))
      .filter(target => target.startsWith('..') && target !== '../docs/asyncapi.json?url')
      .map(target => `${file} imports ${target}`);
  });
  expect(files.length).toBeGreaterThan(50);
  expect(leaving).toEqual([]);
});
