import { readFileSync } from 'node:fs';
import { uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Action } from '@cairn-stacks/devnet/chain/action';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addressAt, transfer } from '../support/mempool.ts';
import { type Ask, good } from '../support/rosetta.ts';
import { rosettaData } from '../support/rosetta-data.ts';
import { foldAll } from '../support/service.ts';

type Operation = {
  operation_identifier: { index: number };
  type: string;
  status: string;
  account?: { address: string };
  amount?: { value: string };
  metadata?: Record<string, unknown>;
};
type Shown = { transaction_identifier: { hash: string }; operations: Operation[]; metadata?: Record<string, unknown> };
type Block = {
  block_identifier: { index: number; hash: string };
  parent_block_identifier: { index: number; hash: string };
  timestamp: number;
  transactions: Shown[];
};

const [sender, sponsor, receiver] = [addressAt(1), addressAt(2), addressAt(3)] as const;
const actions: Action[] = [
  { kind: 'transfer', from: 1, to: receiver, amount: 700n, fee: 11n, memo: 'for you' },
  { kind: 'transfer', from: 1, to: receiver, amount: 5n, fee: 12n, sponsor: 2 },
  { kind: 'transfer', from: 1, to: receiver, amount: 9n, fee: 13n, fails: 'post_condition' },
];

const chain = testChain({ seed: 2 });
const first = chain.mine(chain.genesis, { transactions: 3 });
const left = [first, ...mineLine(chain, first, 3, { transactions: 2 })];
const right = mineLine(chain, left[1]!, 1, { transactions: actions });
right.push(...mineLine(chain, right[0]!, 4, { transactions: 3 }));
const canonical = [...left.slice(0, 2), ...right];
const special = right[0]!;
const tip = canonical.at(-1)!;
const pending = transfer({ from: 4, nonce: 50, to: 3, sponsor: { account: 2, nonce: 77 } });

let db: TestDatabase;
let ask: Ask;
let compat: Ask;

beforeAll(async () => {
  db = await testDatabase();
  const messages = [chain.genesis, ...left, ...right].flatMap(messagesOf);
  await foldAll(db, [...messages, mempoolMessage([pending])]);
  const nodes = { tipHeight: async () => tip.height + 1, peers: async () => ['aa'] };
  const callReadOnly = async (_contract: string, name: string) =>
    name === 'away' ? undefined : name === 'fails' ? { failed: 'no such function' } : { value: uint(7) };
  ask = rosettaData(db.sql, { nodes, callReadOnly });
  compat = rosettaData(db.sql, { nodes, callReadOnly, compat: true });
});
afterAll(() => db.drop());

const blockAt = async (asker: Ask, block_identifier: object) =>
  (await good(asker('/block', { block_identifier }))).block as Block;
const identifier = ({ height: index, hash }: BuiltBlock) => ({ index, hash });
const codeOf = async (answer: ReturnType<Ask>) => {
  const { status, body } = await answer;
  return [status, body.code, body.retriable];
};
const moves = ({ operations }: Shown) =>
  operations.map(({ type, status, account, amount }) => [type, status, account?.address, amount?.value]);

test('the status names the tip, the first block, the peers and how far the nodes are', async () => {
  const status = await good(ask('/network/status'));
  expect(status).toMatchObject({
    current_block_identifier: identifier(tip),
    genesis_block_identifier: identifier(canonical[0]!),
    peers: [{ peer_id: 'aa' }],
    sync_status: { current_index: tip.height, target_index: tip.height + 1, synced: false },
  });
  const alone = await good(rosettaData(db.sql)('/network/status'));
  expect(alone).toMatchObject({ peers: [] });
  expect(alone).not.toHaveProperty('sync_status');
});

test('an index without blocks says so', async t => {
  const empty = rosettaData((await testDatabase(t)).sql);
  expect(await codeOf(empty('/network/status'))).toEqual([500, 605, true]);
  expect(await codeOf(empty('/events/blocks'))).toEqual([500, 605, true]);
  expect(await codeOf(empty('/block', { block_identifier: {} }))).toEqual([500, 605, true]);
  expect(await good(empty('/search/transactions'))).toEqual({ transactions: [], total_count: 0 });
});

