import { expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { listPending, migrate, readMigrations } from '../../src/db/migrate.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { readRelease, releases, restoreLog, restoreRelease } from '../support/release-data.ts';
import { folded, headOf, positionOf, startFold, until } from '../support/service.ts';

test('the data of the earlier releases is there', () => {
  expect(releases).toEqual(expect.arrayContaining(['0.1.0-51aba08', '0.1.0-d41dd38']));
});

for (const release of releases) {
  test(`the database of ${release} is upgraded to what a replay of its log gives`, async t => {
    const data = readRelease(release);
    const [upgraded, replayed] = await Promise.all([emptyDatabase(t), testDatabase(t)]);
    await Promise.all([restoreRelease(upgraded.url, data), restoreLog(replayed.url, data)]);
    const before = await positionOf(upgraded.sql).catch(() => undefined);
    expect(await listPending(upgraded.sql)).toEqual(
      readMigrations()
        .slice(data.migrations.length)
        .map(({ name }) => name),
    );
    await migrate(upgraded.url);
    const head = await headOf(replayed.sql);
    for (const { url, sql } of [upgraded, replayed]) {
      const fold = startFold({ url });
      const { writer } = await positionOf(sql);
      // A fold that has just taken over has also completed what the upgrade left to it.
      await until(async () => (await positionOf(sql)).writer !== writer);
      expect(await folded(sql, head)).toMatchObject({ halt_reason: null });
      await fold.stop();
    }
    void before;
    expect(differences(await dump(upgraded.sql), await dump(replayed.sql))).toEqual([]);
    expect(await trees(upgraded.sql)).toEqual(await trees(replayed.sql));
    expect(await checksums(upgraded.sql)).toEqual(readMigrations().map(({ name, checksum }) => ({ name, checksum })));
  });
}

/** What is known about blocks and burn blocks on all branches. */
async function trees(sql: Pool) {
  const blocks = await sql`select to_jsonb(t) as row from block_tree t order by t.height, t.index_hash`;
  const burns = await sql`select to_jsonb(t) - 'event_id' as row from burn_tree t order by t.height, t.hash`;
  return { blocks: [...blocks], burns: [...burns] };
}

const checksums = async (sql: Pool) => [...(await sql`select m.name, m.checksum from migrations m order by m.name`)];
