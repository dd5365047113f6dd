import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printOpenApi } from '../../../src/commands/openapi.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'test', 'generated-client');

/** Inside of the project, so that programs there find its packages. */
let folder: string;
beforeAll(async () => {
  mkdirSync(join(root, '.run'), { recursive: true });
  folder = mkdtempSync(join(root, '.run', 'generated-client-'));
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await printOpenApi());
  const { stdout } = await run(process.execPath, [join(sources, 'generate.mjs'), document], { maxBuffer: 2 ** 26 });
  writeFileSync(join(folder, 'schema.ts'), stdout);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles a program beside the generated types; gives what the compiler says. */
async function compile(name: string, text: string): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), text);
  const config = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom'],
      module: 'nodenext',
      types: [],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    files: [`${name}.ts`],
  };
  const file = join(folder, `tsconfig.${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, '-p', file]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

const source = (name: string) => readFileSync(join(sources, `${name}.txt`), 'utf8');

test('an application compiles with the client that is generated from the document', async () => {
  expect(await compile('application', source('application'))).toBe('');
});

test('code for the published client compiles with the document', async () => {
  expect(await compile('published', source('published'))).toBe('');
});

test('a document that lacks a value or a path does not compile', async () => {
  const lacking = source('application').replace('  problematic_skipped: false,\n', '');
  expect(await compile('lacking', lacking)).toContain("Property 'problematic_skipped' is missing");
  const strict = source('published').replace("'/extended/v2/addresses/{address}/transactions'", 'never');
  expect(await compile('strict', strict)).toContain("Type 'false' does not satisfy the constraint 'true'");
});
