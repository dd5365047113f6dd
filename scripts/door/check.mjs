import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DoorError } from './error.mjs';
import { capture, run } from './run.mjs';

/** Files that are written from the source and committed, each with the Node.js arguments that print it. */
export const generated = [
  { file: 'src/db/schema.sql', command: ['scripts/dump-schema.mjs'] },
  { file: 'docs/openapi.json', command: ['dist/main.js', 'openapi'] },
  {
    file: 'docs/asyncapi.json',
    command: ['-e', "import('./dist/realtime/asyncapi.js').then(m => process.stdout.write(m.printAsyncApi()))"],
  },
];

/** Format, lint, types and stale generated files, all of them even if one fails; `--fix` writes what can be written. */
export async function check(root, args) {
  if (args.includes('--help')) {
    console.log(
      'npm run check [-- --fix]\n\nFormat, lint, types and generated files; --fix writes what can be written.',
    );
    return 0;
  }
  const unknown = args.find(arg => arg !== '--fix');
  if (unknown !== undefined) throw new DoorError(`Unknown option ${unknown}: check takes only --fix`);
  const fix = args.includes('--fix');
  const tool = (...path) => join(root, 'node_modules', ...path);
  const node = (...rest) => run(process.execPath, rest, { cwd: root });
  const steps = [
    ...generated.map(entry => [`${entry.file} is up to date`, () => checkGenerated(root, entry, fix)]),
    [
      'format and lint',
      async () =>
        (await node(
          tool('@biomejs', 'biome', 'bin', 'biome'),
          'check',
          '--diagnostic-level=warn',
          '--error-on-warnings',
          ...(fix ? ['--write'] : []),
        )) === 0,
    ],
    ['types', async () => (await node(tool('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json', '--noEmit')) === 0],
  ];
  let failed = 0;
  for (const [name, step] of steps) {
    const passed = await step();
    console.log(`${passed ? 'ok  ' : 'FAIL'} ${name}`);
    if (!passed) failed++;
  }
  return failed === 0 ? 0 : 1;
}

async function checkGenerated(root, { file, command }, fix) {
  const { code, output } = await capture(process.execPath, command, { cwd: root });
  if (code !== 0) return false;
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === output) return true;
  if (!fix) {
    console.error(`${file} is stale: run "npm run check -- --fix" and commit it`);
    return false;
  }
  writeFileSync(path, output);
  console.error(`${file} was written`);
  return true;
}
