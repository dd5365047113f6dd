import { expect, test } from 'vitest';
import { listNftPositions } from '../../src/read/tokens/nft-positions-queries.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { foldAll, testNetwork } from '../support/service.ts';

test('NFTs and their number are of one moment while they come and go', async t => {
  const db = await testDatabase(t);
  const { posted, live } = testDevnet();
  live(24);
  await foldAll(db, posted, { network: { ...testNetwork, name: 'devnet' } });
  const [owned] = await db.sql<{ owner: number; principal: Buffer; asset: number; value: Buffer }[]>`
    select n.owner, p.name as principal, n.asset, n.value
    from nft_current n
    join principals p on p.id = n.owner
    order by n.asset, n.value
    limit 1
  `;
  const { owner, principal, asset, value } = owned!;
  const page = { cursor: undefined, limit: 200 };
  const all = await listNftPositions(db.sql, principal, page);
  expect(all.total).toBe(all.rows.length);

  const setReceived = (by: number) =>
    db.sql.begin(async sql => {
      await sql`
      update nft_balances
      set received = received + ${by}
      where principal = ${owner} and asset = ${asset}
    `;
      await sql`update nft_current set owner = ${by > 0 ? owner : -1} where asset = ${asset} and value = ${value}`;
      await sql`update fold_position set revision = default`;
    });
  let moving = true;
  const moves = (async () => {
    while (moving) for (const by of [-1, 1]) await setReceived(by);
  })();
  const totals = new Set<number>();
  for (let i = 0; i < 300; i++) {
    const { total, rows } = await listNftPositions(db.sql, principal, page);
    expect(total).toBe(rows.length);
    totals.add(total);
  }
  moving = false;
  await moves;
  expect(totals).toEqual(new Set([all.total, all.total - 1]));
});
