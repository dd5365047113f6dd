import { list, principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { settled, startWorker } from '../support/metadata.ts';
import { alice, type PoxBlock, poxBlock } from '../support/pox-chain.ts';
import { foldAll } from '../support/service.ts';

/** A chain with marbles, and further blocks in which the contract prints notices about them. */
async function marbles(t: Parameters<typeof testDatabase>[0] & object) {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(24);
  await foldAll(db, devnet.posted);
  const reads = new Map<string, number>();
  startWorker(t, db.sql, devnet.node, {
    source: async (_uri, number) => {
      reads.set(String(number), (reads.get(String(number)) ?? 0) + 1);
      return { metadata: { name: `Marble ${number}`, raw: {} }, locales: new Map() };
    },
    nodeHeight: async height => height,
  });
  await settled(db.sql);
  const contract = devnet.residents.contract('marbles');
  let tip = devnet.node.tip as unknown as PoxBlock;
  const notice = (payload: Record<string, ClarityValue>, by: string) => ({
    contract: by,
    value: tuple({
      notification: stringAscii('token-metadata-update'),
      payload: tuple({ 'token-class': stringAscii('nft'), 'contract-id': principal(contract), ...payload }),
    }),
  });
  return {
    ...db,
    /** Mines a block with a notice, and says which tokens were read because of it. */
    async announce(payload: Record<string, ClarityValue>, { by = contract, parent = tip, branch = 'a' } = {}) {
      reads.clear();
      tip = poxBlock(parent, { events: [notice(payload, by)] }, branch);
      await foldAll(db, [tip]);
      await settled(db.sql);
      return [...reads.keys()].sort((a, b) => Number(a) - Number(b));
    },
    tip: () => tip,
    async refreshes() {
      const rows = await db.sql<{ number: string; seconds: number | null }[]>`
        select t.number, extract(epoch from t.refresh_at - now())::int as seconds
        from tokens t join token_contracts c on c.id = t.contract where c.asset = 'marble' order by t.number limit 2
      `;
      return rows.map(row => row.seconds);
    },
  };
}

const ids = (...numbers: number[]) => ({ 'token-ids': list(numbers.map(number => uint(number))) });
const mode = (text: string) => ({ 'update-mode': stringAscii(text) });
const week = 7 * 86_400;

test('a notice has the named tokens read again, or all; that of a stranger has none', async t => {
  const { announce } = await marbles(t);
  expect(await announce(ids(1, 3, 999))).toEqual(['1', '3']);
  expect((await announce({})).length).toBeGreaterThan(3);
  expect(await announce({}, { by: `${alice}.other` })).toEqual([]);
});

test('a frozen token ignores later notices and is not read again by age', async t => {
  const { announce, refreshes } = await marbles(t);
  expect(await announce({ ...ids(1), ...mode('frozen') })).toEqual(['1']);
  expect(await refreshes()).toEqual([null, expect.any(Number)]);
  expect(await announce(ids(1, 2))).toEqual(['2']);
  expect((await announce({})).includes('1')).toBe(false);
});

test('a dynamic token is read again after its ttl, or after a day', async t => {
  const { announce, refreshes } = await marbles(t);
  await announce({ ...ids(1), ...mode('dynamic'), ttl: uint(3_600) });
  await announce({ ...ids(2), ...mode('dynamic') });
  const [first, second] = await refreshes();
  expect(first).toBeGreaterThan(3_500);
  expect(first).toBeLessThanOrEqual(3_600);
  expect(second).toBeGreaterThan(86_000);
  expect(second).toBeLessThanOrEqual(86_400);
  await announce({ ...ids(1), ...mode('standard') });
  expect((await refreshes())[0]).toBeGreaterThan(week * 0.7);
});

test('a token that a lost block froze is thawed', async t => {
  const { announce, refreshes, tip } = await marbles(t);
  const base = tip();
  await announce({ ...ids(1), ...mode('frozen') });
  expect((await refreshes())[0]).toBeNull();
  const other = await announce(ids(2), { parent: base, branch: 'b' });
  void other;
  expect(await announce(ids(2))).toContain('2');
  expect((await refreshes())[0]).toBeGreaterThan(week * 0.7);
  expect(await announce(ids(1))).toEqual(['1']);
});

test('a token whose age is reached is read again', async t => {
  const { sql } = await marbles(t);
  const [before] =
    await sql`select t.contract, t.number, t.read_at from tokens t where t.class = 2 order by 1, 2 limit 1`;
  await sql`update tokens set refresh_at = now() where contract = ${before!.contract} and number = ${before!.number}::numeric`;
  await expect
    .poll(async () => {
      const [row] =
        await sql`select t.read_at from tokens t where t.contract = ${before!.contract} and t.number = ${before!.number}::numeric`;
      return row!.read_at > before!.read_at;
    })
    .toBe(true);
});