test('blocks are found by height, by hash, and without either; each names its parent', async () => {
  for (const block of canonical) {
    const shown = await blockAt(ask, { index: block.height });
    expect(shown.block_identifier).toEqual(identifier(block));
    expect(shown.parent_block_identifier).toEqual(identifier(block.height === 1 ? block : block.parent!));
    expect(await blockAt(ask, { hash: block.hash })).toEqual(shown);
    expect(await blockAt(ask, { hash: block.hash.slice(2) })).toEqual(shown);
  }
  expect((await blockAt(ask, {})).block_identifier).toEqual(identifier(tip));
  expect(await codeOf(ask('/block', { block_identifier: { index: 99_999 } }))).toEqual([500, 605, true]);
  expect(await codeOf(ask('/block', { block_identifier: { index: 99_999_999_999 } }))).toEqual([500, 605, true]);
  expect(await codeOf(ask('/block', { block_identifier: { hash: 'zz' } }))).toEqual([500, 606, true]);
  expect(await codeOf(ask('/block', { block_identifier: { index: 'x' } }))).toEqual([500, 604, false]);
  expect((await blockAt(compat, { index: 'x' })).block_identifier).toEqual(identifier(tip));
});

test('an index of 0 is block 0, and what names no block is refused with what to change', async () => {
  const zero = { index: 0, hash: canonical[0]!.parent!.hash };
  expect((await blockAt(ask, { index: 0 })).block_identifier).toEqual(zero);
  expect((await blockAt(ask, zero)).block_identifier).toEqual(zero);
  const account_identifier = { address: receiver };
  const wrong: [object, number][] = [
    [{ index: -1 }, 604],
    [{ hash: '' }, 606],
    [{ index: tip.height, hash: canonical[0]!.hash }, 606],
    [{ index: 0, hash: tip.hash }, 606],
  ];
  for (const [block_identifier, code] of wrong) {
    for (const answer of [
      await ask('/block', { block_identifier }),
      await ask('/account/balance', { account_identifier, block_identifier }),
    ]) {
      expect(answer).toMatchObject({ status: 500, body: { code, details: { message: expect.any(String) } } });
    }
  }
  expect(await codeOf(ask('/block', { block_identifier: { ...zero, index: 1 } }))).toEqual([500, 606, true]);
  const transaction_identifier = { hash: tip.hash };
  for (const [block_identifier, code] of wrong.slice(0, 2)) {
    const answer = ask('/block/transaction', { block_identifier, transaction_identifier });
    expect((await codeOf(answer)).slice(0, 2)).toEqual([500, code]);
  }
  const before = await ask('/account/balance', { account_identifier, block_identifier: { index: 0 } });
  expect(before).toMatchObject({
    status: 500,
    body: { code: 605, details: { message: expect.stringContaining('begin with block 1') } },
  });
  expect((await blockAt(compat, { index: 0 })).block_identifier).toEqual(identifier(tip));
});

test('an address of another network is no account here', async () => {
  const address = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
  const details = { message: `${address} is no address of testnet` };
  for (const [path, body] of [
    ['/account/balance', { account_identifier: { address } }],
    ['/account/balance', { account_identifier: { address: `${address}.x` } }],
    ['/search/transactions', { address }],
    ['/call', { method: 'account_nonces', parameters: { address } }],
  ] as const) {
    expect(await ask(path, body)).toMatchObject({ status: 500, body: { code: 601 } });
  }
  expect((await ask('/search/transactions', { address })).body.details).toEqual(details);
  expect((await compat('/account/balance', { account_identifier: { address } })).status).toBe(200);
});

test('what a fork took back is gone; the incumbent still shows the shell of it', async () => {
  const orphan = left.at(-1)!;
  expect(await codeOf(ask('/block', { block_identifier: { hash: orphan.hash } }))).toEqual([500, 605, true]);
  expect(await blockAt(compat, { hash: orphan.hash })).toMatchObject({ transactions: [] });
});

test('the first block shows what accounts began with, but not to clients of the incumbent', async () => {
  const mints = ({ transactions }: Block) =>
    transactions.flatMap(({ operations }) => operations.filter(({ type }) => type === 'token_mint'));
  expect(mints(await blockAt(ask, { index: 1 })).length).toBeGreaterThan(3);
  const types = (await blockAt(compat, { index: 1 })).transactions.flatMap(({ operations }) =>
    operations.map(o => o.type),
  );
  expect(types.filter(type => type.includes('mint'))).toEqual([]);
});

