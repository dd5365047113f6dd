import { uint } from '@cairn-stacks/codec/clarity/build';
import { toHex } from '@cairn-stacks/codec/hex';
import { publicKeyOf } from '@cairn-stacks/codec/keys';
import { parseNetwork } from '@cairn-stacks/codec/network';
import {
  buildTransaction,
  callPayload,
  deployPayload,
  multiSig,
  singleSig,
  transferPayload,
} from '@cairn-stacks/codec/transaction/build';
import { signMultiSig, signOrigin, signSponsor } from '@cairn-stacks/codec/transaction/signing';
import {
  ChainId,
  encodeTransaction,
  type Transaction,
  TransactionVersion,
} from '@cairn-stacks/codec/transaction/transaction';
import { expect, test } from 'vitest';
import { constructionRoutes } from '../../src/rosetta/routes/construction.ts';
import * as generate from '../codec/generate.ts';
import { Random } from '../codec/random.ts';
import { good, operationsOf, rosettaShell, signerNamed, signPayload, transferOf } from '../support/rosetta.ts';

const network = parseNetwork('testnet')!;
const shells = [false, true].map(compat => rosettaShell(network, compat, constructionRoutes({ network, compat })));
const [ask, compatAsk] = shells as [(typeof shells)[0], (typeof shells)[0]];
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(name => signerNamed(name, network)) as [Named, Named, Named];
type Named = ReturnType<typeof signerNamed>;

const BOOT = 'ST000000000000000000002AMW42H';
const testnet = { version: TransactionVersion.testnet, chainId: ChainId.testnet };
const transfer = transferPayload(bob.address, 500n, 'hi');
const hexOf = (transaction: Transaction) => toHex(encodeTransaction(transaction));
const keyOf = ({ key }: Named) => publicKeyOf(key);
type Told = { type: string; account?: { address: string }; amount?: { value: string }; metadata?: object };

const parse = async (transaction: Transaction, signed: boolean) => {
  const parsed = await good(ask('/construction/parse', { signed, transaction: hexOf(transaction) }));
  const { operations, account_identifier_signers: signers } = parsed as { operations: Told[] } & Record<
    string,
    unknown
  >;
  return { operations, signers };
};

test('the sponsor of a transaction is its second signer, and pays', async () => {
  const unsigned = buildTransaction({
    ...testnet,
    payload: transfer,
    origin: singleSig(keyOf(alice), { nonce: 1n, fee: 0n }),
    sponsor: singleSig(keyOf(carol), { nonce: 9n, fee: 300n }),
  });
  const signed = signSponsor(signOrigin(unsigned, alice.key), carol.key);
  const { operations, signers } = await parse(signed, true);
  expect(signers).toEqual([{ address: alice.address }, { address: carol.address }]);
  expect(operations[0]).toMatchObject({ type: 'fee', account: { address: carol.address }, amount: { value: '-300' } });
  expect(operations[1]).toMatchObject({ type: 'token_transfer', account: { address: alice.address } });
  const forged = signSponsor(signOrigin(unsigned, alice.key), bob.key);
  const refused = await ask('/construction/parse', { signed: true, transaction: hexOf(forged) });
  expect([refused.status, refused.body.code]).toEqual([500, 635]);
});

test('an account of several keys is one signer', async () => {
  const keys = [alice, bob, carol];
  const unsigned = buildTransaction({
    ...testnet,
    payload: transferPayload(alice.address, 5n),
    origin: multiSig(keys.map(keyOf), 2, { nonce: 0n, fee: 300n }),
  });
  expect((await parse(unsigned, false)).signers).toBeUndefined();
  const signed = signMultiSig(unsigned, 'origin', [alice.key, bob.key, { publicKey: keyOf(carol) }]);
  const { operations, signers } = await parse(signed, true);
  const [signer] = signers as [{ address: string }];
  expect(signer.address).toMatch(/^SN/);
  expect(operations[0]!.account).toEqual(signer);
  const combined = await ask('/construction/combine', {
    unsigned_transaction: hexOf(unsigned),
    signatures: [
      {
        signing_payload: { hex_bytes: '00'.repeat(32) },
        public_key: alice.public_key,
        signature_type: 'ecdsa_recovery',
        hex_bytes: '11'.repeat(65),
      },
    ],
  });
  expect([combined.status, combined.body.code]).toEqual([500, 628]);
});

test('calls and deploys are described by their type', async () => {
  const origin = singleSig(keyOf(alice), { nonce: 0n, fee: 300n });
  const call = buildTransaction({ ...testnet, origin, payload: callPayload(`${bob.address}.shop`, 'buy', [uint(7)]) });
  const called = await parse(signOrigin(call, alice.key), true);
  expect(called.operations.map(({ type }) => type)).toEqual(['fee', 'contract_call']);
  expect(called.operations[1]!.metadata).toMatchObject({
    contract_identifier: `${bob.address}.shop`,
    function_name: 'buy',
    args: [{ repr: 'u7' }],
  });
  expect(called.signers).toEqual([{ address: alice.address }]);
  const deploy = buildTransaction({ ...testnet, origin, payload: deployPayload('shop', '(print "hi")', 3) });
  const deployed = await parse(signOrigin(deploy, alice.key), true);
  expect(deployed.operations.map(({ type }) => type)).toEqual(['fee', 'contract_deploy']);
  expect(deployed.signers).toEqual([{ address: alice.address }]);
});

