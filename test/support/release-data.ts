import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { CopyConnection } from '../../src/db/copy-connection.ts';

/** The database that an earlier release has left, as `scripts/release-data.mjs` wrote it. */
export type ReleaseData = {
  migrations: { name: string; text: string }[];
  /** COPY texts. */
  tables: Record<string, { columns: string; rows: string }>;
  sequences: { name: string; value: string }[];
};

const folder = fileURLToPath(new URL('../releases', import.meta.url));
const ending = '.json.br';

/** Names of all releases with data, oldest first. */
export const releases: readonly string[] = readdirSync(folder)
  .filter(name => name.endsWith(ending))
  .map(name => name.slice(0, -ending.length))
  .sort();

export const readRelease = (name: string): ReleaseData =>
  JSON.parse(brotliDecompressSync(readFileSync(`${folder}/${name}${ending}`)).toString());

/** Fills an empty database as the release had left it. */
export async function restoreRelease(url: string, { migrations, tables, sequences }: ReleaseData): Promise<void> {
  await withCopy(url, async connection => {
    await connection.query(
      'create table migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    for (const { text } of migrations) await connection.query(text);
    // Migrations insert the first rows of some tables.
    await connection.query(`truncate ${Object.keys(tables).join(', ')}`);
    for (const [name, { columns, rows }] of Object.entries(tables)) await copyIn(connection, name, columns, rows);
    for (const { name, value } of sequences) await connection.query(`select setval('${name}', ${value})`);
  });
}

/** Fills the log of an empty, migrated database with that of the release. */
export async function restoreLog(url: string, { tables }: ReleaseData): Promise<void> {
  await withCopy(url, async connection => {
    for (const name of ['event_paths', 'event_sources', 'event_log', 'event_log_head']) {
      const { columns, rows } = tables[name]!;
      await connection.query(`delete from ${name}`);
      await copyIn(connection, name, columns, rows);
    }
  });
}

async function withCopy(url: string, work: (connection: CopyConnection) => Promise<void>): Promise<void> {
  const connection = await CopyConnection.open(url, 'test release');
  try {
    // Tables are filled in any order, whatever refers to them.
    await connection.query('set session_replication_role = replica');
    await work(connection);
  } finally {
    await connection.end();
  }
}

async function copyIn(connection: CopyConnection, name: string, columns: string, rows: string): Promise<void> {
  await connection.copyFrom(
    `copy ${name} (${columns}) from stdin`,
    (async function* () {
      yield Buffer.from(rows);
    })(),
  );
}
