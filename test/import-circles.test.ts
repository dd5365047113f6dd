import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

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
