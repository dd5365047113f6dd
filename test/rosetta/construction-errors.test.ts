import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { PublicError } from '../../src/errors.ts';
import type { ConstructionChain } from '../../src/rosetta/construction/chain.ts';
import { listErrors, RosettaError } from '../../src/rosetta/errors.ts';
import { constructionChainRoutes, constructionRoutes } from '../../src/rosetta/routes/construction.ts';
import {
  amountOf,
  good,
  operationsOf,
  rosettaShell,
  signerNamed,
  signPayload,
  transferOf,
} from '../support/rosetta.ts';

const network = parseNetwork('testnet')!;
const alice = signerNamed('alice', network);
const bob = signerNamed('bob', network);
const boot = 'ST000000000000000000002AMW42H';

const chain: ConstructionChain = {
  nextNonce: async () => 7,
  tipHash: async () => undefined,
  stacking: async () => ({ contract: `${boot}.pox-4`, rewardCycle: 5, burnHeight: 100 }),
  estimateFee: async () => 400n,
  submit: async () => ({ refusal: '{"reason":"BadNonce"}' }),
};
const serve = (changed: Partial<ConstructionChain> = {}, compat = false) =>
  rosettaShell(network, compat, [
    ...constructionRoutes({ network, compat }),
    ...constructionChainRoutes({ network, compat, chain: { ...chain, ...changed } }),
  ]);
const ask = serve();

const transfer = transferOf(alice.address, bob.address, 500, 200);
const keys = [alice.public_key];
const metadata = { account_sequence: 3 };
const known = new Map(listErrors(false).map(error => [error.code as number, error]));

/** Every error has the one status that clients read, is one of the list, word for word, and says what to change. */
async function refused(path: string, body: object, code: number): Promise<void> {
  const answer = await ask(path, body);
  const { details, ...error } = answer.body;
  expect([answer.status, error]).toEqual([500, known.get(code)]);
  expect(details).toEqual({ message: expect.stringMatching(/.{10}/) });
}

const stack = (more: object = {}, value = -500) =>
  operationsOf([
    { type: 'fee', address: alice.address, value: -200 },
    {
      type: 'stack_stx',
      address: alice.address,
      value,
      metadata: {
        number_of_cycles: 1,
        pox_addr: '2MtzNEqm2D9jcbPJ5mW7Z3AUNwqt3afZH66',
        signer_key: '02'.repeat(33),
        ...more,
      },
    },
  ]);
const delegate = (more: object = {}) =>
  operationsOf([
    { type: 'fee', address: alice.address, value: -200 },
    { type: 'delegate_stx', address: alice.address, value: -500, metadata: { delegate_to: bob.address, ...more } },
  ]);
const poxMetadata = { ...metadata, contract_address: boot, contract_name: 'pox-4', burn_block_height: 9 };

const changed = (index: number, change: object) =>
  transfer.map((operation, i) => (i === index ? { ...operation, ...change } : operation));
const btc = { value: '5', currency: { symbol: 'BTC', decimals: 8 } };

test.each<[string, object[], number]>([
  ['none', [], 621],
  ['four', [...transfer, transfer[0]!], 621],
  ['a fee alone', transfer.slice(0, 1), 621],
  ['two fees', [transfer[0]!, ...transfer.slice(0, 2)], 621],
  ['an unknown type', changed(1, { type: 'mint' }), 621],
  ['amounts that do not match', changed(2, { amount: amountOf(499) }), 621],
  ['two senders', changed(2, { amount: amountOf(-500) }), 621],
  ['nothing to transfer', transferOf(alice.address, bob.address, 0, 200), 621],
  ['more than there can be', transferOf(alice.address, bob.address, 2n ** 64n, 200), 621],
  ['an endless number', changed(1, { amount: { ...transfer[1]!.amount, value: `-${'9'.repeat(50_000)}` } }), 621],
  ['a fee of another account', changed(0, { account: { address: bob.address } }), 621],
  ['no recipient', transfer.slice(0, 2), 621],
  ['no amount', changed(1, { amount: undefined }), 623],
  ['another currency', changed(1, { amount: btc }), 623],
  ['other decimals', changed(1, { amount: { value: '-500', currency: { symbol: 'STX', decimals: 8 } } }), 624],
  ['a sender of another network', transferOf('SP000000000000000000002Q6VF78', bob.address, 5, 200), 626],
  ['a recipient that is none', transferOf(alice.address, 'bob', 500, 200), 627],
  ['a recipient of another network', transferOf(alice.address, 'SP000000000000000000002Q6VF78', 500, 200), 627],
  ['stacking of what is not locked', stack({}, 500), 621],
  ['stacking without its length', stack({ number_of_cycles: undefined }), 621],
  ['stacking for too long', stack({ number_of_cycles: 13 }), 621],
  ['stacking for nobody', stack({ pox_addr: undefined }), 621],
  ['stacking for an address that is none', stack({ pox_addr: '1BitcoinEater' }), 621],
  ['stacking without a signer', stack({ signer_key: undefined }), 621],
  ['a signer that is none', stack({ signer_key: 'zz' }), 621],
  ['an auth id beyond 128 bits', stack({ pox_auth_id: (2n ** 128n).toString() }), 621],
  ['delegation to nobody', delegate({ delegate_to: undefined }), 621],
  ['delegation to what is no principal', delegate({ delegate_to: 'pool' }), 621],
  ['stacking beside a transfer', [...stack(), transfer[1]!], 621],
])('preprocess refuses operations: %s', async (_, operations, code) => {
  await refused('/construction/preprocess', { operations }, code);
});

