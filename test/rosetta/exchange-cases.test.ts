import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { recoverKey } from '@cairn-stacks/codec/transaction/verification';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConstructionChain } from '../../src/rosetta/construction/chain.ts';
import { constructionChainRoutes, constructionRoutes } from '../../src/rosetta/routes/construction.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addressAt } from '../support/mempool.ts';
import { author, extendBlock } from '../support/newer-blocks.ts';
import { type Ask, good, rosettaShell, signerNamed, signPayload, transferOf } from '../support/rosetta.ts';
import { rosettaData } from '../support/rosetta-data.ts';
import { foldAll } from '../support/service.ts';

/** What exchanges met with another service of the specification, each case by its behaviour. */

const network = parseNetwork('testnet')!;
const [alice, bob] = [signerNamed('alice', network), signerNamed('bob', network)];
const transfer = transferOf(alice.address, bob.address, 500, 180);
const public_keys = [alice.public_key];
const metadata = { account_sequence: 3 };
const chain: ConstructionChain = {
  nextNonce: async () => 7,
  tipHash: async () => undefined,
  stacking: async () => ({ contract: 'ST000000000000000000002AMW42H.pox-4', rewardCycle: 5, burnHeight: 100 }),
  estimateFee: async (_payload, size) => BigInt(size),
  submit: async () => ({ refusal: '' }),
};
const make = rosettaShell(network, false, [
  ...constructionRoutes({ network, compat: false }),
  ...constructionChainRoutes({ network, compat: false, chain }),
]);
type Made = { unsigned_transaction: string; payloads: { hex_bytes: string }[] };
const payloadsOf = async (body: object = {}) =>
  (await good(make('/construction/payloads', { operations: transfer, metadata, public_keys, ...body }))) as Made;
const codeOf = async (path: string, body: object) => (await make(path, body)).body.code;

test('the payload to sign has no 0x, the unsigned transaction has', async () => {
  const { unsigned_transaction, payloads } = await payloadsOf();
  expect(payloads[0]!.hex_bytes).toMatch(/^[0-9a-f]{64}$/);
  expect(unsigned_transaction).toMatch(/^0x[0-9a-f]+$/);
});

test('a signature r, s, v is stored as v, r, s, and its key is that of the sender', async () => {
  const { unsigned_transaction, payloads } = await payloadsOf();
  const signature = signPayload(payloads[0]!, alice);
  const body = { unsigned_transaction, signatures: [signature] };
  const { signed_transaction } = (await good(make('/construction/combine', body))) as { signed_transaction: string };
  const { origin } = decodeTransaction(fromHex(signed_transaction)).auth;
  const stored = (origin as { signature: Uint8Array }).signature;
  const given = fromHex(signature.hex_bytes);
  expect(stored).toEqual(Uint8Array.of(given[64]!, ...given.subarray(0, 64)));
  expect(toHex(recoverKey(fromHex(payloads[0]!.hex_bytes), stored, 'compressed'))).toBe(
    `0x${alice.public_key.hex_bytes}`,
  );
  for (const hex_bytes of [signature.hex_bytes.slice(2), `${signature.hex_bytes}00`, '']) {
    expect(await codeOf('/construction/combine', { ...body, signatures: [{ ...signature, hex_bytes }] })).toBe(634);
  }
});

test('the fee of a transfer is that of its 180 bytes', async () => {
  const { options } = await good(make('/construction/preprocess', { operations: transfer }));
  const { suggested_fee } = await good(make('/construction/metadata', { options }));
  expect(suggested_fee).toEqual([{ value: '180', currency: { symbol: 'STX', decimals: 6 } }]);
});

test('preprocess takes operations with and without a fee, payloads need one', async () => {
  expect(await codeOf('/construction/preprocess', { operations: transfer })).toBeUndefined();
  const without = transfer.slice(1);
  expect(await codeOf('/construction/preprocess', { operations: without })).toBeUndefined();
  expect(await codeOf('/construction/payloads', { operations: without, metadata, public_keys })).toBe(631);
});

const noted = (...memos: string[]) =>
  transfer.map((operation, i) => (i === 0 ? operation : { ...operation, metadata: { memo: memos[i - 1] } }));
const memoOf = async (body: object) => {
  const { unsigned_transaction: transaction } = await payloadsOf(body);
  return (await good(make('/construction/parse', { signed: false, transaction }))).metadata;
};

