import { expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { listPending, migrate, readMigrations } from '../../src/db/migrate.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { readRelease, releases, restoreLog, restoreRelease } from '../support/release-data.ts';
import { folded, headOf, positionOf, startFold, until } from '../support/service.ts';

/** Tables that a release before them cannot have filled, and why that does no harm. */
const laterTables: Record<string, string> = {
  block_extras: 'no response shows it; a rebuild fills it',
  print_shapes: 'a print schema names its prints as not counted; a rebuild fills it',
  print_shape_totals: 'as print_shapes',
};

test('the data of the earlier releases is there', () => {
  expect(releases).toEqual(expect.arrayContaining(['0.1.0-51aba08', '0.1.0-d41dd38']));
});

test.each(releases)('the database of %s is upgraded to what a replay of its log gives', async release => {
  const data = readRelease(release);
  const upgraded = await emptyDatabase();
  const replayed = await testDatabase();
  try {
    await restoreRelease(upgraded.url, data);
    await restoreLog(replayed.url, data);
    const files = readMigrations();
    expect(await listPending(upgraded.sql)).toEqual(files.slice(data.migrations.length).map(({ name }) => name));
    await migrate(upgraded.url);
    expect(await checksums(upgraded.sql)).toEqual(files.map(({ name, checksum }) => ({ name, checksum })));
    const head = await headOf(replayed.sql);
    for (const { url, sql } of [upgraded, replayed]) {
      const { writer } = await positionOf(sql);
      const fold = startFold({ url });
      // A fold that has taken over has also completed what the migrations leave to the first start.
      await until(async () => (await positionOf(sql)).writer !== writer);
      expect(await folded(sql, head)).toMatchObject({ halt_reason: null });
      await fold.stop();
    }
    const [actual, expected] = [await dump(upgraded.sql), await dump(replayed.sql)];
    for (const table of Object.keys(laterTables)) {
      if (!(table in data.tables)) actual[table] = expected[table]!;
    }
    expect(expected.blocks!.length).toBeGreaterThan(20);
    expect(differences(actual, expected)).toEqual([]);
    expect(await trees(upgraded.sql)).toEqual(await trees(replayed.sql));
  } finally {
    await upgraded.drop();
    await replayed.drop();
  }
});

/** What is known about blocks and burn blocks on all branches; the first release did not keep who announced a burn block. */
async function trees(sql: Pool) {
  const blocks = await sql`select to_jsonb(t) as row from block_tree t order by t.height, t.index_hash`;
  const burns = await sql`select to_jsonb(t) - 'event_id' - 'source' as row from burn_tree t order by t.height, t.hash`;
  return { blocks: [...blocks], burns: [...burns] };
}

const checksums = async (sql: Pool) => [...(await sql`select m.name, m.checksum from migrations m order by m.name`)];
