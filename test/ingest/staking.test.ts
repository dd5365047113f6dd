import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { differences, dump } from '../support/dump.ts';
import { foldAll } from '../support/service.ts';
import { stakingStory } from '../support/staking-story.ts';

const migration = readdirSync(fileURLToPath(new URL('../../src/db/migrations', import.meta.url))).find(name =>
  name.endsWith('-staking-terms.sql'),
)!;

/** Takes the tables back to the schema of the release before. */
async function forgetTerms({ sql }: TestDatabase): Promise<void> {
  await sql`drop table staking_terms, staking_signer_cycles, staking_rates, staking_signer_claims`;
  await sql`alter table staking_claims drop column cycle, drop column signer`;
  await sql`drop index staking_positions_exits`;
  await sql`delete from migrations where name = ${migration}`;
}

for (const [name, messages] of [
  [
    'a generated story',
    () => {
      const chain = testChain({ release: '4.0' });
      const blocks = [chain.genesis];
      for (let i = 0; i < 20; i++) blocks.push(chain.mine(blocks.at(-1)));
      return blocks.map(stakingStory(blocks));
    },
  ],
  [
    'the devnet',
    () => {
      const { posted, live } = testDevnet();
      live(110);
      return posted;
    },
  ],
] as const) {
  test(`the migration gives a database of an earlier release the stakers and rewards of ${name}`, async t => {
    const db = await testDatabase(t);
    await foldAll(db, messages());
    const folded = await dump(db.sql);
    for (const table of [
      'staking_terms',
      'staking_signer_cycles',
      'staking_rates',
      'staking_signer_claims',
      'staking_claims',
    ])
      expect([table, folded[table]!.length > 0]).toEqual([table, true]);
    await forgetTerms(db);
    expect(await migrate(db.url)).toEqual([migration]);
    expect(differences(folded, await dump(db.sql))).toEqual([]);
  });
}
