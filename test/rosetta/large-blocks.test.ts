import { parseNetwork } from '@cairn-stacks/codec/network';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../../src/rosetta/reconciliation.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addressAt } from '../support/mempool.ts';
import { type Ask, good } from '../support/rosetta.ts';
import { rosettaData } from '../support/rosetta-data.ts';
import { foldAll } from '../support/service.ts';

type Shown = {
  transaction_identifier: { hash: string };
  operations: { operation_identifier: { index: number }; account?: { address: string }; amount?: { value: string } }[];
  metadata?: { part?: number; parts?: number };
};
type Block = { block_identifier: { index: number; hash: string }; transactions: Shown[] };
type BlockAnswer = { block: Block; other_transactions?: { hash: string }[] };

const bounds = { ofPart: 10, ofBlock: 25 };
const chain = testChain({ seed: 3, accounts: 64 });
const line = mineLine(chain, chain.genesis, 3, { transactions: 30 });

let db: TestDatabase;
let whole: Ask;
let parted: Ask;
let compat: Ask;

beforeAll(async () => {
  db = await testDatabase();
  await foldAll(db, [chain.genesis, ...line].flatMap(messagesOf));
  whole = rosettaData(db.sql);
  parted = rosettaData(db.sql, { bounds });
  compat = rosettaData(db.sql, { bounds, compat: true });
});

afterAll(async () => await db?.drop());

const blockAt = async (ask: Ask, index: number) =>
  (await good(ask('/block', { block_identifier: { index } }))) as unknown as BlockAnswer;
const askPart = (ask: Ask, block: Block, hash: string) =>
  ask('/block/transaction', { block_identifier: block.block_identifier, transaction_identifier: { hash } });

/** The transactions of a block and all that it names besides. */
async function completeBlock(ask: Ask, index: number) {
  const { block, other_transactions = [] } = await blockAt(ask, index);
  const others: Shown[] = [];
  for (const { hash } of other_transactions) {
    const { transaction } = (await good(askPart(ask, block, hash))) as unknown as { transaction: Shown };
    expect(transaction.transaction_identifier.hash).toBe(hash);
    others.push(transaction);
  }
  return { block, others, all: [...block.transactions, ...others] };
}

function changesOf(transactions: Shown[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { account, amount } of transactions.flatMap(({ operations }) => operations)) {
    if (account && amount) sums.set(account.address, (sums.get(account.address) ?? 0n) + BigInt(amount.value));
  }
  return sums;
}

test('a block that fits has no other transactions', async () => {
  for (const index of [1, 2, 3]) expect(await blockAt(whole, index)).not.toHaveProperty('other_transactions');
});

test.each([1, 2, 3])('the parts of block %i add up to what it changed, and none is large', async index => {
  const { block, others, all } = await completeBlock(parted, index);
  const known = await blockAt(whole, index);
  expect(others.length).toBeGreaterThan(0);
  expect(new Set(all.map(each => each.transaction_identifier.hash)).size).toBe(all.length);
  expect(changesOf(all)).toEqual(changesOf(known.block.transactions));
  const count = (transactions: Shown[]) => transactions.reduce((sum, { operations }) => sum + operations.length, 0);
  expect(count(all)).toBe(count(known.block.transactions));
  // A transfer has two operations; fee and payload are two more.
  expect(count(block.transactions)).toBeLessThanOrEqual(3 * bounds.ofBlock);
  for (const { operations } of all) {
    expect(operations.length).toBeLessThanOrEqual(2 * bounds.ofPart + 3);
    expect(operations.map(each => each.operation_identifier.index)).toEqual(operations.map((_, i) => i));
  }
});

test('the genesis transaction comes in parts, each of which tells its number', async () => {
  const { all } = await completeBlock(parted, 1);
  const parts = all.filter(({ metadata }) => metadata?.parts !== undefined);
  expect(parts.length).toBeGreaterThan(5);
  const id = parts[0]!.transaction_identifier.hash;
  const { length } = parts;
  expect(parts.map(({ metadata }) => metadata)).toEqual(parts.map((_, i) => ({ part: i + 1, parts: length })));
  expect(parts.map(each => each.transaction_identifier.hash)).toEqual(
    parts.map((_, i) => (i === 0 ? id : `${id}-${i + 1}`)),
  );
  const { block } = await blockAt(parted, 1);
  for (const wrong of [`${id}-${length + 1}`, `${id}-999999999`]) {
    expect((await askPart(parted, block, wrong)).body).toMatchObject({ code: 607 });
  }
  for (const wrong of [`${id}-0`, `${id}-1`, `${id}-02`, `${id}-`, `${id}-x`, '-2']) {
    expect((await askPart(parted, block, wrong)).body).toMatchObject({ code: 608 });
  }
});

test('the parts reconcile with the balances', async () => {
  const result = await reconcile({ sql: db.sql, network: parseNetwork('testnet')!, bounds });
  expect(result.disagreements).toEqual([]);
  expect(result.blocks).toBe(3);
});

test('a search by id and account finds the part that is about the account', async () => {
  const { all } = await completeBlock(parted, 1);
  const id = all.find(({ metadata }) => metadata?.parts !== undefined)!.transaction_identifier.hash;
  const last = addressAt(63);
  const search = { transaction_identifier: { hash: id }, address: last };
  const found = (await good(parted('/search/transactions', search))) as { transactions: { transaction: Shown }[] };
  expect(found.transactions).toHaveLength(1);
  const { operations } = found.transactions[0]!.transaction;
  expect(operations.some(({ account }) => account?.address === last)).toBe(true);
  expect(operations.length).toBeLessThanOrEqual(2 * bounds.ofPart + 3);
});

test('the answers that follow the incumbent name no other transactions', async () => {
  for (const index of [1, 2]) expect(await blockAt(compat, index)).not.toHaveProperty('other_transactions');
});