test('fees are paid by whoever paid them, also for what failed', async () => {
  const { transactions } = await blockAt(ask, { index: special.height });
  const [, plain, sponsored, failed] = transactions.slice(-4);
  expect(moves(plain!)).toEqual([
    ['fee', 'success', sender, '-11'],
    ['token_transfer', 'success', sender, '-700'],
    ['token_transfer', 'success', receiver, '700'],
  ]);
  expect(plain!.metadata).toEqual({ memo: 'for you' });
  expect(plain!.operations[1]!.metadata).toEqual({ memo: 'for you' });
  expect(moves(sponsored!)[0]).toEqual(['fee', 'success', sponsor, '-12']);
  expect(moves(failed!)).toEqual([
    ['fee', 'success', sender, '-13'],
    ['token_transfer', 'abort_by_post_condition', sender, '-9'],
    ['token_transfer', 'abort_by_post_condition', receiver, '9'],
  ]);
  const old = (await blockAt(compat, { index: special.height })).transactions.slice(-2);
  expect(old.map(shown => moves(shown)[0])).toEqual([
    ['fee', 'success', sender, '-12'],
    ['fee', 'abort_by_post_condition', sender, '-13'],
  ]);
});

test('a transaction is the same alone as in its block, and wrapped as the specification has it', async () => {
  for (const block of canonical) {
    const { block_identifier, transactions } = await blockAt(ask, { index: block.height });
    for (const transaction of transactions) {
      const { transaction_identifier } = transaction;
      expect(await good(ask('/block/transaction', { block_identifier, transaction_identifier }))).toEqual({
        transaction,
      });
    }
    const { transactions: told } = await blockAt(compat, { index: block.height });
    const { transaction_identifier } = told.at(-1)!;
    expect(await good(compat('/block/transaction', { block_identifier, transaction_identifier }))).toEqual(told.at(-1));
  }
  const named = (hash: string) => ({ block_identifier: identifier(tip), transaction_identifier: { hash } });
  const elsewhere = named(special.transactions.at(-1)!.txId);
  expect(await codeOf(ask('/block/transaction', elsewhere))).toEqual([500, 607, true]);
  expect((await compat('/block/transaction', elsewhere)).status).toBe(200);
  expect(await codeOf(ask('/block/transaction', { ...elsewhere, block_identifier: { hash: 'x' } }))).toEqual([
    500,
    606,
    true,
  ]);
  expect(await codeOf(ask('/block/transaction', named(`0x${'ab'.repeat(32)}`)))).toEqual([500, 607, true]);
  expect(await codeOf(ask('/block/transaction', named('')))).toEqual([500, 608, true]);
  expect(await codeOf(ask('/block/transaction', named('abc')))).toEqual([500, 608, true]);
  expect(await codeOf(ask('/block/transaction', named(tip.hash)))).toEqual([500, 607, true]);
});

test('balances are returned for the tip and for a block, in full and in parts', async () => {
  const account_identifier = { address: receiver };
  const balance = async (block: BuiltBlock) => {
    const answer = await good(
      ask('/account/balance', { account_identifier, block_identifier: { index: block.height } }),
    );
    expect(answer.block_identifier).toEqual(identifier(block));
    return BigInt((answer.balances as { value: string }[])[0]!.value);
  };
  const before = special.parent!;
  expect((await balance(special)) - (await balance(before))).toBe(
    (special.state.stx.get(receiver) ?? 0n) - (before.state.stx.get(receiver) ?? 0n),
  );
  const parts = await Promise.all(
    ['SpendableBalance', 'StackedBalance', 'VestingLockedBalance'].map(address =>
      good(ask('/account/balance', { account_identifier: { address: receiver, sub_account: { address } } })),
    ),
  );
  const [spendable, stacked, vesting] = parts.map(({ balances }) =>
    BigInt((balances as { value: string }[])[0]!.value),
  );
  expect(spendable).toBe(await balance(tip));
  expect(spendable! + stacked!).toBe(tip.state.stx.get(receiver));
  expect(vesting).toBe(0n);
  const stx = { symbol: 'STX', decimals: 6 };
  const of = (currencies: object[]) => good(ask('/account/balance', { account_identifier, currencies }));
  expect((await of([stx])).balances).toHaveLength(1);
  expect((await of([{ symbol: 'X', decimals: 1 }])).balances).toEqual([]);
});