test.each<[string, object, number]>([
  ['nothing', {}, 621],
  ['a maximal fee in another currency', { operations: transfer, max_fee: [btc] }, 622],
  ['a memo that is too long', { operations: transfer, metadata: { memo: 'm'.repeat(35) } }, 609],
  ['a memo that is no text', { operations: transfer, metadata: { memo: 5 } }, 609],
  ['a key that nobody knows', { operations: transfer, surprise: true }, 609],
  ['another network', { operations: transfer, network_identifier: { blockchain: 'stacks', network: 'mainnet' } }, 610],
  ['another chain', { operations: transfer, network_identifier: { blockchain: 'bitcoin', network: 'testnet' } }, 611],
])('preprocess refuses a request: %s', async (_, body, code) => {
  await refused('/construction/preprocess', body, code);
});

const options = {
  sender_address: alice.address,
  type: 'token_transfer',
  token_transfer_recipient_address: bob.address,
  amount: '500',
  symbol: 'STX',
  decimals: 6,
  size: 180,
};
const stackOptions = { ...options, type: 'stack_stx', ...stack()[1]!.metadata };

test.each<[string, object, number]>([
  ['no sender', { sender_address: undefined }, 642],
  ['a sender that is none', { sender_address: 'alice' }, 626],
  ['another currency', { symbol: 'BTC' }, 623],
  ['neither size nor fee', { size: undefined }, 639],
  ['other decimals', { decimals: 8 }, 624],
  ['no recipient', { token_transfer_recipient_address: undefined }, 627],
  ['an unknown type', { type: 'mint' }, 625],
  ['no amount', { amount: undefined }, 621],
  ['a key that nobody knows', { surprise: 1 }, 609],
  ['a private key that is none', { ...stackOptions, signer_private_key: 'ff'.repeat(32) }, 621],
  ['a private key of somebody else', { ...stackOptions, signer_private_key: '11'.repeat(32) }, 621],
])('metadata refuses options: %s', async (_, change, code) => {
  await refused('/construction/metadata', { options: { ...options, ...change } }, code);
});

test('metadata needs options', async () => {
  await refused('/construction/metadata', {}, 609);
});

test('a node that suggests no fee is an invalid fee', async () => {
  const { status, body } = await serve({ estimateFee: async () => 0n })('/construction/metadata', { options });
  expect([status, body.code]).toEqual([500, 622]);
});

test('unavailable nodes are reported as a retriable error', async () => {
  const away = serve({
    nextNonce: async () => {
      throw new RosettaError(646, 'no node', 503);
    },
    submit: async () => {
      throw new PublicError(504, 'The nodes did not answer in time');
    },
  });
  const failed = await away('/construction/metadata', { options });
  expect([failed.status, failed.body.code, failed.body.retriable]).toEqual([500, 646, true]);
  const late = await away('/construction/submit', { signed_transaction: '0x00' });
  expect([late.status, late.body.code, late.body.retriable]).toEqual([500, 646, true]);
});