test('with the flag, signers are written as the incumbent writes them', async () => {
  const payload = { ...transfer, recipient: { version: 21, hash: new Uint8Array(20).fill(7) } } as typeof transfer;
  const origin = singleSig(keyOf(alice), { nonce: 0n, fee: 300n });
  const signed = signOrigin(buildTransaction({ ...testnet, origin, payload }), alice.key);
  const body = { signed: true, transaction: hexOf(signed) };
  const told = await good(compatAsk('/construction/parse', body));
  expect((told.account_identifier_signers as { address: string }[])[0]!.address).toMatch(/^SN/);
  const plain = await good(ask('/construction/parse', body));
  expect(plain.account_identifier_signers).toEqual([{ address: alice.address }]);
});

test('every type of payload is described', async () => {
  const random = new Random(7);
  const seen = new Set<string>();
  for (let i = 0; i < 200; i++) {
    const origin = singleSig(keyOf(alice), { nonce: random.bits(64n), fee: random.bits(64n) });
    const transaction = { ...generate.transaction(random), auth: { type: 'standard' as const, origin } };
    const { type } = transaction.payload;
    seen.add(type);
    expect((await parse(transaction, false)).operations.length).toBeGreaterThan(0);
    const compat = await compatAsk('/construction/parse', { signed: false, transaction: hexOf(transaction) });
    const refusals: Record<string, number> = { contract_call: 400, tenure_change: 500, nakamoto_coinbase: 500 };
    expect([type, compat.status]).toEqual([type, refusals[type] ?? 200]);
  }
  expect(seen.size).toBe(9);
});

test('bytes that somebody has touched are read or refused, and nothing breaks', async () => {
  const random = new Random(11);
  for (let i = 0; i < 400; i++) {
    const bytes = encodeTransaction(generate.transaction(random));
    for (let touched = random.below(4); touched > 0; touched--) bytes[random.below(bytes.length)] = random.below(256);
    const transaction = toHex(random.chance(4) ? bytes.subarray(0, random.below(bytes.length)) : bytes);
    const answers = await Promise.all([
      ask('/construction/parse', { signed: true, transaction }),
      ask('/construction/parse', { signed: false, transaction }),
      ask('/construction/hash', { signed_transaction: transaction }),
    ]);
    for (const { status, body } of answers) {
      if (status !== 200) expect([609, 628, 629, 635]).toContain(body.code);
    }
  }
});

/** Values that no request means. */
const JUNK = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  'x',
  '\0',
  '9'.repeat(500),
  [],
  [[]],
  {},
  { length: 3 },
  '__proto__',
  'constructor',
];

/** The same request with one of its values replaced. */
function spoil(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.chance(5)) return random.pick(JUNK);
  const keys = Object.keys(value);
  if (keys.length === 0) return random.pick(JUNK);
  const key = random.pick(keys);
  const spoiled = spoil((value as Record<string, unknown>)[key], random);
  return Array.isArray(value)
    ? value.map((item, i) => (String(i) === key ? spoiled : item))
    : { ...value, [key]: spoiled };
}

test('requests with junk in them get an error of the list or a good answer', async () => {
  const random = new Random(13);
  const metadata = {
    account_sequence: 1,
    contract_address: BOOT,
    contract_name: 'pox-4',
    burn_block_height: 5,
    memo: 'm',
  };
  const terms = {
    number_of_cycles: 1,
    pox_addr: '2MtzNEqm2D9jcbPJ5mW7Z3AUNwqt3afZH66',
    signer_key: '02'.repeat(33),
    pox_auth_id: '1',
    reward_cycle_id: 4,
  };
  const stacking = operationsOf([
    { type: 'fee', address: alice.address, value: -300 },
    { type: 'stack_stx', address: alice.address, value: -500, metadata: terms },
  ]);
  const sending = transferOf(alice.address, bob.address, 500, 300);
  const public_keys = [alice.public_key];
  const made = await good(ask('/construction/payloads', { operations: sending, metadata, public_keys }));
  const signatures = (made.payloads as { hex_bytes: string }[]).map(payload => signPayload(payload, alice));
  const requests: [string, object][] = [
    ['/construction/derive', { public_key: alice.public_key }],
    [
      '/construction/preprocess',
      { operations: sending, metadata: { memo: 'm' }, suggested_fee_multiplier: 1, max_fee: [sending[2]!.amount] },
    ],
    ['/construction/preprocess', { operations: stacking }],
    ['/construction/payloads', { operations: sending, metadata, public_keys }],
    ['/construction/payloads', { operations: stacking, metadata, public_keys }],
    ['/construction/combine', { unsigned_transaction: made.unsigned_transaction, signatures }],
    ['/construction/parse', { signed: false, transaction: made.unsigned_transaction }],
    ['/construction/hash', { signed_transaction: made.unsigned_transaction }],
  ];
  for (const [path, request] of requests) {
    for (let i = 0; i < 150; i++) {
      const body = spoil(request, random) as object;
      const { status, body: answer } = await ask(path, body);
      const told = `${path} ${JSON.stringify(body)} ${status} ${JSON.stringify(answer)}`;
      expect(status === 200 || typeof answer.code === 'number', told).toBe(true);
      // What nobody foresaw would be 500 with 612.
      expect(status === 500 && answer.code === 612, told).toBe(false);
    }
  }
});
