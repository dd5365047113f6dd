import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

const below = ['codec', 'chain', 'node', 'db', 'compat', 'cache', 'http', 'read'];
const parts = [
  ...[
    'audit',
    'ingest',
    'metadata',
    'bitcoin',
    'webhooks',
    'publish',
    'chainhooks',
    'outbound',
    'api',
    'realtime',
    'stream',
    'mcp',
    'rosetta',
    'proxy',
  ],
  'devnet',
];

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
  metadata: ['outbound', 'cache', 'node', 'db', 'chain', 'codec'],
  // Another one: it asks Emily and a Bitcoin node about the outputs of sBTC.
  bitcoin: ['node', 'db', 'chain', 'codec'],
  // Requests to URLs that others chose: which addresses may be connected to.
  outbound: [],
  // One more reader of the streams: it calls URLs with what follows a position.
  webhooks: ['stream', 'outbound', 'db', 'chain'],
  // Another one: it publishes what follows to a message broker.
  publish: ['stream', 'db', 'chain'],
  // Webhooks with the definitions and payloads of Chainhook 1.x and 2.0.
  chainhooks: ['webhooks', 'stream', 'read', 'db', 'chain', 'codec'],
  // Tools for language models: they read the API as a client does.
  mcp: ['read'],
  api: ['chainhooks', 'webhooks', 'mcp', 'stream', 'read', 'http', 'cache', 'compat', 'db', 'chain', 'codec', 'node'],
  realtime: ['stream', 'read', 'http', 'cache', 'db', 'chain', 'codec'],
  // What follows a position of the chain, as Server-Sent Events and as pages.
  stream: ['read', 'http', 'cache', 'db', 'chain', 'codec'],
  rosetta: ['read', 'http', 'db', 'chain', 'codec', 'node'],
  // The proxy responds from the index where no node does; its routes share the public shapes.
  proxy: ['read', 'http', 'cache', 'db', 'node', 'chain', 'codec'],
  // A package: another service could use it as it is.
  devnet: ['codec'],
  app: [...parts, ...below],
  commands: ['app', ...parts, ...below],
  main: ['commands'],
  // The entry `cairn-stacks/devnet` of the package.
  'test-devnet': ['commands', 'app', ...parts, ...below],
  // Knows the service only through its public documents.
  explorer: ['codec'],
};

/** Layers that are packages or folders of their own, beside `src`. */
const folders: Record<string, string> = {
  codec: 'packages/codec/src',
  devnet: 'packages/devnet/src',
  explorer: 'explorer',
};

/** Importable by all of `src`; they import nothing but each other, and the packages. */
const common = ['config', 'errors', 'listen', 'log', 'metrics', 'pause'];

const isSource = (file: string) => /\.tsx?$/.test(file) && !/^(dist|node_modules)\//.test(file);

/** Every file of the service, the packages and the explorer, by its path in the project. */
const files = ['src', ...Object.values(folders)].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map(file => `${folder}/${file}`),
);
const known = new Set(files);

/** The file that an import names, by its path in the project; undefined for other packages. */
function targetOf(file: string, specifier: string): string | undefined {
  const [, name, path = 'index'] = /^@cairn-stacks\/(\w+)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (name !== undefined) return `${folders[name]}/${path}.ts`;
  if (specifier === '#hash') return `${folders.codec}/hash.ts`;
  if (!specifier.startsWith('.')) return undefined;
  const target = join(dirname(file), specifier);
  return known.has(target) ? target : target.replace(/\.js$/, '.ts');
}

/** Each file and the files that it imports; type-only imports count. */
function readImports(pattern: RegExp): Map<string, string[]> {
  return new Map(
    files.map(file => {
      const text = readFileSync(join(root, file), 'utf8');
      const targets = [...text.matchAll(pattern)].map(match => targetOf(file, match[1]!));
      return [file, targets.filter(target => target !== undefined)];
    }),
  );
}

const imported = readImports(/(?:\bfrom|\bimport\(?)\s*'([^']*)'/g);

type Import = { from: string; to: string; line: string };

/** All imports with their layers, and the files that are started as threads. */
function listImports(): Import[] {
  const all = readImports(/(?:\bfrom|\bimport\(?|new URL\()\s*'([^']*)'/g);
  return [...all].flatMap(([file, targets]) =>
    targets
      .filter(target => isSource(target))
      .map(target => ({ from: layerOf(file), to: layerOf(target), line: `${file} imports ${target}` })),
  );
}

/** The package of a path; inside src its first folder, or the name of a file that lies there itself. */
function layerOf(path: string): string {
  const own = Object.entries(folders).find(([, folder]) => path.startsWith(`${folder}/`));
  return own?.[0] ?? path.split('/')[1]!.replace(/\.ts$/, '');
}

function isAllowed({ from, to }: Import): boolean {
  if (from === to || (common.includes(to) && !(from in folders))) return true;
  if (common.includes(from)) return to === 'codec';
  return may[from]?.includes(to) ?? false;
}

test('every file belongs to a layer that has a rule', () => {
  const layers = readdirSync(source).map(name => layerOf(`src/${name}`));
  expect(layers.filter(layer => !(layer in may) && !common.includes(layer))).toEqual([]);
});

test('imports point only to the layers below', () => {
  const imports = listImports();
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter(each => !isAllowed(each)).map(each => each.line)).toEqual([]);
});

/** Layers in backquotes in a sentence of the page of a folder. */
function layersIn(page: string, sentence: RegExp): string[] {
  const text = sentence.exec(readFileSync(join(root, 'docs/folders', page), 'utf8'))?.[1] ?? '';
  return [...text.matchAll(/`([\w-]+)`/g)].map(match => match[1]!).filter(name => name in may);
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

test('no files import each other in a circle, in src, the packages and the explorer; type-only imports count', () => {
  for (const folder of ['src', ...Object.values(folders)]) {
    const targets = [...imported].flatMap(([file, all]) => (file.startsWith(folder) ? all : []));
    expect([folder, targets.length > 50]).toEqual([folder, true]);
  }
  expect(findCircles(imported)).toEqual([]);
});

test('the packages and the explorer import nothing outside themselves by a path', () => {
  const leaving = Object.values(folders).flatMap(folder =>
    files
      .filter(file => file.startsWith(`${folder}/`))
      .flatMap(file => {
        const text = readFileSync(join(root, file), 'utf8');
        const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?|new URL\()\s*'(\.[^']*)'/g)].map(match => match[1]!);
        return paths
          .map(path => relative(folder, join(dirname(file), path)))
          .filter(path => path.startsWith('..'))
          .map(path => `${file} imports ${path}`);
      }),
  );
  expect(leaving).toEqual([
    'packages/devnet/src/main.ts imports ../package.json',
    ...['caching', 'errors', 'forks', 'limits', 'pages'].map(
      guide => `explorer/docs/guides.ts imports ../docs/guides/${guide}.md`,
    ),
    'explorer/docs/realtime.ts imports ../docs/asyncapi.json?url',
  ]);
});
