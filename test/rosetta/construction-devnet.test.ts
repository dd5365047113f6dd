import { bareHex } from '@cairn-stacks/codec/hex';
import { parsePrivateKey } from '@cairn-stacks/codec/keys';
import { expect, test } from 'vitest';
import {
  type Ask,
  amountOf,
  good,
  intentOf,
  operationsOf,
  type Signer,
  signerNamed,
  signerOf,
  signPayload,
} from '../support/rosetta.ts';
import { serveDevnet } from '../support/rosetta-devnet.ts';
import { until } from '../support/service.ts';

type Parts = Parameters<typeof operationsOf>[0];
type Shown = {
  transaction_identifier: { hash: string };
  operations: (ReturnType<typeof operationsOf>[number] & { status: string })[];
};
type Served = Awaited<ReturnType<typeof serveDevnet>>;

/** From intent to broadcast, checking at each step what a careful wallet checks. */
async function transact(ask: Ask, signer: Signer, parts: Parts): Promise<{ hash: string; operations: object[] }> {
  const withFee = (fee: bigint) => operationsOf([{ type: 'fee', address: signer.address, value: -fee }, ...parts]);
  const { options } = await good(ask('/construction/preprocess', { operations: withFee(0n) }));
  const { metadata, suggested_fee } = await good(
    ask('/construction/metadata', { options, public_keys: [signer.public_key] }),
  );
  const operations = withFee(BigInt((suggested_fee as { value: string }[])[0]!.value));
  const { unsigned_transaction, payloads } = await good(
    ask('/construction/payloads', { operations, metadata, public_keys: [signer.public_key] }),
  );
  const unsigned = await good(ask('/construction/parse', { signed: false, transaction: unsigned_transaction }));
  expect(intentOf(unsigned.operations as object[])).toEqual(intentOf(operations));
  const signatures = (payloads as { hex_bytes: string }[]).map(payload => signPayload(payload, signer));
  const { signed_transaction } = await good(ask('/construction/combine', { unsigned_transaction, signatures }));
  const signed = await good(ask('/construction/parse', { signed: true, transaction: signed_transaction }));
  expect(intentOf(signed.operations as object[])).toEqual(intentOf(operations));
  expect(signed.account_identifier_signers).toEqual([{ address: signer.address }]);
  const { transaction_identifier } = await good(ask('/construction/hash', { signed_transaction }));
  const sent = await good(ask('/construction/submit', { signed_transaction }));
  expect(sent).toEqual({ transaction_identifier });
  const { hash } = transaction_identifier as { hash: string };
  const { transaction_identifiers } = await good(ask('/mempool'));
  expect(transaction_identifiers).toContainEqual({ hash });
  return { hash, operations };
}

/** Mines until a block has the transaction. */
async function confirm({ ask, mine }: Served, hash: string): Promise<Shown> {
  return await until(async () => {
    const index = await mine();
    const { block } = await good(ask('/block', { block_identifier: { index } }));
    return (block as { transactions: Shown[] }).transactions.find(shown => shown.transaction_identifier.hash === hash);
  });
}

const balanceOf = async (ask: Ask, address: string, sub?: string) => {
  const account_identifier = { address, ...(sub && { sub_account: { address: sub } }) };
  const { balances } = await good(ask('/account/balance', { account_identifier }));
  return BigInt((balances as { value: string }[])[0]!.value);
};

const rich = ({ devnet, network }: Served) => signerOf(parsePrivateKey(devnet.userKeys[0]!.privateKey), network);

const transferParts = (from: string, to: string, value: bigint): Parts => [
  { type: 'token_transfer', address: from, value: -value },
  { type: 'token_transfer', address: to, value },
];

/** A new account with STX, as an exchange makes one. */
async function fundedAccount(served: Served, name: string, value: bigint): Promise<Signer> {
  const account = signerNamed(name, served.network);
  const { account_identifier } = await good(served.ask('/construction/derive', { public_key: account.public_key }));
  expect(account_identifier).toEqual({ address: account.address });
  const giver = rich(served);
  const { hash, operations } = await transact(served.ask, giver, transferParts(giver.address, account.address, value));
  const mined = await confirm(served, hash);
  expect(intentOf(mined.operations)).toEqual(intentOf(operations));
  expect(mined.operations.every(({ status }) => status === 'success')).toBe(true);
  expect(await balanceOf(served.ask, account.address)).toBe(value);
  return account;
}

test('an account is made, funded and emptied again, each step confirmed by a block', async t => {
  const served = await serveDevnet(t);
  const { ask } = served;
  const account = await fundedAccount(served, 'customer', 5_000_000n);
  const back = rich(served).address;
  const first = await transact(ask, account, transferParts(account.address, back, 2_000_000n));
  // The next nonce is the chain's: a second transaction waits for the first.
  const mined = await confirm(served, first.hash);
  expect(intentOf(mined.operations)).toEqual(intentOf(first.operations));
  const fee = -BigInt(mined.operations[0]!.amount.value);
  expect(await balanceOf(ask, account.address)).toBe(3_000_000n - fee);
  const second = await transact(ask, account, transferParts(account.address, back, 1_000_000n));
  await confirm(served, second.hash);
  expect(await balanceOf(ask, account.address)).toBe(2_000_000n - 2n * fee);
});