test.each<[string, object, number]>([
  ['no recipient', { operations: transfer.slice(0, 2) }, 630],
  ['no fee', { operations: transfer.slice(1) }, 631],
  ['no keys', { public_keys: undefined }, 632],
  ['no key', { public_keys: [] }, 636],
  ['two keys', { public_keys: [...keys, ...keys] }, 636],
  ['a sender that is none', { operations: transferOf('alice', bob.address, 500, 200) }, 626],
  ['no metadata', { metadata: undefined }, 643],
  ['no nonce', { metadata: { memo: 'x' } }, 643],
  ['a negative nonce', { metadata: { account_sequence: -1 } }, 609],
  ['another curve', { public_keys: [{ ...alice.public_key, curve_type: 'edwards25519' }] }, 619],
  ['a key that is none', { public_keys: [{ ...alice.public_key, hex_bytes: 'bad' }] }, 620],
  ['a key of somebody else', { public_keys: [bob.public_key] }, 620],
  ['a recipient that is none', { operations: transferOf(alice.address, 'bob', 500, 200) }, 627],
  ['stacking without a contract', { operations: stack() }, 644],
  ['stacking without its name', { operations: stack(), metadata: { ...metadata, contract_address: boot } }, 645],
  ['any contract', { operations: stack(), metadata: { ...poxMetadata, contract_address: alice.address } }, 645],
  ['no burn height', { operations: stack(), metadata: { ...poxMetadata, burn_block_height: undefined } }, 621],
  ['no cycle', { operations: stack(), metadata: { ...poxMetadata, pox_auth_id: '1' } }, 621],
  ['no auth id', { operations: stack(), metadata: { ...poxMetadata, reward_cycle_id: 1 } }, 621],
  [
    'a consent that is none',
    {
      operations: stack({ signer_signature: '00' }),
      metadata: { ...poxMetadata, reward_cycle_id: 1, pox_auth_id: '1' },
    },
    621,
  ],
  ['delegation without a contract', { operations: delegate() }, 644],
])('payloads refuses %s', async (_, change, code) => {
  await refused('/construction/payloads', { operations: transfer, metadata, public_keys: keys, ...change }, code);
});

/** An unsigned transaction, its signature, and the signed one. */
async function makeTransfer() {
  const made = await good(ask('/construction/payloads', { operations: transfer, metadata, public_keys: keys }));
  const [payload] = made.payloads as [{ hex_bytes: string }];
  const unsigned = made.unsigned_transaction as string;
  const signature = signPayload(payload, alice);
  const { signed_transaction: signed } = await good(
    ask('/construction/combine', { unsigned_transaction: unsigned, signatures: [signature] }),
  );
  return { unsigned, payload, signature, signed: signed as string };
}

test('combine takes one good signature of this transaction and nothing else', async () => {
  const { unsigned, signature, payload } = await makeTransfer();
  const combine = async (signatures: object[], code: number, transaction = unsigned) =>
    await refused('/construction/combine', { unsigned_transaction: transaction, signatures }, code);
  const other = { ...payload, hex_bytes: '00'.repeat(32) };
  await combine([], 633);
  await combine([signature, signature], 637);
  await combine([signature], 628, 'bad');
  await combine([signature], 628, '0x00');
  await combine([{ ...signature, public_key: { ...alice.public_key, curve_type: 'edwards25519' } }], 619);
  await combine([{ ...signature, public_key: { ...alice.public_key, hex_bytes: '02' } }], 620);
  await combine([{ ...signature, signature_type: 'ecdsa' }], 638);
  await combine([{ ...signature, hex_bytes: 'bad' }], 634);
  await combine([{ ...signature, hex_bytes: signature.hex_bytes.slice(2) }], 634);
  await combine([{ ...signature, hex_bytes: '00'.repeat(65) }], 634);
  await combine([{ ...signature, hex_bytes: `${signature.hex_bytes.slice(0, 128)}09` }], 634);
  await combine([{ ...signature, hex_bytes: `${'11'.repeat(64)}00` }], 635);
  await combine([{ ...signature, public_key: bob.public_key }], 635);
  await combine([signPayload(payload, bob)], 635);
  await combine([signPayload(other, alice)], 635);
  await combine([{ ...signature, signing_payload: other }], 635);
  await combine([{ ...signature, signing_payload: { hex_bytes: 'x' } }], 635);
});

