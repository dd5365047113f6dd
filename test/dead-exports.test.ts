import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

type Source = { file: string; text: string };

/** The programs of some folders, by their paths inside the project. */
function readSources(folders: readonly string[]): Source[] {
  const isProgram = (file: string) => /\.(tsx?|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file);
  return folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(isProgram)
      .map(file => ({ file: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
  );
}

/** `file name` of everything that a program imports; `file *` if it imports a whole file. Built files count as their sources. */
function importsOf({ file, text }: Source): string[] {
  const pathOf = (target: string) =>
    join(dirname(file), target)
      .replace(/^(.*\/)?dist\//, 'src/')
      .replace(/\.js$/, '.ts');
  const named = [...text.matchAll(/\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g)].flatMap(
    ([, names = '', target = '']) => names.split(',').map(name => `${pathOf(target)} ${nameIn(name)}`),
  );
  const whole = [...text.matchAll(/\*\s*as\s+\w+\s+from\s*'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)].map(
    ([, target, dynamic]) => `${pathOf((target ?? dynamic)!)} *`,
  );
  return [...named, ...whole];
}

/** The name of an import, such as `type Pool` or `connect as dial`, in its own file. */
const nameIn = (text: string) =>
  text
    .trim()
    .replace(/^type\s+/, '')
    .split(/\s+as\s+/)[0];

/** The constants, functions and classes that a file exports. */
const exportsOf = ({ text }: Source) =>
  [...text.matchAll(/^export\s+(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class)\s+(\w+)/gm)].map(
    match => match[1]!,
  );

/** Exported values that no other file imports. */
function findUnused(sources: readonly Source[], importers: readonly Source[]): string[] {
  const imported = new Set(importers.flatMap(importsOf));
  return sources.flatMap(source =>
    exportsOf(source)
      .filter(name => !imported.has(`${source.file} ${name}`) && !imported.has(`${source.file} *`))
      .map(name => `${source.file} ${name}`),
  );
}

test('an export that nobody imports is found', () => {
  const one = {
    file: 'src/one.ts',
    text: 'export const used = 1;\nexport function unused() {}\nexport class Loaded {}',
  };
  const two = { file: 'src/deep/two.ts', text: "import { used as other, type Shape } from '../one.ts';" };
  expect(findUnused([one], [two])).toEqual(['src/one.ts unused', 'src/one.ts Loaded']);
  const script = { file: 'scripts/x.mjs', text: "await import('../dist/one.js')" };
  expect(findUnused([one], [script])).toEqual([]);
});

// The codec and the devnet are libraries: what they export is for others, too.
const isLibrary = ({ file }: Source) => /^src\/(codec|devnet)\//.test(file);

test('every value that a file of src exports is imported by another file, and not by tests alone if nothing else runs it', () => {
  const sources = readSources(['src']).filter(source => !isLibrary(source));
  const programs = readSources(['src', 'scripts', 'bench', 'explorer']);
  expect(sources.length).toBeGreaterThan(500);
  expect(findUnused(sources, [...programs, ...readSources(['test'])])).toEqual([]);

  const onlyTested = findUnused(sources, programs).filter(line => {
    const [file, name] = line.split(' ');
    const { text } = sources.find(source => source.file === file)!;
    return (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length === 1;
  });
  expect(onlyTested).toEqual([]);
});