test('a rejection by a node is passed on in its words', async t => {
  const served = await serveDevnet(t);
  const { ask } = served;
  const poor = signerNamed('poor', served.network);
  const operations = operationsOf([
    { type: 'fee', address: poor.address, value: -200 },
    ...transferParts(poor.address, rich(served).address, 1n),
  ]);
  const { unsigned_transaction, payloads } = await good(
    ask('/construction/payloads', { operations, metadata: { account_sequence: 0 }, public_keys: [poor.public_key] }),
  );
  const signatures = (payloads as { hex_bytes: string }[]).map(payload => signPayload(payload, poor));
  const { signed_transaction } = await good(ask('/construction/combine', { unsigned_transaction, signatures }));
  const { status, body } = await ask('/construction/submit', { signed_transaction });
  expect([status, body.code, body.retriable]).toEqual([500, 628, false]);
  expect(JSON.stringify(body.details)).toContain('NotEnoughFunds');
  // What no node would take is not even sent.
  const unsigned = await ask('/construction/submit', { signed_transaction: unsigned_transaction });
  expect([unsigned.status, unsigned.body.code]).toEqual([500, 628]);
  expect(JSON.stringify(unsigned.body.details)).toContain('SignatureValidation');
});

test('STX are stacked with a consent made from the key of the signer, and delegated', async t => {
  const served = await serveDevnet(t);
  const { ask, devnet } = served;
  const pox = (await (await fetch(`${devnet.url}/v2/pox`)).json()) as { min_amount_ustx: number };
  const amount = BigInt(pox.min_amount_ustx) * 2n;
  const stacker = await fundedAccount(served, 'stacker', amount + 1_000_000n);
  const signer = signerNamed('signer', served.network);
  const pox_addr = '2MtzNEqm2D9jcbPJ5mW7Z3AUNwqt3afZH66';
  const { hash } = await transact(ask, stacker, [
    {
      type: 'stack_stx',
      address: stacker.address,
      value: -amount,
      metadata: {
        number_of_cycles: 2,
        pox_addr,
        signer_key: signer.public_key.hex_bytes,
        signer_private_key: bareHex(signer.key.secret),
      },
    },
  ]);
  const stacked = await confirm(served, hash);
  expect(stacked.operations.map(({ type, status }) => [type, status])).toEqual([
    ['fee', 'success'],
    ['contract_call', 'success'],
    ['contract_log', 'success'],
    ['stack_stx', 'success'],
    ['stx_lock', 'success'],
  ]);
  expect(stacked.operations[3]!.metadata).toMatchObject({
    lock_amount: amount.toString(),
    locked: amount.toString(),
    pox_addr,
    lock_period: 2,
  });
  expect(stacked.operations[4]!.metadata).toMatchObject({ locked_address: stacker.address });
  expect(stacked.operations[4]!.amount).toEqual(amountOf(-amount));
  expect(await balanceOf(ask, stacker.address, 'StackedBalance')).toBe(amount);

  const member = await fundedAccount(served, 'member', 3_000_000n);
  const pool = signerNamed('pool', served.network).address;
  const delegation = await transact(ask, member, [
    {
      type: 'delegate_stx',
      address: member.address,
      value: -2_000_000n,
      metadata: { delegate_to: pool, pox_addr },
    },
  ]);
  const delegated = await confirm(served, delegation.hash);
  expect(delegated.operations.map(({ type, status }) => [type, status])).toEqual([
    ['fee', 'success'],
    ['contract_call', 'success'],
    ['contract_log', 'success'],
    ['delegate_stx', 'success'],
  ]);
  expect(delegated.operations[3]!.metadata).toMatchObject({ amount_ustx: '2000000', delegate_to: pool });
});

test('without a node, the index knows the nonce, nobody knows a fee, and nothing is sent', async t => {
  const served = await serveDevnet(t);
  const { ask, chain, devnet } = served;
  const giver = rich(served);
  const parts = transferParts(giver.address, signerNamed('x', served.network).address, 1n);
  const { hash } = await transact(ask, giver, parts);
  await confirm(served, hash);
  const nonce = await chain.nextNonce(giver.address);
  const operations = operationsOf([{ type: 'fee', address: giver.address, value: -200 }, ...parts]);
  const { options } = await good(ask('/construction/preprocess', { operations }));
  await devnet.stop();
  expect(await chain.nextNonce(giver.address)).toBe(nonce);
  expect(await chain.nextNonce(signerNamed('nobody', served.network).address)).toBe(0);
  const asked = await ask('/construction/metadata', { options });
  expect([asked.status, asked.body.code, asked.body.retriable]).toEqual([500, 646, true]);
  const { unsigned_transaction, payloads } = await good(
    ask('/construction/payloads', {
      operations,
      metadata: { account_sequence: nonce },
      public_keys: [giver.public_key],
    }),
  );
  const signatures = (payloads as { hex_bytes: string }[]).map(payload => signPayload(payload, giver));
  const signed = await good(ask('/construction/combine', { unsigned_transaction, signatures }));
  const sent = await ask('/construction/submit', signed);
  expect(sent.status).toBe(500);
  expect(sent.body).toMatchObject({ code: 646, retriable: true });
});
