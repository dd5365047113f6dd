import { expect, test } from 'vitest';
import { UnboundedList } from '../../src/read/pages/unbounded-list-queries.ts';
import { listTransactions, type TransactionListQuery } from '../../src/read/transactions/list-queries.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { foldAll } from '../support/service.ts';

const list = (filter: TransactionListQuery['filter']): TransactionListQuery => ({
  ...{ filter, sortBy: 'block_height', order: 'desc', limit: 5, offset: 0 },
});

test('a count that stops says so, and a nonce of anybody is searched for everywhere or nowhere', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const line = mineLine(chain, chain.genesis, 8, { tenure: 'new', transactions: 4 });
  await foldAll(db, [chain.genesis, ...line].flatMap(messagesOf));
  const ask = (filter: TransactionListQuery['filter'], bounds?: { counted: number; searched: number }) =>
    listTransactions(db.sql, list(filter), false, bounds);

  const all = await ask({ outcome: 'success' });
  expect(all).toMatchObject({ atLeast: false });
  expect(all.total).toBeGreaterThan(8);
  const most = { counted: all.total - 1, searched: 10 };
  expect(await ask({ outcome: 'success' }, most)).toEqual({ ...all, total: all.total - 1, atLeast: true });
  expect(await ask({ outcome: 'success' }, { ...most, counted: all.total })).toEqual(all);

  const [counted] = await db.sql<{ total: number; last: number }[]>`
    select count(*)::int as total, max(b.burn_time) as last from transactions t join blocks b using (height)
  `;
  const { total, last } = counted!;
  const found = await ask({ nonce: 1 }, { counted: 100, searched: total });
  const [known] = await db.sql<{ total: number }[]>`select count(*)::int as total from transactions where nonce = 1`;
  expect(found.total).toBe(known!.total);
  expect(found.total).toBeGreaterThan(0);
  await expect(ask({ nonce: 1 }, { counted: 100, searched: total - 1 })).rejects.toThrow(UnboundedList);
  await expect(ask({ nonce: 1 }, { counted: 100, searched: total - 1 })).rejects.toThrow(/nonce .* from_address/);
  const [sender] = await db.sql<{ name: Buffer }[]>`
    select p.name from transactions t join principals p on p.id = t.sender where t.nonce = 1 limit 1
  `;
  expect((await ask({ nonce: 1, from: sender!.name }, { counted: 100, searched: 0 })).total).toBeGreaterThan(0);
  // Later than every block by more than times may disagree: nothing is left to search.
  expect((await ask({ nonce: 1, startTime: last + 20_000 }, { counted: 100, searched: 0 })).total).toBe(0);
});

test('transactions between two times are counted by the totals of blocks as one by one', async t => {
  const db = await testDatabase(t);
  const chain = testChain({ accounts: 3 });
  const line = mineLine(chain, chain.genesis, 150, { tenure: 'new', transactions: 2 });
  await foldAll(db, [chain.genesis, ...line].flatMap(messagesOf));
  const times = (await db.sql<{ time: number }[]>`select distinct b.burn_time as time from blocks b order by 1`).map(
    ({ time }) => time,
  );
  const [first, last] = [times[0]!, times.at(-1)!];
  // Long enough that most blocks lie between the times for certain.
  expect(last - first).toBeGreaterThan(4 * 14_400);
  const points = [undefined, first - 1, first, ...times.filter((_, i) => i % 50 === 20), last - 20_000, last, last + 1];
  const typesOf = [undefined, [0, 4]];
  for (const startTime of points) {
    for (const endTime of points) {
      for (const payloadIds of startTime === undefined && endTime === undefined ? [] : typesOf) {
        const filter = {
          ...(startTime !== undefined && { startTime }),
          ...(endTime !== undefined && { endTime }),
          ...(payloadIds && { payloadIds }),
        };
        const [counted] = await db.sql<{ total: number }[]>`
          select count(*)::int as total
          from transactions t
          join blocks b using (height)
          where b.burn_time between ${startTime ?? 0} and ${endTime ?? 2_000_000_000}
            and (${payloadIds === undefined} or t.type = any (${payloadIds ?? []}::int[]))
        `;
        const { total, atLeast } = await listTransactions(db.sql, list(filter));
        expect([filter, total, atLeast]).toEqual([filter, counted!.total, undefined]);
      }
    }
  }
});
