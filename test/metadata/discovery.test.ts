import { ok, stringAscii } from '@cairn-stacks/codec/clarity/build';
import { expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { rebuild } from '../../src/ingest/load/rebuild.ts';
import { discover } from '../../src/metadata/token-discovery.ts';
import { testDatabase } from '../support/database.ts';
import { type TestDevnet, testDevnet } from '../support/devnet.ts';
import { callerOf, settled, startWorker } from '../support/metadata.ts';
import { foldAll, testNetwork, until } from '../support/service.ts';

const step = { impatient: true, noticeMs: 0 };
const silent = { info() {}, warn() {}, error() {} };

/** What the tables say about tokens, without times. */
const tokensOf = (sql: Pool) => sql`
  select c.principal, c.class, t.number, t.name, t.supply, t.uri, t.error_code, t.metadata::text
  from tokens t join token_contracts c on c.id = t.contract
  order by c.principal, t.number
`;

/** What a worker finds on a fresh database that holds the same chain. */
async function expectedOf(
  t: Parameters<typeof testDatabase>[0] & object,
  devnet: TestDevnet,
  posted: TestDevnet['posted'],
) {
  const db = await testDatabase(t);
  await foldAll(db, posted);
  startWorker(t, db.sql, devnet.node);
  await settled(db.sql);
  return await tokensOf(db.sql);
}

test('a database that was folded before is searched from its first block on', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(30);
  await foldAll(db, devnet.posted);
  startWorker(t, db.sql, devnet.node);
  await settled(db.sql);
  const [stone] =
    await db.sql`select t.name, t.symbol, t.decimals, t.supply from tokens t where t.class = 1 and t.name = 'Stone'`;
  expect(stone).toMatchObject({ name: 'Stone', symbol: 'STONE', decimals: 6, supply: expect.stringMatching(/^\d+$/) });
  const [minted] = await db.sql`
    select count(distinct e.value)::int as tokens
    from events e join assets a on a.id = e.asset where e.kind = 9 and a.name = 'marble'
  `;
  const [found] = await db.sql`
    select count(*)::int as tokens from tokens t join token_contracts c on c.id = t.contract
    where c.asset = 'marble' and t.metadata is not null
  `;
  expect(found).toEqual(minted);
  expect(found!.tokens).toBeGreaterThan(2);
});

test('discovery goes on where it stopped, and finds the same block by block as at once', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  const worker = startWorker(t, db.sql, devnet.node);
  for (let i = 0; i < 4; i++) {
    const before = devnet.posted.length;
    devnet.live(6);
    await foldAll(db, devnet.posted.slice(before === 2 ? 0 : before));
    await settled(db.sql);
  }
  await worker.stop();
  expect(await tokensOf(db.sql)).toEqual(await expectedOf(t, devnet, devnet.posted));
});

test('a fork removes what only lost blocks had and reads again what was read in them', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(20);
  const before = devnet.posted.length;
  await foldAll(db, devnet.posted);
  startWorker(t, db.sql, devnet.node);
  await settled(db.sql);
  const [old] = await db.sql`select max(height) as height, min(read_at) as read_at from tokens`;
  devnet.wait(600);
  devnet.node.fork(12);
  await foldAll(db, devnet.posted.slice(before));
  await settled(db.sql);
  expect(await tokensOf(db.sql)).toEqual(await expectedOf(t, devnet, devnet.posted));
  const [again] = await db.sql`select min(read_at) as read_at from tokens`;
  expect(again!.read_at.getTime()).toBeGreaterThan(old!.read_at.getTime());
});

test('a contract of a lost block is not shown, and is found again when another block deploys it', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(4);
  await foldAll(db, devnet.posted);
  const before = devnet.posted.length;
  startWorker(t, db.sql, devnet.node);
  await settled(db.sql);
  const contracts = () =>
    db.sql`select c.principal, c.height from token_contracts c where c.height > 1 or c.class = 1 order by 1`;
  const first = await contracts();
  expect(first.length).toBeGreaterThan(0);
  devnet.node.fork(4);
  await foldAll(db, devnet.posted.slice(before));
  await settled(db.sql);
  const lost = await contracts();
  devnet.live(3);
  const rest = devnet.posted.length;
  await foldAll(db, devnet.posted.slice(-rest + before));
  await settled(db.sql);
  expect((await contracts()).length).toBeGreaterThanOrEqual(lost.length);
  expect(await tokensOf(db.sql)).toEqual(await expectedOf(t, devnet, devnet.posted));
});

