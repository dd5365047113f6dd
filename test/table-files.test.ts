import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesBelow = (folder: string, extension: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith(extension))
    .map(file => `${folder}/${file}`)
    .sort();

/** Each table and the files in which the pattern names it. */
function namedBy(files: string[], pattern: RegExp): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const [, table] of read(file).matchAll(pattern)) found.set(table!, [...(found.get(table!) ?? []), file]);
  }
  return found;
}

/** The row of docs/tables.md for each table: the migration that creates it and the file that declares or writes its rows. */
function tableRows(): string[] {
  const created = namedBy(
    filesBelow('src/db/migrations', '.sql'),
    /create (?:unlogged )?table (?:if not exists )?(\w+)/gi,
  );
  const sources = [
    'ingest',
    'audit',
    'metadata',
    'bitcoin',
    'webhooks',
    'publish',
    'chainhooks',
    'app',
    'commands',
    'read',
    'http',
    'cache',
  ].flatMap(folder => filesBelow(`src/${folder}`, '.ts'));
  const declared = namedBy(sources, /\bname: '(\w+)',?\s+columns\b/g);
  const written = namedBy(sources, /\b(?:insert into|update) (\w+)/gi);
  return [...created].sort().map(([table, migrations]) => {
    expect({ table, migrations }).toEqual({ table, migrations: [expect.any(String)] });
    const owners = declared.get(table) ?? [...new Set(written.get(table) ?? [])];
    expect({ table, owners }).not.toEqual({ table, owners: [] });
    return `| \`${table}\` | ${owners.map(file => `\`${file}\``).join(', ')} | \`${migrations[0]}\` |`;
  });
}

test('docs/tables.md names the migration of each table and the file that declares its rows', () => {
  const shown = read('docs/tables.md')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.replace(/ +/g, ' '));
  expect(shown).toEqual(tableRows());
});

test('one file declares the rows of a table', () => {
  const declared = namedBy(filesBelow('src', '.ts'), /\bname: '(\w+)',?\s+columns\b/g);
  expect([...declared].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('metrics are declared in files named metrics.ts, those of nodes beside the pool, and described in docs/operations.md', () => {
  const constructors = /new (?:Gauge|Counter|Histogram|Summary)\b/;
  const declaring = filesBelow('src', '.ts').filter(file => constructors.test(read(file)));
  expect(declaring).toEqual(['src/metrics.ts', 'src/proxy/pool/metrics.ts']);
  const metricsOf = (file: string) => [...read(file).matchAll(/'((?:cairn|http)_[a-z_]+)'/g)].map(match => match[1]!);
  const all = declaring.flatMap(metricsOf);
  expect(all.length).toBeGreaterThan(20);
  expect(new Set(all).size).toBe(all.length);
  const isOfNodes = (metric: string) => /^cairn_(node|broadcasts)_/.test(metric);
  expect(metricsOf('src/metrics.ts').filter(isOfNodes)).toEqual([]);
  expect(metricsOf('src/proxy/pool/metrics.ts').filter(metric => !isOfNodes(metric))).toEqual([]);
  const operations = read('docs/operations.md');
  expect(all.filter(metric => !operations.includes(metric))).toEqual([]);
});
