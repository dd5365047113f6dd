import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from '../src/db/client.ts';
import { dumpSchema } from '../src/db/dump-schema.ts';
import { FolderStore } from '../src/ingest/snapshot/folder-store.ts';
import { type Manifest, readManifest } from '../src/ingest/snapshot/manifest.ts';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { round, say } from './support/figures.ts';
import { ensureLoad } from './support/load.ts';
import { replay, runCommand } from './support/service.ts';

export const usage = {
  options: '[--blocks N]',
  about:
    'A chain is replayed in bulk, copied to a folder, and restored into another database. The restore is compared with the replay: by\n' +
    'time, and row by row.',
};

const bars: Record<string, [sign: '>=' | '<=', value: number]> = {
  restore_vs_replay: ['>=', 5],
  different_tables: ['<=', 0],
};

/** Sizes are MB of rows before compression; times are from the start of the command to its exit. */
export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({ args, options: { blocks: { type: 'string', default: '8000' } } });
  const load = await ensureLoad({ blocks: Number(values.blocks) });
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-snapshot-'));
  const source = await openBenchDatabase();
  const target = await openBenchDatabase();
  try {
    say(`replaying ${load.blocks} blocks`);
    const replayed = await replay(source.dataDir, load.file);
    say('creating a snapshot');
    const created = await runCommand(source.dataDir, ['snapshot', 'create', folder]);
    const { manifest } = await readManifest(new FolderStore(folder), undefined);
    const { megabytes, storedMegabytes } = sizesOf(manifest);
    say('restoring it');
    const restored = await runCommand(target.dataDir, ['snapshot', 'restore', folder]);
    say('comparing all rows');
    const different = await compare(source, target);
    for (const name of different) say(`different: ${name}`);
    const figures = {
      rows_mb: megabytes,
      stored_mb: storedMegabytes,
      create_s: created.seconds,
      create_mb_per_s: megabytes / created.seconds,
      create_rss_mb: created.usage?.peakMb ?? Number.NaN,
      restore_s: restored.seconds,
      restore_mb_per_s: megabytes / restored.seconds,
      restore_rss_mb: restored.usage?.peakMb ?? Number.NaN,
      replay_s: replayed.seconds,
      restore_vs_replay: replayed.seconds / restored.seconds,
      different_tables: different.length,
    };
    sayMisses(figures);
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]));
  } finally {
    await target.stop();
    await source.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function sayMisses(figures: Readonly<Record<string, number>>): void {
  for (const [name, [sign, value]] of Object.entries(bars)) {
    const figure = figures[name]!;
    if (sign === '>=' ? figure < value : figure > value) say(`${name} is ${round(figure)}, not ${sign} ${value}`);
  }
}

function sizesOf({ tables }: Manifest): { megabytes: number; storedMegabytes: number } {
  const chunks = tables.flatMap(({ parts }) => parts.flatMap(part => part.chunks));
  return {
    megabytes: chunks.reduce((all, chunk) => all + chunk.bytes, 0) / 1e6,
    storedMegabytes: chunks.reduce((all, chunk) => all + chunk.stored_bytes, 0) / 1e6,
  };
}

/** Names of the tables whose rows differ, and `schema` if tables, indexes or constraints do. */
async function compare(source: BenchDatabase, target: BenchDatabase): Promise<string[]> {
  const [expected, actual] = [await digestTables(source.sql), await digestTables(target.sql)];
  const names = new Set([...expected.keys(), ...actual.keys()]);
  const different = [...names].filter(name => expected.get(name) !== actual.get(name));
  const same = (await dumpSchema(source.sql)) === (await dumpSchema(target.sql));
  return same ? different : [...different, 'schema'];
}

/** For each table the number of its rows and the sum of the hashes of all of them. */
async function digestTables(sql: Pool): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
  `;
  const digests = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await sql<{ digest: string }[]>`
      select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as digest from ${sql(name)} t
    `;
    digests.set(name, row!.digest);
  }
  return digests;
}
