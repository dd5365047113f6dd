import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { foldAll } from '../support/service.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Runs the program as an operator does, on a server of its own. */
function cairn(url: string, ...args: string[]): Promise<{ code: number | null; err: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  return new Promise(resolve => {
    const child = execFile(process.execPath, [program, ...args], { env }, (_, _out, err) =>
      resolve({ code: child.exitCode, err }),
    );
  });
}

test('an export is a full backup: replayed into an empty database it gives the same tables', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-backup-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const [db, restored] = [await testDatabase(t), await emptyDatabase(t)];
  const chain = testChain({ seed: 31 });
  await foldAll(db, [chain.genesis, ...mineLine(chain, chain.genesis, 20)].flatMap(messagesOf));
  const file = join(folder, 'events.tsv.gz');
  expect(await cairn(db.url, 'export', '--events', file)).toMatchObject({ code: 0 });
  expect(await cairn(restored.url, 'replay', file)).toMatchObject({ code: 0 });
  expect(await dump(restored.sql)).toEqual(await dump(db.sql));
});

test('after a prune an export names the missing events and their file, and all files together are a full backup', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-backup-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const [db, restored] = [await testDatabase(t), await emptyDatabase(t)];
  const chain = testChain({ seed: 32 });
  const trunk = mineLine(chain, chain.genesis, 15, { transactions: 1 });
  const orphans = mineLine(chain, trunk[7]!, 2, { transactions: 1 });
  const rest = mineLine(chain, trunk.at(-1)!, 95, { transactions: 1 });
  await foldAll(db, [chain.genesis, ...trunk, ...orphans, ...rest].flatMap(messagesOf));
  const [old, all, some, later] = ['old.tsv.gz', 'all.tsv', 'some.tsv', 'later.tsv'].map(name => join(folder, name));
  expect(await cairn(db.url, 'prune', '--keep-blocks', '100', '--events', old!)).toMatchObject({ code: 0 });

  const refused = await cairn(db.url, 'export', '--events', all!);
  expect(refused.code).toBe(2);
  expect(existsSync(all!)).toBe(false);
  const [, missing, to] = /not complete: (\d+) of the events 1 to (\d+) were pruned/.exec(refused.err) ?? [];
  expect(Number(missing)).toBeGreaterThan(8);
  expect(Number(missing)).toBeLessThan(Number(to)); // what orphans need has stayed
  expect(refused.err).toContain(`events 1 to ${to} are in ${old}`);
  expect(refused.err).toContain(`cairn export --from ${Number(to) + 1}`);

  const partial = await cairn(db.url, 'export', '--events', some!, '--partial');
  expect(partial).toMatchObject({ code: 0, err: expect.stringContaining(`not complete: ${missing} of the events`) });
  expect(await cairn(db.url, 'export', '--events', later!, '--from', `${Number(to) + 1}`)).toMatchObject({ code: 0 });
  expect(await cairn(restored.url, 'replay', old!, later!)).toMatchObject({ code: 0 });
  expect(await dump(restored.sql)).toEqual(await dump(db.sql));
});
