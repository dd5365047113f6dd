import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeIdentity } from '../../src/app/identity.ts';
import type { Pool } from '../../src/db/client.ts';
import { createSnapshot } from '../../src/ingest/snapshot/create.ts';
import { readManifest } from '../../src/ingest/snapshot/manifest.ts';
import { restoreSnapshot } from '../../src/ingest/snapshot/restore.ts';
import type { Store } from '../../src/ingest/snapshot/store.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldAll, testNetwork } from '../support/service.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export type Ending = { onTestFinished(work: () => Promise<void> | void): void };

export function testFolder(t: Ending): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-snapshot-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program as an operator does. */
export function cairn(env: Record<string, string>, ...args: string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>(resolve => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    const child = execFile(process.execPath, [program, ...args], options, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** The messages of a chain with a branch that lost, so that there are blocks beside the canonical chain. */
export function forkedChain(blocks = 12) {
  const chain = testChain({ seed: 7 });
  const trunk = mineLine(chain, chain.genesis, blocks);
  const loser = mineLine(chain, trunk[blocks - 4]!, 2);
  const winner = mineLine(chain, trunk[blocks - 4]!, 6);
  return [chain.genesis, ...trunk, ...loser, ...winner].flatMap(messagesOf);
}

/** A database that holds the chain. */
export async function chainDatabase(t: Parameters<typeof testDatabase>[0], messages = forkedChain()) {
  const db = await testDatabase(t);
  await storeIdentity(db.sql, testNetwork, false);
  await foldAll(db, messages);
  return db;
}

/** Small enough that the tables of a short chain have several parts and chunks. */
export const small = { chunkBytes: 4 << 10, partBytes: 16 << 10 };

export const create = (db: Pick<TestDatabase, 'url'>, store: Store) => createSnapshot({ url: db.url, store, ...small });

export async function restore(db: Pick<TestDatabase, 'url'>, store: Store): Promise<void> {
  const snapshot = await readManifest(store, undefined);
  await restoreSnapshot({ url: db.url, store, snapshot, verify: true, commitBytes: 32 << 10 });
}

/** Every row of every table as text, by table. */
export async function allRows(sql: Pool): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    order by 1
  `;
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await sql<{ line: string }[]>`select t::text as line from ${sql(name)} t order by 1`;
    rows[name] = found.map(row => row.line);
  }
  return rows;
}

/** Names of the tables and schemas that a refused restore must not have created. */
export async function traces(sql: Pool): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'cairn_restore')
  `;
  return rows.map(row => row.name);
}