test('a memo is taken from wherever it is given, first from the operations', async () => {
  const { options } = await good(
    make('/construction/preprocess', { operations: transfer, metadata: { memo: 'order 5' } }),
  );
  const told = await good(make('/construction/metadata', { options }));
  expect(await memoOf({ metadata: told.metadata })).toEqual({ memo: 'order 5' });
  expect(await memoOf({ metadata: { ...metadata, memo: 'order 5' } })).toEqual({ memo: 'order 5' });
  expect(await memoOf({ metadata: { ...metadata, options: { memo: 'order 5' } } })).toEqual({ memo: 'order 5' });
  const both = { operations: noted('order 6', 'order 6'), metadata: { ...metadata, memo: 'order 5' } };
  expect(await memoOf(both)).toEqual({ memo: 'order 6' });
  const apart = { operations: noted('order 6', 'order 7'), metadata, public_keys };
  expect(await codeOf('/construction/payloads', apart)).toBe(621);
  const twice = { ...metadata, memo: 'order 5', options: { memo: 'order 6' } };
  expect(await codeOf('/construction/payloads', { operations: transfer, metadata: twice, public_keys })).toBe(621);
});

const blocks = testChain({ seed: 4 });
const first = blocks.mine(blocks.genesis, { transactions: 3 });
const [payer, receiver] = [addressAt(1), addressAt(3)];
const special = blocks.mine(first, {
  transactions: [
    { kind: 'transfer', from: 1, to: receiver, amount: 700n, fee: 11n },
    { kind: 'transfer', from: 1, to: receiver, amount: 5n, fee: 12n },
  ],
});
const line = [first, special, ...mineLine(blocks, special, 3, { transactions: 6 })];

/** The last block also mints an amount that no number of JSON holds. */
const huge = '1300000000000000000000005';
const minted = extendBlock(line.at(-1)!);
const gold = `${author.address}.mine::gold`;
const mint = minted.deploy('mine', 0);
minted.event(mint, 'ft_mint_event', { asset_identifier: gold, recipient: receiver, amount: huge });

let db: TestDatabase;
let ask: Ask;
beforeAll(async () => {
  db = await testDatabase();
  await foldAll(db, [...[blocks.genesis, ...line].flatMap(messagesOf).slice(0, -1), minted.message]);
  ask = rosettaData(db.sql);
});
afterAll(() => db.drop());

type Balance = { balances: { value: string }[]; metadata: Record<string, unknown> };
const balanceOf = async (sub?: string, block_identifier?: object, asker = ask) =>
  (await good(
    asker('/account/balance', {
      account_identifier: { address: receiver, ...(sub !== undefined && { sub_account: { address: sub } }) },
      ...(block_identifier && { block_identifier }),
    }),
  )) as unknown as Balance;

test('parts of a balance have their names; metadata tell nonce and lock', async () => {
  const whole = await balanceOf();
  expect(whole.metadata).toMatchObject({
    nonce: whole.metadata.sequence_number,
    locked_balance: '0',
    unlock_height: 0,
  });
  expect((await balanceOf('SpendableBalance')).balances).toEqual(whole.balances);
  const parts = ['StackedBalance', 'locked', 'VestingLockedBalance', 'VestingUnlockedBalance'];
  for (const part of parts) expect((await balanceOf(part)).balances[0]!.value).toBe('0');
  const { body } = await ask('/account/balance', {
    account_identifier: { address: receiver, sub_account: { address: 'savings' } },
  });
  expect(body.code).toBe(641);
});

test('a balance at a past block is that of the block, named by any of its hashes', async () => {
  const at = async (block: object) => BigInt((await balanceOf(undefined, block)).balances[0]!.value);
  const [before, after] = [await at({ index: first.height }), await at({ index: special.height })];
  expect(after - before).toBe(705n);
  expect(await at({ hash: special.indexHash })).toBe(after);
  expect(await at({ hash: special.indexHash.slice(2), index: special.height })).toBe(after);
  expect(await at({ hash: special.hash })).toBe(after);
});

type Shown = { block: { block_identifier: object; parent_block_identifier: object; transactions: Transaction[] } };
type Transaction = { transaction_identifier: { hash: string }; operations: Operation[] };
type Operation = {
  type: string;
  account?: { address: string };
  amount?: { value: string };
  related_operations?: object;
  metadata?: Record<string, unknown>;
};

test('each transaction has its own fee, and a credit names its debit', async () => {
  const { block } = (await good(ask('/block', { block_identifier: { index: special.height } }))) as unknown as Shown;
  const [a, b] = block.transactions.slice(-2);
  expect(a!.operations[0]).toMatchObject({ type: 'fee', amount: { value: '-11' }, metadata: { sponsored: false } });
  expect(b!.operations[0]).toMatchObject({ type: 'fee', account: { address: payer }, amount: { value: '-12' } });
  expect(a!.operations[2]!.related_operations).toEqual([{ index: 1 }]);
});

