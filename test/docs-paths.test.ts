import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter(file => file.endsWith('.md'))
    .map(file => join(folder, file));

const pages = ['CONTRIBUTING.md', 'README.md', 'src/ingest/README.md', 'test/README.md']
  .concat(markdownIn('docs'), markdownIn('docs/folders'))
  .filter(page => !page.endsWith('tables.md'));

/** Paths in the text that begin at the root of the project; the recipes create the files of widgets. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(/(?<![\w./-])((?:src|test|docs|scripts|bench|examples)\/[\w./-]*\w(?:\/|\b))/g);
  return [...new Set([...found].map(match => match[1]!))].filter(path => !/widget/.test(path));
}

test.each(pages)('every path that %s names exists', page => {
  const text = readFileSync(join(root, page), 'utf8');
  expect(pathsIn(text).filter(path => !existsSync(join(root, path)))).toEqual([]);
  const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(match => match[1]!);
  expect(links.filter(link => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test.each(markdownIn('docs/folders'))('every file that %s names by its path in the folder exists', page => {
  const folder = basename(page, '.md');
  const named = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(match => match[1]!);
  const known = ['', folder, 'src', join('src', folder), join('test', folder)];
  expect(named.filter(path => !known.some(base => existsSync(join(root, base, path))))).toEqual([]);
});
