import { expect, test } from 'vitest';
import { listLogs } from '../../src/read/contracts/logs-queries.ts';
import { eventKey } from '../../src/read/events/events-queries.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { foldAll, testNetwork } from '../support/service.ts';

test('a page of prints is the same whether its block is walked to or searched for', async t => {
  const db = await testDatabase(t);
  const { posted, live } = testDevnet();
  live(60);
  await foldAll(db, posted, { network: { ...testNetwork, name: 'devnet' } });
  const [busiest] = await db.sql<{ name: Buffer }[]>`
    select p.name
    from contract_log_totals c
    join principals p on p.id = c.contract
    order by c.total desc
    limit 1
  `;
  const all = await listLogs(db.sql, busiest!.name, { offset: 0, limit: 1000 });
  expect(all.total).toBeGreaterThan(10);
  expect(all.page).toHaveLength(all.total);
  for (let offset = 1; offset <= all.total + 1; offset++) {
    const places = all.page.slice(offset, offset + 3).map(eventKey);
    for (const most of [0, 1000]) {
      const { page } = await listLogs(db.sql, busiest!.name, { offset, limit: 3 }, most);
      expect(page.map(eventKey), `offset ${offset}`).toEqual(places);
    }
  }
});