test('blocks are identified by their index hash where that is set', async () => {
  const byIndex = rosettaData(db.sql, { blockHash: 'index_block_hash' });
  const identifier = { index: special.height, hash: special.indexHash };
  for (const named of [{ index: special.height }, { hash: special.hash }, identifier]) {
    const { block } = (await good(byIndex('/block', { block_identifier: named }))) as unknown as Shown;
    expect(block.block_identifier).toEqual(identifier);
    expect(block.parent_block_identifier).toEqual({ index: first.height, hash: first.indexHash });
    const { transaction_identifier } = block.transactions.at(-1)!;
    const alone = await good(byIndex('/block/transaction', { block_identifier: identifier, transaction_identifier }));
    expect(alone).toEqual({ transaction: block.transactions.at(-1) });
  }
  const tip = line.at(-1)!;
  const tipIdentifier = { index: tip.height, hash: tip.indexHash };
  expect(await good(byIndex('/network/status'))).toMatchObject({ current_block_identifier: tipIdentifier });
  expect((await balanceOf(undefined, undefined, byIndex)) as object).toMatchObject({ block_identifier: tipIdentifier });
  const { events } = (await good(byIndex('/events/blocks'))) as { events: { block_identifier: object }[] };
  expect(events.at(-1)!.block_identifier).toEqual(tipIdentifier);
  const found = await good(byIndex('/search/transactions', { limit: 1 }));
  expect((found.transactions as { block_identifier: object }[])[0]!.block_identifier).toEqual(tipIdentifier);
});

test('an amount of 25 digits is written in digits, in operations as in balances', async () => {
  const last = line.at(-1)!;
  const { block } = (await good(ask('/block', { block_identifier: { index: last.height } }))) as unknown as Shown;
  const { operations } = block.transactions.find(({ transaction_identifier: { hash } }) => hash === mint)!;
  const credit = operations.find(({ type }) => type === 'token_mint')!;
  expect(credit).toMatchObject({ account: { address: receiver }, amount: { value: huge } });
  const currencies = [(credit.amount as unknown as { currency: Currency }).currency];
  const body = { account_identifier: { address: receiver }, currencies };
  expect(await good(ask('/account/balance', body))).toMatchObject({ balances: [{ value: huge }] });
});

type Currency = { symbol: string; decimals: number; metadata?: { asset_identifier: string } };

test('operations of tokens add up to the balances of each token at every block', async () => {
  const sums = new Map<string, bigint>();
  const currencies = new Map<string, Currency>();
  for (const { height } of line) {
    const { block } = (await good(ask('/block', { block_identifier: { index: height } }))) as unknown as Shown;
    for (const { operations } of block.transactions) {
      for (const { account, amount, ...operation } of operations) {
        const { currency } = (amount ?? {}) as { currency?: Currency };
        if (!account || !amount || !currency?.metadata || (operation as { status?: string }).status !== 'success')
          continue;
        const key = `${account.address} ${JSON.stringify(currency)}`;
        currencies.set(key, currency);
        sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount.value));
      }
    }
    for (const [key, sum] of sums) {
      const account_identifier = { address: key.split(' ')[0] };
      const body = { account_identifier, currencies: [currencies.get(key)], block_identifier: { index: height } };
      const { balances } = (await good(ask('/account/balance', body))) as unknown as Balance;
      expect([key, balances]).toEqual([key, [{ value: sum.toString(), currency: currencies.get(key) }]]);
    }
  }
  expect(sums.size).toBeGreaterThan(2);
});

test.each([
  [{ symbol: 'gold', decimals: 0, metadata: { token_type: 'ft', asset_identifier: 'gold' } }, /CONTRACT::NAME/],
  [{ symbol: 'gold', decimals: 0, metadata: { token_type: 'x', asset_identifier: `${payer}.a::b` } }, /ft or nft/],
  [{ symbol: 'gold', decimals: 0, metadata: { token_type: 'nft', asset_identifier: `${payer}.a::b` } }, /value.hex/],
])('a currency %j is refused', async (currency, says) => {
  const { body } = await ask('/account/balance', { account_identifier: { address: payer }, currencies: [currency] });
  expect(body).toMatchObject({ code: 623, details: { message: expect.stringMatching(says) } });
});
