import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { differences, dump } from '../support/dump.ts';
import { sbtcStory } from '../support/sbtc-story.ts';
import { foldAll } from '../support/service.ts';

const migration = readdirSync(fileURLToPath(new URL('../../src/db/migrations', import.meta.url))).find(name =>
  name.endsWith('-sbtc.sql'),
)!;

/** Takes the tables back to the schema of the release before. */
async function forgetSbtc({ sql }: TestDatabase): Promise<void> {
  await sql`drop table sbtc_deposits, sbtc_withdrawal_states, sbtc_withdrawals, sbtc_movements`;
  await sql`drop table sbtc_key_rotations, sbtc_contracts, sbtc_totals`;
  await sql`delete from migrations where name = ${migration}`;
}

for (const [name, messages] of [
  ['a story with bad prints', () => sbtcStory().messages],
  [
    'the devnet',
    () => {
      const { posted, live } = testDevnet();
      live(45);
      return posted;
    },
  ],
] as const) {
  test(`the migration gives a database of an earlier release the history of ${name}`, async t => {
    const db = await testDatabase(t);
    await foldAll(db, messages());
    const folded = await dump(db.sql);
    expect(folded.sbtc_totals!.length).toBeGreaterThan(2);
    await forgetSbtc(db);
    expect(await migrate(db.url)).toEqual([migration]);
    expect(differences(folded, await dump(db.sql))).toEqual([]);
  });
}
