import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { Auditor } from '../../src/audit/auditor.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldAll, until } from '../support/service.ts';

/** A chain with every kind of asset on it, and a fork that lost. */
function messages() {
  const chain = testChain({ seed: 11 });
  const { genesis } = chain;
  const trunk = mineLine(chain, genesis, 30, { transactions: 6 });
  const loser = mineLine(chain, trunk[24]!, 3);
  const winner = mineLine(chain, trunk[24]!, 10, { transactions: 6 });
  return [genesis, ...trunk, ...loser, ...winner].flatMap(messagesOf);
}

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await foldAll(db, messages());
});
afterAll(() => db.drop());

test('a folded chain with forks has no finding', async () => {
  expect(await auditAll(db.sql)).toEqual([]);
});

describe('a row corrupted on purpose is found', () => {
  const one = (table: string, where = 'true') =>
    `(select ctid from ${table} where ${where} order by height desc limit 1)`;
  const corruptions: [table: string, change: string][] = [
    ['blocks', `update blocks set parent_index_hash = '\\x00' where ctid = ${one('blocks')}`],
    ['blocks', `update blocks set supply = supply + 1 where ctid = ${one('blocks')}`],
    ['blocks', `update blocks set tx_total = tx_total + 1 where ctid = ${one('blocks')}`],
    ['blocks', `update blocks set state_hash = '\\x00' where ctid = ${one('blocks')}`],
    [
      'stx_balances',
      `update stx_balances set received = coalesce(received, 0) + 1 where ctid = ${one('stx_balances')}`,
    ],
    ['stx_balances', `update stx_balances set fees = 10 ^ 18 where ctid = ${one('stx_balances')}`],
    [
      'ft_balances',
      `update ft_balances set received = received + 1 where ctid = ${one('ft_balances', 'received > 0')}`,
    ],
    ['nft_history', `update nft_history set recipient = sender + 1 where ctid = ${one('nft_history')}`],
    ['events', `update events set amount = amount + 1 where ctid = ${one('events', 'kind = 1')}`],
    ['events', `delete from events where ctid = ${one('events', 'kind = 11')}`],
    ['transactions', `update transactions set fee = fee + 1 where ctid = ${one('transactions', 'fee > 0')}`],
    ['transactions', `delete from transactions where ctid = ${one('transactions', 'event_count = 0')}`],
    ['miner_rewards', `update miner_rewards set coinbase = coinbase + 1 where ctid = ${one('miner_rewards')}`],
    [
      'principal_transactions',
      `update principal_transactions set seq = seq + 1 where ctid = ${one('principal_transactions', 'seq > 1')}`,
    ],
    [
      'contract_log_totals',
      `update contract_log_totals set total = total + 1 where ctid = ${one('contract_log_totals')}`,
    ],
    ['asset_totals', `update asset_totals set supply = supply + 1 where ctid = ${one('asset_totals')}`],
    ['holders', 'update holders set balance = balance + 1 where ctid = (select ctid from holders limit 1)'],
    ['nft_holders', 'update nft_holders set balance = balance + 1 where ctid = (select ctid from nft_holders limit 1)'],
    ['nft_current', `update nft_current set owner = owner + 1 where ctid = ${one('nft_current')}`],
  ];
  test.each(corruptions)('in %s: %s', async (_table, change) => {
    const rolledBack = new Error('the corruption is undone');
    await db.sql
      .begin(async sql => {
        const result = await sql.unsafe(change);
        expect(result.count).toBe(1);
        const findings = await auditAll(sql);
        expect(findings.filter(f => f.reason === undefined)).not.toEqual([]);
        throw rolledBack;
      })
      .catch(error => {
        if (error !== rolledBack) throw error;
      });
  });
});

