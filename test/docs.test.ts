import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { runCli } from '../src/commands/cli.ts';
import { welcome } from '../src/commands/start.ts';
import { parseNetwork } from '../src/network.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** What a command line prints. */
async function printed(...args: string[]): Promise<string> {
  const texts: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(text => texts.push(String(text)) > 0);
  try {
    expect(await runCli(args, {})).toBe(0);
  } finally {
    write.mockRestore();
  }
  return texts.join('');
}

/** The first block of code below a heading. */
function blockBelow(page: string, heading: string): string {
  const text = read(page).split(`\n${heading}\n`)[1];
  return /```\w*\n([\s\S]*?)```/.exec(text ?? '')?.[1] ?? `${page} has no block below ${heading}`;
}

test('README lists the commands of --help, in their order and words', async () => {
  const commands = (await printed('--help')).split('\n').filter(line => /^ {2}[a-z]/.test(line));
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
  const lines = welcome(addresses, parseNetwork('devnet')!, false).trim().split('\n');
  const shown = /```\n(Cairn is running on [\s\S]*?)```/.exec(read('README.md'))![1]!.split('\n');
  // The node of the devnet and its accounts follow.
  expect(shown.slice(0, lines.length)).toEqual(lines);
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
