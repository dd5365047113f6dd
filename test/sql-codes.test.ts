import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** Columns of small integers that count, place or refer. All others hold codes, which have names in TypeScript. */
const numbers = ['id', 'path', 'place', 'position', 'slot', 'bit', 'version', 'clarity_version'];

/** The columns of codes, from the dumped schema. */
function codeColumns(schema: string): string[] {
  const columns = [...schema.matchAll(/^ {2}"?(\w+)"? smallint\b/gm)].map(match => match[1]!);
  return [...new Set(columns)].filter(column => !numbers.includes(column));
}

/** Comparisons of a column of a table alias with a number that has no name. */
function findBareCodes(text: string, columns: readonly string[]): string[] {
  const operator = String.raw`(?:\s*(?:&|=|<>|<=?|>=?)\s*|\s+(?:not\s+)?(?:in|between)\s*\(?\s*|\s+when\s+)`;
  const bare = new RegExp(String.raw`\b[a-z]\w*\.(?:${columns.join('|')})${operator}\d+`, 'g');
  return [...text.matchAll(bare)].map(([match]) => match);
}

const columns = codeColumns(readFileSync(join(source, 'db/schema.sql'), 'utf8'));

test('columns of codes are found in the schema, and bare codes in SQL', () => {
  expect(columns).toEqual(expect.arrayContaining(['role', 'kind', 'status', 'type', 'cause', 'call']));
  const text = 'where e.kind in (5, 7) and t.status <> 1 and h.role & 240 <> 0 and case e.kind when 2 then 1 end = 1';
  expect(findBareCodes(text, columns)).toEqual(['e.kind in (5', 't.status <> 1', 'h.role & 240', 'e.kind when 2']);
  expect(findBareCodes(['e.kind = $', '{constant(sql, eventCodes.print)} and t.place > 5'].join(''), columns)).toEqual(
    [],
  );
});

test('SQL names the codes that it compares', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const bare = files.flatMap(file =>
    findBareCodes(readFileSync(join(source, file), 'utf8'), columns).map(found => `${file}: ${found}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(bare).toEqual([]);
});
