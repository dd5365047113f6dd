import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages } from './build.mjs';
import { capture, run } from './child-process.mjs';
import { CommandError } from './error.mjs';

/** Generated files that are committed, each with the Node.js arguments that print it. */
export const generated = [
  { file: 'src/db/schema.sql', command: ['scripts/dump-schema.mjs'] },
  { file: 'docs/openapi.json', command: ['dist/main.js', 'openapi'] },
  { file: 'docs/routes.md', command: ['dist/main.js', 'routes'] },
  { file: 'THIRD-PARTY-NOTICES.txt', command: ['scripts/third-party-notices.mjs'] },
  { file: 'explorer/api/schema.ts', command: ['scripts/explorer-types.mjs'] },
  { file: 'packages/client/src/operations.ts', command: ['scripts/client-operations.mjs'] },
  {
    file: 'docs/asyncapi.json',
    command: ['-e', "import('./dist/realtime/asyncapi.js').then(m => process.stdout.write(m.printAsyncApi()))"],
  },
];

/** A folder of generated files; its command prints an object from file name to content. */
export const generatedFolder = {
  folder: 'docs/schemas',
  command: [
    '-e',
    "import('./dist/commands/openapi.js').then(m => m.printSchemas()).then(t => process.stdout.write(t))",
  ],
};

/** Configurations of the compiler: that of the sources, tests and benches, and those that packages are published with. */
const typed = [
  ['types', 'tsconfig.json'],
  ['types of the explorer', 'explorer/tsconfig.json'],
  ...packages.map(name => [`types of packages/${name}`, `packages/${name}/tsconfig.json`]),
];

/** Checks format, lint, types and generated files, all of them even if one fails; `--fix` corrects what it can. */
export async function check(root, args) {
  if (args.includes('--help')) {
    console.log('npm run check [-- --fix]\n\nFormat, lint, types and generated files; --fix corrects what it can.');
    return 0;
  }
  const unknown = args.find(arg => arg !== '--fix');
  if (unknown !== undefined) throw new CommandError(`Unknown option ${unknown}: check takes only --fix`);
  const fix = args.includes('--fix');
  const tool = (...path) => join(root, 'node_modules', ...path);
  const node = (...rest) => run(process.execPath, rest, { cwd: root });
  const steps = [
    ...generated.map(entry => [`${entry.file} is up to date`, () => checkGenerated(root, entry, fix)]),
    [`${generatedFolder.folder} is up to date`, () => checkFolder(root, generatedFolder, fix)],
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
    ...typed.map(([name, config]) => [
      name,
      async () => (await node(tool('typescript', 'bin', 'tsc'), '-p', config, '--noEmit')) === 0,
    ]),
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

/** Checks a folder: no file may differ, be missing or be superfluous. */
async function checkFolder(root, { folder, command }, fix) {
  const { code, output } = await capture(process.execPath, command, { cwd: root });
  if (code !== 0) return false;
  const path = join(root, folder);
  const stale = staleFiles(path, JSON.parse(output));
  if (stale.length === 0) return true;
  if (!fix) {
    console.error(`${folder} is stale (${stale.length} files): run "npm run check -- --fix" and commit it`);
    return false;
  }
  mkdirSync(path, { recursive: true });
  for (const { name, text } of stale) {
    if (text === undefined) rmSync(join(path, name));
    else writeFileSync(join(path, name), text);
  }
  console.error(`${folder}: ${stale.length} files were written or removed`);
  return true;
}

/** The files of a folder that differ from `wanted`, each with its expected text; undefined for a superfluous file. */
export function staleFiles(path, wanted) {
  const names = new Set([...Object.keys(wanted), ...(existsSync(path) ? readdirSync(path) : [])]);
  return [...names]
    .map(name => ({ name, text: wanted[name] }))
    .filter(({ name, text }) => !existsSync(join(path, name)) || readFileSync(join(path, name), 'utf8') !== text);
}
