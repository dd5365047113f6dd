import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventFilterQuery, transactionFilterQuery } from '../src/read/filters/filter-params.ts';

type Parameter = { name: string; in: string };
type Document = { paths: Record<string, { get?: { parameters?: Parameter[] } }> };

const names = [...Object.keys({ ...transactionFilterQuery, ...eventFilterQuery([]) }), 'topic'];

/** The filters of each list that takes a range of blocks, as the OpenAPI document declares them. */
function tableOf({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const query = (get?.parameters ?? []).filter(each => each.in === 'query').map(each => each.name);
    if (!query.includes('from_height') || !query.includes('to_height')) return [];
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
