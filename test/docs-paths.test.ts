import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter(file => file.endsWith('.md'))
    .map(file => join(folder, file));

/** Every page of the project. */
const pages = ['', 'bench', 'docs', 'examples', 'packages', 'packaging', 'src', 'test']
  .flatMap(folder => {
    const files = readdirSync(join(root, folder), { recursive: folder !== '', encoding: 'utf8' });
    return files.map(file => join(folder, file));
  })
  .filter(file => file.endsWith('.md') && !file.includes('node_modules'));
/** History names what there was; a decision names what there was when it was taken. */
const present = pages.filter(page => page !== 'CHANGELOG.md' && !page.startsWith('docs/decisions/'));

/** Paths in the text that begin at the root of the project; the recipes create the files of widgets, and NAME stands for any. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(
    /(?<![\w./-])((?:src|packages|test|docs|scripts|bench|examples|packaging)\/[\w./-]*\w(?:\/|\b))/g,
  );
  return [...new Set([...found].map(match => match[1]!))].filter(path => !/widget|NAME/.test(path));
}

/** The anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('there are pages', () => {
  expect(present.length).toBeGreaterThan(40);
});

test.each(present)('every path that %s names exists', page => {
  expect(pathsIn(read(page)).filter(path => !existsSync(join(root, path)))).toEqual([]);
});

test.each(pages)('every link of %s leads to a file, and to a heading of it', page => {
  const links = [...read(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path, anchor]) => {
    const file = path === '' ? page : join(dirname(page), path!);
    if (!existsSync(join(root, file))) return true;
    if (anchor === undefined || !file.endsWith('.md') || statSync(join(root, file)).isDirectory()) return false;
    return !anchorsOf(read(file)).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(markdownIn('docs/folders'))('every file that %s names by its path in the folder exists', page => {
  const folder = basename(page, '.md');
  const named = [...read(page).matchAll(/`([\w./-]+\.ts)`/g)].map(match => match[1]!);
  const known = ['', folder, 'src', join('src', folder), join('packages', folder, 'src'), join('test', folder)];
  expect(named.filter(path => !known.some(base => existsSync(join(root, base, path))))).toEqual([]);
});
