import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventFilterQuery, transactionFilterQuery } from '../src/read/filters/filter-params.ts';

type Parameter = { name: string; in: string };
type Document = { paths: Record<string, { get?: { parameters?: Parameter[] } }> };

const names = [...Object.keys({ ...transactionFilterQuery, ...eventFilterQuery([]) }), 'topic'];

/** The filters of each list that takes a range of blocks, or is of one block, as the OpenAPI document declares them. */
function tableOf({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const query = (get?.parameters ?? []).filter(each => each.in === 'query').map(each => each.name);
    const [range, ofBlock] = [
      ['from_height', 'to_height'],
      ['sender', 'function'],
    ];
    if (![range, ofBlock].some(some => some!.every(name => query.includes(name)))) return [];
    return [`${path} | ${names.filter(name => query.includes(name)).join(' ')}`];
  });
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('docs/filters.md names the filters that each list has', () => {
  const rows = read('docs/filters.md')
    .split('\n')
    .filter(line => line.startsWith('| `/'))
    .map(line => {
      const [, path, filters] = line.split('|').map(cell => cell.trim().replaceAll('`', ''));
      return `${path} | ${filters!.split(', ').join(' ')}`;
    });
  expect(rows).toEqual(tableOf(JSON.parse(read('docs/openapi.json')) as Document));
});

test('docs/guides/pages.md names the lists with an offset that have no cursor', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as Document;
  const without = Object.entries(paths).flatMap(([path, { get }]) => {
    const query = (get?.parameters ?? []).filter(each => each.in === 'query').map(each => each.name);
    return query.includes('offset') && !query.includes('cursor') ? [path] : [];
  });
  const named = [...read('docs/guides/pages.md').matchAll(/^\| `(\/[^`]+)` /gm)].map(([, path]) => path);
  expect(named).toEqual(without);
});
