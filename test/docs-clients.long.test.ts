import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { patternOf } from './support/printed-pattern.ts';
import { devnetForFile } from './support/sdk.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(new URL('../docs/clients.md', import.meta.url), 'utf8');
// Blocks every second, as a user sees them: a snippet waits for one.
const devnet = devnetForFile({ blockSeconds: 1 });

/** Every block of code of the page that runs, with the heading above it and what it is said to print. */
const snippets = [...page.matchAll(/```(sh|js)\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(match => {
  const headings = page.slice(0, match.index).match(/^## .*$/gm)!;
  return { heading: headings.at(-1)!.slice(3), language: match[1]!, code: match[2]!, printed: match[3]!.trim() };
});

const run = (command: string, args: string[]) =>
  new Promise<string>((resolve, reject) => {
    execFile(command, args, { cwd: root }, (error, out, err) =>
      error ? reject(new Error(`${error.message}\n${out}\n${err}`)) : resolve(out),
    );
  });

test('every block of the page that can run has what it prints', () => {
  expect(page.match(/```(sh|js)\n/g)).toHaveLength(snippets.length);
  expect(snippets.map(({ heading }) => heading)).toEqual([
    ...['curl', 'stacks.js', 'The official API client', 'Fewer bytes, fewer requests', 'Fewer bytes, fewer requests'],
    ...[
      'Selected logs',
      'Exports',
      'Filtered lists',
      'Batches',
      'WebSocket and Socket.IO',
      'Exchanges: Rosetta',
      'Wallets',
    ],
  ]);
});

test.each(snippets)('$heading: the $language block prints what the page says', async ({ language, code, printed }) => {
  const local = code.replaceAll('//127.0.0.1:3999', `//${new URL(devnet.url).host}`);
  const out =
    language === 'sh'
      ? await run('sh', ['-c', local])
      : await run(process.execPath, ['--input-type=module', '-e', local]);
  expect(out.trim()).toMatch(patternOf(printed));
});