test('parse and hash tell unsigned from signed, and find what is broken', async () => {
  const { unsigned, signed } = await makeTransfer();
  await refused('/construction/parse', { signed: true, transaction: unsigned }, 609);
  await refused('/construction/parse', { signed: false, transaction: signed }, 609);
  await refused('/construction/parse', { signed: false }, 609);
  await refused('/construction/parse', { signed: 'yes', transaction: signed }, 609);
  await refused('/construction/hash', { signed_transaction: unsigned }, 629);
  await refused('/construction/hash', { signed_transaction: 'bad' }, 628);
  const forged = signed.replace(/.{8}$/, '00000001');
  await refused('/construction/parse', { signed: true, transaction: forged }, 635);
  for (const transaction of ['bad', '', '0x', '0x00', '00'.repeat(100), `${signed}00`, signed.slice(0, -2)]) {
    await refused('/construction/parse', { signed: true, transaction }, 628);
    await refused('/construction/hash', { signed_transaction: transaction }, 628);
  }
});

test('an amount is written in one way only, and the error says how', async () => {
  for (const value of ['5e3', '05000', '-0500', '', '5.0', ' 500', '-0']) {
    const operations = structuredClone(transfer);
    operations[2]!.amount!.value = value;
    for (const body of [{ operations }, { operations, metadata, public_keys: keys }]) {
      const path = 'metadata' in body ? '/construction/payloads' : '/construction/preprocess';
      await refused(path, body, 621);
      const { details } = (await ask(path, body)).body as { details: { message: string } };
      expect(details.message).toMatch(/^\/operations\/2\/amount\/value must be a whole number of micro-STX/);
    }
  }
});

test('different memos in one place, and one that no transfer carries, are refused', async () => {
  const noted = (memo: unknown) =>
    transfer.map(operation => (operation.type === 'fee' ? operation : { ...operation, metadata: { memo } }));
  const apart = noted('a').map((operation, i) => (i === 2 ? { ...operation, metadata: { memo: 'b' } } : operation));
  for (const [operations, memo] of [
    [apart, undefined],
    [noted(5), undefined],
    [stack({ memo: 'a' }), undefined],
    [stack(), 'a'],
  ] as const) {
    await refused('/construction/preprocess', { operations, metadata: { memo } }, 621);
    await refused('/construction/payloads', { operations, metadata: { ...metadata, memo }, public_keys: keys }, 621);
  }
  const twice = { ...metadata, memo: 'a', options: { memo: 'b' } };
  await refused('/construction/payloads', { operations: transfer, metadata: twice, public_keys: keys }, 621);
});

test('submit repeats why a node refuses', async () => {
  const answer = await ask('/construction/submit', { signed_transaction: '0x00' });
  expect(answer.body).toEqual({ ...known.get(628), details: { message: '{"reason":"BadNonce"}' } });
  await refused('/construction/submit', { signed_transaction: 'bad' }, 628);
  await refused('/construction/submit', {}, 609);
});

test.each<[string, object, number]>([
  ['no key', {}, 609],
  ['a curve that there is not', { public_key: { ...alice.public_key, curve_type: 'nope' } }, 619],
  ['a curve of other chains', { public_key: { ...alice.public_key, curve_type: 'edwards25519' } }, 619],
  ['no hex', { public_key: { ...alice.public_key, hex_bytes: 'bad' } }, 620],
  ['no bytes', { public_key: { ...alice.public_key, hex_bytes: '' } }, 620],
  ['no point of the curve', { public_key: { ...alice.public_key, hex_bytes: `04${'ab'.repeat(64)}` } }, 620],
])('derive refuses %s', async (_, body, code) => {
  await refused('/construction/derive', body, code);
});

test('a body that is too large is refused, and so is one that is no object', async () => {
  await refused('/construction/hash', { signed_transaction: '0'.repeat(200_000) }, 609);
  for (const operations of [null, 'x', 5, [null], [[]], [{}], { length: 1 }]) {
    const { status, body } = await ask('/construction/preprocess', { operations });
    expect([status, typeof body.code]).toEqual([500, 'number']);
  }
});

test('with the flag, the doubtful is taken as the incumbent takes it', async () => {
  const loose = serve({}, true);
  for (const public_key of [
    { ...alice.public_key, curve_type: 'edwards25519' },
    { curve_type: 'secp256k1', hex_bytes: `04${'ab'.repeat(64)}` },
  ]) {
    expect(await good(loose('/construction/derive', { public_key }))).toHaveProperty('account_identifier.address');
  }
  const made = await good(
    loose('/construction/payloads', { operations: delegate(), metadata: poxMetadata, public_keys: keys }),
  );
  const parsed = await loose('/construction/parse', { signed: false, transaction: made.unsigned_transaction });
  expect([parsed.status, parsed.body.code]).toEqual([400, 612]);
});