test.each([
  [{ account_identifier: { address: 'nobody' } }, 601],
  [{ account_identifier: { address: receiver, sub_account: { address: 'bogus' } } }, 641],
  [{ account_identifier: {} }, 609],
  [{}, 609],
  [{ account_identifier: { address: receiver }, block_identifier: { index: 77_777 } }, 605],
  [{ account_identifier: { address: receiver }, block_identifier: { hash: 'ab' } }, 606],
  [{ account_identifier: { address: receiver }, block_identifier: { index: 1, hash: `0x${'ab'.repeat(32)}` } }, 605],
  [{ account_identifier: { address: receiver }, junk: 1 }, 609],
])('a balance of %j is refused with %i', async (body, code) => {
  expect((await codeOf(ask('/account/balance', body)))[1]).toBe(code);
});

test('pending transactions are listed and shown, with the sponsor as payer', async () => {
  const transaction_identifier = { hash: pending.txId };
  // What the fork took back is pending again.
  const { transaction_identifiers } = await good(ask('/mempool'));
  expect(transaction_identifiers).toContainEqual(transaction_identifier);
  const { transaction } = await good(ask('/mempool/transaction', { transaction_identifier }));
  expect(moves(transaction as Shown)).toEqual([
    ['fee', 'pending', sponsor, '-200'],
    ['token_transfer', 'pending', addressAt(4), '-1000'],
    ['token_transfer', 'pending', receiver, '1000'],
  ]);
  const { transaction: told } = await good(compat('/mempool/transaction', { transaction_identifier }));
  expect(moves(told as Shown)[0]).toEqual(['fee', '', addressAt(4), '-200']);
  const mined = special.transactions.at(-1)!.txId;
  const ofMined = { transaction_identifier: { hash: mined } };
  expect(await codeOf(ask('/mempool/transaction', ofMined))).toEqual([500, 607, true]);
});

test('block events have no gaps, and following them leads to the chain', async () => {
  type Event = { sequence: number; type: string; block_identifier: { index: number; hash: string } };
  const page = async (body: object) => await good(ask('/events/blocks', body));
  const all: Event[] = [];
  for (;;) {
    const { events, max_sequence } = await page({ offset: all.length, limit: 2 });
    all.push(...(events as Event[]));
    if (all.length > (max_sequence as number)) break;
  }
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i));
  const line: { index: number; hash: string }[] = [];
  for (const { type, block_identifier } of all) {
    if (type === 'block_added') line.push(block_identifier);
    else expect(line.pop()).toEqual(block_identifier);
  }
  expect(line).toEqual(canonical.map(identifier));
  expect(all.filter(({ type }) => type === 'block_removed')).toHaveLength(2);
  const newest = await page({ limit: 3 });
  expect(newest.events).toEqual(all.slice(-3));
  expect((await page({ offset: 10_000 })).events).toEqual([]);
  expect(await codeOf(ask('/events/blocks', { offset: -1 }))).toEqual([500, 609, false]);
});

test('an older database numbers its block events as a new one does', async () => {
  const numbers = () => db.sql`select seq, block_events from journal order by seq`;
  const before = await numbers();
  const migration = readFileSync(new URL('../../src/db/migrations/0011-rosetta.sql', import.meta.url), 'utf8');
  const [update] = /update journal.*?j\.seq;/s.exec(migration)!;
  await db.sql`update journal set block_events = 0`;
  await db.sql.unsafe(update);
  expect(await numbers()).toEqual(before);
});

const found = async (body: object) => {
  const { transactions, total_count, next_offset } = await good(ask('/search/transactions', body));
  const hashes = (transactions as { transaction: Shown }[]).map(
    ({ transaction }) => transaction.transaction_identifier.hash,
  );
  return { hashes, total_count, next_offset };
};