test('the continuous audit follows the tip, writes down what it finds and says it aloud', async t => {
  const own = await testDatabase(t);
  await foldAll(own, messages());
  await own.sql`update blocks set supply = supply + 1 where height = 12`;
  const shouted: object[] = [];
  const auditor = new Auditor(own.sql, { error: details => shouted.push(details), warn() {} });
  auditor.start();
  await until(async () => {
    const [row] = await own.sql<{ height: number }[]>`select height from audit_position`;
    return row!.height === 35;
  });
  await auditor.stop();
  const found = await own.sql<{ check_name: string; subject: string }[]>`
    select check_name, subject from audit_findings order by id
  `;
  expect(found.map(f => `${f.check_name} ${f.subject}`)).toEqual(['supply block 12', 'supply block 13']);
  expect(shouted).toMatchObject([
    { faults: 2, first: [{ check: 'supply', subject: 'block 12' }, { subject: 'block 13' }] },
  ]);
});

test('after a fork, however deep, the continuous audit looks at every block of the new branch', async t => {
  const own = await testDatabase(t);
  const chain = testChain({ seed: 13 });
  const [trunk, ...losers] = mineLine(chain, chain.genesis, 204, { transactions: 0 });
  const winners = mineLine(chain, trunk!, 204, { transactions: 0 });
  const auditTo = async (height: number) => {
    const auditor = new Auditor(own.sql, { error() {}, warn() {} });
    auditor.start();
    await until(async () => (await own.sql`select 1 from audit_position where height = ${height}`).length > 0);
    await auditor.stop();
  };
  await foldAll(own, [chain.genesis, trunk!, ...losers].flatMap(messagesOf));
  await auditTo(204);
  await foldAll(own, winners.flatMap(messagesOf));
  await own.sql`update blocks set supply = supply + 1 where height = 2`;
  await auditTo(205);
  const found = await own.sql<{ subject: string }[]>`select subject from audit_findings order by id`;
  expect(found.map(({ subject }) => subject)).toEqual(['block 2', 'block 3']);
});

describe('a chain on which somebody spends what nobody gave', () => {
  const account = accountAt(77, false).address;
  const asset = 'ST000000000000000000002AMW42H.nothing::ghost';

  /** Blocks whose events move STX and tokens out of an empty account; made-up ids are no hash of anything. */
  function spending(ids: 'of a node' | 'made up') {
    const chain = testChain({ seed: 12 });
    const blocks = mineLine(chain, chain.genesis, 3, { transactions: 1, tenure: 'new' });
    const events = ['stx_transfer_event', 'ft_transfer_event'].map((type, event_index) => ({
      txid: blocks[1]!.transactions[0]!.txId,
      event_index: 1_000 + event_index,
      committed: true,
      type,
      [type]: { asset_identifier: asset, sender: account, recipient: 'ST000000000000000000002AMW42H', amount: '500' },
    }));
    const made = (id: unknown) => (ids === 'made up' ? String(id).replace(/^0x..../, '0x0000') : id);
    const [genesis, ...bodies] = [chain.genesis, ...blocks].map(({ body }) => body as Record<string, unknown>);
    const messages = bodies.map((body, i) => ({
      path: '/new_block',
      body: {
        ...body,
        index_block_hash: made(body.index_block_hash),
        parent_index_block_hash: i === 0 ? body.parent_index_block_hash : made(body.parent_index_block_hash),
        ...(i === 1 && { events: [...(body.events as object[]), ...events] }),
      },
    }));
    return [{ path: '/new_block', body: genesis! }, ...messages];
  }

  const debts = async (own: TestDatabase) =>
    (await auditAll(own.sql)).map(f => [
      f.check,
      f.subject.split(' ')[0],
      f.reason === undefined ? 'fault' : 'explained',
    ]);

  test('is a fault where a node must have executed it', async t => {
    const own = await testDatabase(t);
    await foldAll(own, spending('of a node'));
    expect(await debts(own)).toEqual([
      ['no negative balance', 'STX', 'fault'],
      ['no negative balance', 'ghost', 'fault'],
    ]);
  });

  test('has its reason where no node can have; a miscount there is still a fault', async t => {
    const own = await testDatabase(t);
    await foldAll(own, spending('made up'));
    expect(await debts(own)).toEqual([
      ['no negative balance', 'STX', 'explained'],
      ['no negative balance', 'ghost', 'explained'],
    ]);
    await own.sql`update ft_balances set sent = sent + 1 where sent > 0`;
    expect(await debts(own)).toContainEqual(['token sums', 'ghost', 'fault']);
  });
});
