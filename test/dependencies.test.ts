import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** Insides of packages that were used once, each with a line as it looked; hangs and swapped rows came from them. */
const insides: Record<string, { pattern: RegExp; example: string }> = {
  'a member that its package marks as private': {
    pattern: /[\w)\]]\??\._[a-z]/i,
    example: 'client._queryQueue.length',
  },
  'the wire messages of a connection of pg': {
    pattern: /\bconnection\??\.(parse|bind|describe|execute|sync|flush|stream|sendCopy\w+|endCopyFrom)\b/,
    example: 'connection.parse({ text, name, types: [] });',
  },
  'a query class of our own, given to pg': {
    pattern: /\bsubmit\(connection|pg\.Submittable|handleReadyForQuery/,
    example: 'client.query(submittable as unknown as pg.Submittable);',
  },
  'the state of a client of pg': {
    pattern: /\.(activeQuery|queryQueue|processID|secretKey|parsedStatements|submittedNamedStatements)\b/,
    example: 'const pid = client.processID;',
  },
  'how another driver sends and cancels': {
    pattern: /\bcanceller\b|from 'postgres'/,
    example: "const { handler, canceller } = driver.unsafe('') as unknown as Ways;",
  },
  'a type that says otherwise than that of the package': {
    pattern: /as unknown as (pg|postgres)\b/,
    example: 'rows as unknown as pg.QueryResult',
  },
};

test('no source file touches the insides of a dependency', () => {
  const found: string[] = [];
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    for (const [number, line] of readFileSync(join(source, file), 'utf8').split('\n').entries()) {
      for (const [what, { pattern }] of Object.entries(insides)) {
        if (pattern.test(line)) found.push(`${file}:${number + 1} uses ${what}: ${line.trim()}`);
      }
    }
  }
  expect(found).toEqual([]);
});

test('what is looked for would be found', () => {
  for (const { pattern, example } of Object.values(insides)) expect(example).toMatch(pattern);
});
