import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const recipes = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n## Recipes')[1]!.split('\n## ')[0]!;

/** The next free number of a migration. */
function nextMigration(): string {
  const numbers = readdirSync(join(root, 'src/db/migrations')).map(file => Number.parseInt(file, 10));
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

/** Files that a step of a recipe names first and shows whole. */
const shown = [
  ...recipes.matchAll(/^\d+\. `([^`]*widget[^`]*)`:(?:(?!^\d+\. )[\s\S])*?^ {3}```\w+\n([\s\S]*?)^ {3}```$/gm),
].map(([, path, text]) => ({ path: path!.replace('NNNN', nextMigration()), text: text!.replace(/^ {3}/gm, '') }));

/** A text in backquotes of the recipes; the test fails where they no longer have it. */
function quoted(pattern: RegExp): string {
  const found = pattern.exec(recipes)?.[1];
  if (found === undefined) throw new Error(`CONTRIBUTING.md no longer has ${pattern}`);
  return found;
}

/** The tests that the recipes name. */
const namedTests = () =>
  [...recipes.matchAll(/^Tests: `npm test -- ([^`]+)`/gm)].flatMap(([, files]) => files!.split(' '));

/** Named tests that run for minutes in the copy; what they look at is in the others too, or not of a widget. */
const slow = ['test/ingest/rebuild.test.ts', 'test/model/history.test.ts', 'test/app.test.ts', 'test/devnet'];

/** The project as it is here, with the packages that are installed. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-recipes-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listed.toString().trim().split('\n')) cpSync(join(root, path), join(folder, path));
  for (const path of ['test/explorer/node_modules', 'test/snapshot/node_modules']) {
    symlinkSync(join(root, path), join(folder, path));
  }
  // The packages of the project are those of the copy.
  const own = join(folder, 'node_modules', '@cairn-stacks');
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@cairn-stacks') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) symlinkSync(`../../packages/${name}`, join(own, name));
  // Some commands ask git for the files of the project.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

test('the widget of the recipes can be added as they say: table, endpoint, setting, metric and devnet contract', {
  timeout: 40 * 60_000,
}, async t => {
  const folder = copyProject();
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const change = (path: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const changed = text.replace(from, () => to);
    expect(changed, `${path} has no ${from}`).not.toBe(text);
    writeFileSync(join(folder, path), changed);
  };
  const run = (...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      const env = { ...process.env, VITEST: '', NODE_OPTIONS: '', CAIRN_TEST_END: '' };
      execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 }, (error, out, err) =>
        error ? reject(new Error(`${args.join(' ')}\n${out.slice(-6000)}\n${err.slice(-3000)}`)) : resolve(out),
      );
    });

  expect(shown.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^src\/db\/migrations\/\d{4}-widgets\.sql$/),
    'src/ingest/projections/widgets.ts',
    expect.stringMatching(/^src\/.*queries/),
    expect.stringMatching(/^src\/.*schema/),
    expect.stringMatching(/^src\/.*routes/),
    'test/api/v3/widgets.test.ts',
    'packages/devnet/src/contracts/widget-model.ts',
    'test/devnet/widget.test.ts',
  ]);
  for (const { path, text } of shown) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const [migration, projection, , , routes] = shown.map(({ path }) => path) as string[];

  change('src/ingest/projections/all.ts', /^/, "import { widgets } from './widgets.ts';\n");
  change('src/ingest/projections/all.ts', '\n  blocks,', '\n  widgets,\n  blocks,');
  const row = `| \`widgets\` | \`${projection}\` | \`${migration}\` |`;
  const below = /^\| `(\w+)`/gm;
  const next = [...readFileSync(join(root, 'docs/tables.md'), 'utf8').matchAll(below)].find(
    ([, name]) => name! > 'widgets',
  );
  change('docs/tables.md', next![0], `${row}\n${next![0]}`);
  change('src/api/routes.ts', /^/, `import { v3Widgets } from '../${routes!.slice('src/'.length)}';\n`);
  change('src/api/routes.ts', /^(?= {2}'read\/blocks\/)/m, `  ${quoted(/add `('[^`]*v3Widgets,)`/)}\n`);
  change(
    'src/config/groups/requests.ts',
    /\} as const;\n$/,
    `${quoted(/^ {3}(widgetLimit: set\([\s\S]*?\}\),)$/m)}\n} as const;\n`,
  );
  change('src/metrics.ts', /^(?= {4}\w+: gauge\()/m, `    ${quoted(/`(widgetBurnGap: [^`]*)`/)}\n`);
  change(
    'docs/operations.md',
    /^(?=\| `cairn_fold_lag_seconds`)/m,
    '| `cairn_widget_burn_gap` | Burn blocks since the tip | |\n',
  );
  change('packages/devnet/src/contracts/model-list.ts', /^/, "import { widgetModel } from './widget-model.ts';\n");
  change(
    'packages/devnet/src/contracts/model-list.ts',
    'export const deployable: readonly ContractModel[] = [',
    'export const deployable: readonly ContractModel[] = [\n  widgetModel,',
  );

  await run('scripts/run.mjs', 'check', '--fix');
  const settings = await run('dist/main.js', 'settings', '--markdown');
  expect(settings).toContain('CAIRN_WIDGET_LIMIT');
  change('docs/operations.md', /^\| Setting +\|[\s\S]*?\n\n/m, `${settings.trim()}\n\n`);
  const files = namedTests().filter(file => !slow.includes(file));
  expect(files).toContain('test/api/v3/widgets.test.ts');
  const out = await run('scripts/run.mjs', 'test', ...files, 'test/devnet/widget.test.ts', '-u');
  expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed/);
});
