import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { printedAccounts } from '@cairn-stacks/devnet/residents/user-accounts';
import { expect, test } from 'vitest';
import { listRoutes } from '../src/commands/routes.ts';
import { welcome } from '../src/commands/start.ts';
import { settings } from '../src/config/config.ts';
import { formerNames } from '../src/config/former-names.ts';
import { printedBy } from './support/printed.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** The first block of code below a heading. */
function blockBelow(page: string, heading: string): string {
  const text = read(page).split(`\n${heading}\n`)[1];
  return /```\w*\n([\s\S]*?)```/.exec(text ?? '')?.[1] ?? `${page} has no block below ${heading}`;
}

test('README lists the commands of --help, in their order and words', async () => {
  const commands = (await printedBy('--help')).split('\n').filter(line => /^ {2}[a-z]/.test(line));
  expect(commands.length).toBeGreaterThan(10);
  expect(blockBelow('README.md', '## Commands').trimEnd().split('\n')).toEqual(commands.map(line => line.slice(2)));
});

test.each(['README.md', 'CONTRIBUTING.md', 'test/README.md', 'docs/operations.md', 'packaging/README.md'])(
  'every npm script that %s names exists',
  page => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(page).matchAll(/\bnpm (?:run )?((?:test|start|check|build|bench|shots)[\w:]*)/g)].map(
      match => match[1]!,
    );
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  },
);

test('README shows what a start prints', () => {
  const addresses = { api: 'http://127.0.0.1:3999', metrics: 'http://127.0.0.1:9153/metrics' };
  const devnet = { url: 'http://127.0.0.1:20443', accounts: printedAccounts, own: [] };
  const lines = welcome(addresses, parseNetwork('devnet')!, false, devnet).trim().split('\n');
  const shown = /```\n(Cairn is running on [\s\S]*?)\n```/.exec(read('README.md'))![1]!.split('\n');
  expect(shown.at(-1)!.trim()).toBe('…');
  expect(shown.slice(0, -1)).toEqual(lines.slice(0, shown.length - 1));
});

test('the settings that README names have the defaults that it says', () => {
  const rows = [...read('README.md').matchAll(/^\| (`[A-Z_`, ]+`) +\| ([^|]+?) +\|/gm)];
  const told = rows.flatMap(([, names, defaults]) => {
    const values = defaults!.split(', ');
    return names!.split(', ').map((name, i) => [name.replaceAll('`', ''), values[i]] as const);
  });
  expect(told.length).toBeGreaterThan(5);
  const known = new Map(Object.values(settings).map(setting => [setting.name as string, setting]));
  for (const [name, value] of told) {
    const setting = known.get(name);
    expect(setting, name).toBeDefined();
    // Without a default, the words say what happens then.
    if (setting && !setting.optional) expect([name, value]).toEqual([name, setting.fallback || 'none']);
  }
});

test('the addresses that README opens are served', async () => {
  const urls = (await listRoutes()).map(({ url }) => url);
  const opened = [...read('README.md').matchAll(/^\| http:\/\/127\.0\.0\.1:3999(\/?\S*) /gm)].map(match => match[1]!);
  expect(opened.length).toBeGreaterThan(5);
  const serves = (url: string, path: string) => new RegExp(`^${url.replace(/:\w+(\(.*\))?|\*/g, '[^/]+')}$`).test(path);
  // The explorer is files, not routes; what is below /schemas is a route with a name.
  const missing = opened.filter(path => path !== '' && !urls.some(url => serves(url, path)));
  expect(missing).toEqual([]);
});

/** Read by scripts, examples, compose files, benches and tests. */
const otherNames = ['CAIRN_API', 'CAIRN_KEY', 'CAIRN_DEVNET_NODE', 'CAIRN_IMAGE', 'CAIRN_BIND', 'CAIRN_TEST_BROWSER']
  .concat(['CAIRN_BENCH_GENERATOR', 'CAIRN_BENCH_NODE_FLAGS', 'CAIRN_TEST_NATS'])
  .concat(['CAIRN_WIDGET_LIMIT']); // of the recipes

/** Every page that says how things are. */
const pages = ['README.md', 'CONTRIBUTING.md', 'test/README.md', 'bench/README.md', 'examples/README.md']
  .concat(readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).map(file => `docs/${file}`))
  .concat(readdirSync(`${root}packaging`, { recursive: true, encoding: 'utf8' }).map(file => `packaging/${file}`))
  .filter(page => page.endsWith('.md') && !page.startsWith('docs/decisions/'));

test('every setting that a page names exists', () => {
  const known = [
    ...Object.values(settings).map(setting => setting.name as string),
    ...Object.values(formerNames),
  ].concat(Object.keys(formerNames), otherNames);
  const named = pages.flatMap(page =>
    [...read(page).matchAll(/\bCAIRN_[A-Z0-9_]*[A-Z0-9]\b(?!_|\*|…)/g)].map(([name]) => `${name} in ${page}`),
  );
  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter(each => !known.includes(each.split(' ')[0]!))).toEqual([]);
});

test('every command that a page names exists', async () => {
  const help = await printedBy('--help');
  const commands = [...help.matchAll(/^ {2}([\w-]+) /gm)].map(match => match[1]!);
  const named = pages.flatMap(page =>
    [...read(page).matchAll(/(?:`cairn|dist\/main\.js|npx cairn-stacks) ([a-z][\w-]*)/g)].map(
      ([, name]) => `${name} in ${page}`,
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  // `cairn v…` is a version, and `cairn api` the name of a connection.
  const others = [...commands, 'v', 'api'];
  expect([...new Set(named)].filter(each => !others.includes(each.split(' ')[0]!))).toEqual([]);
});

test('every metric that a page names exists', () => {
  const declared = ['src/metrics.ts', 'src/proxy/pool/metrics.ts'].map(read).join('');
  const named = pages.flatMap(page => {
    // A page may tell how a metric was called.
    const text = read(page).replace(/^Renamed since [\s\S]*?\n\n/gm, '');
    // Schemas of the database have such names too.
    return [...text.matchAll(/`(cairn_(?!source\b|restore\b)[a-z_]*[a-z])(?=[`{])/g)].map(
      ([, name]) => `${name} in ${page}`,
    );
  });
  expect(named.length).toBeGreaterThan(50);
  const missing = [...new Set(named)].filter(each => {
    const name = each.split(' ')[0]!;
    return !declared.includes(`'${name}'`) && !declared.includes(`'${name.replace(/_(bucket|sum|count)$/, '')}'`);
  });
  expect(missing).toEqual([]);
});

test('docs/architecture.md walks through the code four times, and a request visits at most 20 files', () => {
  const section = read('docs/architecture.md').split('\n## Four walks through the code\n')[1]!.split('\n## ')[0]!;
  const walks = section.split('\n### ').slice(1);
  // test/docs-paths.test.ts checks that the files exist.
  const files = walks.map(
    walk => new Set([...walk.matchAll(/`((?:src|scripts)\/[\w./-]+\.\w+)`/g)].map(match => match[1])),
  );
  expect(files.map(named => named.size > 8)).toEqual([true, true, true, true]);
  expect(walks[1]).toContain('/extended/v1/tx');
  expect(files[1]!.size).toBeLessThanOrEqual(20);
});