test('two processes that discover at once move the cursor once for each page', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(12);
  await foldAll(db, devnet.posted);
  const moved = await Promise.all(Array.from({ length: 4 }, () => discover(db.sql, step)));
  expect(moved.reduce((sum, blocks) => sum + blocks)).toBe(12);
  const [cursor] = await db.sql`select d.height from token_discovery d`;
  expect(cursor).toEqual({ height: 12 });
});

test('a discovery that is killed half-way is repeated as a whole', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(12);
  await foldAll(db, devnet.posted);
  // The last statement of the transaction fails.
  await db.sql`alter table token_discovery add constraint killed check (height = 0)`;
  await expect(discover(db.sql, step)).rejects.toThrow('killed');
  expect(await db.sql`select 1 from token_contracts union all select 1 from token_jobs`).toHaveLength(0);
  await db.sql`alter table token_discovery drop constraint killed`;
  expect(await discover(db.sql, step)).toBe(12);
});

test('a worker that is killed loses nothing: another one finishes its jobs', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(16);
  await foldAll(db, devnet.posted);
  // It takes jobs and ends none of them before the others have taken them over.
  let asked = 0;
  let goOn = () => {};
  const stuck = new Promise<void>(resolve => {
    goOn = resolve;
  });
  const wrong = { value: ok(stringAscii('too late')) };
  startWorker(t, db.sql, devnet.node, {
    leaseMs: 300,
    call: async (...args) => {
      if (asked++ < 3) return await callerOf(devnet.node)(...args);
      await stuck;
      return wrong;
    },
  });
  await until(async () => asked > 3);
  startWorker(t, db.sql, devnet.node);
  await settled(db.sql);
  goOn();
  expect(await tokensOf(db.sql)).toEqual(await expectedOf(t, devnet, devnet.posted));
});

test('a rebuild leaves metadata alone, although it numbers principals anew', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(16);
  await foldAll(db, devnet.posted);
  startWorker(t, db.sql, devnet.node);
  await settled(db.sql);
  const before = await tokensOf(db.sql);
  const [times] = await db.sql`select max(read_at) as at from tokens`;
  await rebuild({ url: db.url, network: testNetwork, log: silent });
  await settled(db.sql);
  expect(await tokensOf(db.sql)).toEqual(before);
  expect(await db.sql`select max(read_at) as at from tokens`).toMatchObject([times]);
});

test('a call to which no node responds is repeated after a pause, not at once', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(12);
  await foldAll(db, devnet.posted);
  let calls = 0;
  startWorker(t, db.sql, devnet.node, {
    call: async () => {
      calls++;
      return undefined;
    },
  });
  await settled(db.sql);
  const [jobs] = await db.sql`select count(*)::int as waiting, max(attempts) as attempts from token_jobs`;
  expect(jobs!.waiting).toBeGreaterThan(2);
  expect(jobs!.attempts).toBe(0);
  expect(calls).toBeLessThanOrEqual(5 * jobs!.waiting);
});

test('nothing is read while nodes are behind the index, and reading goes on when they are not', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(12);
  await foldAll(db, devnet.posted);
  const paused: boolean[] = [];
  let height: number | undefined;
  startWorker(t, db.sql, devnet.node, {
    nodeHeight: async () => height,
    counts: { paused: state => void paused.push(state) },
  });
  await until(async () => (await db.sql`select 1 from token_jobs`).length > 0 && paused.length > 2);
  expect(await db.sql`select 1 from tokens where read_at is not null`).toHaveLength(0);
  expect(paused).not.toContain(false);
  height = devnet.node.tip.height;
  await settled(db.sql);
  expect(await db.sql`select 1 from tokens where read_at is null`).toHaveLength(0);
});