test('a search pages through all transactions, or those of a type or an account', async () => {
  const blocks = await Promise.all(canonical.map(({ height }) => blockAt(ask, { index: height })));
  const all = blocks.flatMap(({ transactions }) => transactions).reverse();
  const hashOf = (shown: Shown) => shown.transaction_identifier.hash;
  const pages: string[] = [];
  for (let offset: unknown = 0; offset !== undefined; ) {
    const page = await found({ offset, limit: 4 });
    expect(page.total_count).toBe(all.length);
    pages.push(...page.hashes);
    offset = page.next_offset;
  }
  expect(pages).toEqual(all.map(hashOf));
  const transfers = all.filter(({ operations }) => operations[1]?.type === 'token_transfer' && operations.length === 3);
  const typed = await found({ type: 'token_transfer', limit: 100 });
  expect(typed.hashes).toEqual(expect.arrayContaining(transfers.map(hashOf)));
  const below = await found({ max_block: 2, limit: 100 });
  expect(below.hashes).toEqual(
    blocks
      .slice(0, 2)
      .flatMap(({ transactions }) => transactions)
      .reverse()
      .map(hashOf),
  );
  expect(below.total_count).toBe(below.hashes.length);
  const ours = await found({ address: sponsor, limit: 100 });
  expect(ours.hashes).toContain(special.transactions.at(-2)!.txId);
  expect(ours.total_count).toBe(ours.hashes.length);
  expect(await found({ account_identifier: { address: sponsor }, limit: 100 })).toEqual(ours);
});

test('a search for one transaction holds it against every other condition', async () => {
  const transaction_identifier = { hash: special.transactions.at(-1)!.txId };
  const count = async (more: object) => (await found({ transaction_identifier, ...more })).total_count;
  expect(await count({})).toBe(1);
  expect(await count({ address: sender, type: 'fee', status: 'abort_by_post_condition', success: false })).toBe(1);
  expect(await count({ success: true })).toBe(0);
  expect(await count({ address: addressAt(4) })).toBe(0);
  expect(await count({ max_block: special.height - 1 })).toBe(0);
  expect(await count({ operator: 'or' })).toBe(1);
});

test.each([
  [{ coin_identifier: { identifier: 'x' } }, /coin_identifier/],
  [{ currency: { symbol: 'BTC', decimals: 8 } }, /currency/],
  [{ status: 'success' }, /status/],
  [{ success: true }, /success/],
  [{ type: 'miner_reward' }, /type must be one of/],
  [{ address: receiver, type: 'token_transfer' }, /leave one of them out/],
  [{ operator: 'or', address: receiver, transaction_identifier: { hash: 'x' } }, /operator or/],
  [{ operator: 'xor' }, /operator/],
  [{ limit: 0 }, /limit/],
])('a search by %j is refused with what to change', async (body, text) => {
  const { status, body: answer } = await ask('/search/transactions', body);
  expect([status, answer.retriable]).toEqual([500, false]);
  expect((answer.details as { message: string }).message).toMatch(text);
});

test('a call reads a contract through the nodes, and tells nonces', async () => {
  const contract_id = 'ST000000000000000000002AMW42H.pox-4';
  const call = (parameters: object) => ask('/call', { method: 'call_read_only', parameters });
  const argument = toHex(encodeClarity(uint(1)));
  const { result } = await good(call({ contract_id, function_name: 'get-pox-info', arguments: [argument] }));
  expect(decodeClarity(fromHex((result as { result: { hex: string } }).result.hex))).toEqual(uint(7));
  const failed = await good(call({ contract_id, function_name: 'fails' }));
  expect(failed.result).toEqual({ okay: false, cause: 'no such function' });
  expect(await codeOf(call({ contract_id, function_name: 'away' }))).toEqual([500, 646, true]);
  expect(await codeOf(call({ contract_id, function_name: 'x', arguments: ['zz'] }))).toEqual([500, 609, false]);
  expect(await codeOf(call({ contract_id: receiver, function_name: 'x' }))).toEqual([500, 609, false]);
  expect(await codeOf(call({ contract_id }))).toEqual([500, 609, false]);
  expect(await codeOf(ask('/call', { method: 'nope' }))).toEqual([500, 609, false]);
  const nonces = await good(ask('/call', { method: 'account_nonces', parameters: { address: addressAt(4) } }));
  expect(nonces.result).toMatchObject({ last_mempool_tx_nonce: 50, possible_next_nonce: 51 });
  const { allow } = (await good(ask('/network/options'))) as { allow: { call_methods: string[] } };
  expect(allow.call_methods).toEqual([
    'call_read_only',
    'account_nonces',
    'contract_get_interface',
    'contract_get_source',
  ]);
});
