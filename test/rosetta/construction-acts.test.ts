import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { postConditionJson } from '@cairn-stacks/codec/transaction/post-condition-json';
import { decodeTransaction, senderAddress } from '@cairn-stacks/codec/transaction/transaction';
import * as stacks from '@stacks/transactions';
import { expect, test } from 'vitest';
import type { ConstructionChain } from '../../src/rosetta/construction/chain.ts';
import { constructionChainRoutes, constructionRoutes } from '../../src/rosetta/routes/construction.ts';
import {
  good,
  intentOf,
  operationsOf,
  rosettaShell,
  type Signer,
  signerNamed,
  signPayload,
} from '../support/rosetta.ts';

const network = parseNetwork('testnet')!;
const boot = 'ST000000000000000000002AMW42H';
const alice = signerNamed('alice', network);
const bob = signerNamed('bob', network);
const node = signerNamed('node', network);

const chainOf = (contract: string): ConstructionChain => ({
  nextNonce: async () => 7,
  tipHash: async () => undefined,
  stacking: async () => ({ contract: `${boot}.${contract}`, rewardCycle: 5, burnHeight: 100 }),
  estimateFee: async (_payload, size) => BigInt(size),
  submit: async () => ({ refusal: '' }),
});
const shell = (contract: string) =>
  rosettaShell(network, false, [
    ...constructionRoutes({ network, compat: false }),
    ...constructionChainRoutes({ network, compat: false, chain: chainOf(contract) }),
  ]);
const [ask, askPox5] = [shell('pox-4'), shell('pox-5')];

type Operation = { operation_identifier: { index: number }; type: string; account: { address: string } };

/** A fee and one operation, which may have no amount. */
function operationsFor(type: string, metadata: object, amount?: bigint, sender = alice.address): Operation[] {
  const operations = operationsOf([
    { type: 'fee', address: sender, value: -300 },
    { type, address: sender, value: amount === undefined ? 0 : -amount, metadata },
  ]);
  if (amount === undefined) delete (operations[1] as { amount?: object }).amount;
  return operations;
}

type Parsed = { operations: { type: string; metadata: Record<string, unknown> }[]; account_identifier_signers: object };

/** From operations to a signed transaction and back, with any number of keys. */
async function make(asker: typeof ask, operations: Operation[], all: Signer[] = [alice], signing = all) {
  const { options } = await good(asker('/construction/preprocess', { operations }));
  const public_keys = all.map(({ public_key }) => public_key);
  const told = await good(asker('/construction/metadata', { options, public_keys }));
  const { metadata, suggested_fee } = told as { metadata: object; suggested_fee: { value: string }[] };
  const made = await good(asker('/construction/payloads', { operations, metadata, public_keys }));
  const payloads = made.payloads as { address: string; hex_bytes: string }[];
  const { unsigned_transaction } = made as { unsigned_transaction: string };
  const signatures = signing.map(signer =>
    signPayload(payloads.find(({ address }) => address === signer.address) ?? payloads[0]!, signer),
  );
  const combined = await good(asker('/construction/combine', { unsigned_transaction, signatures }));
  const { signed_transaction: transaction } = combined as { signed_transaction: string };
  const unsigned = await good(asker('/construction/parse', { signed: false, transaction: unsigned_transaction }));
  const signed = (await good(asker('/construction/parse', { signed: true, transaction }))) as unknown as Parsed;
  // The identifiers of coins have the id of the transaction, which a signature changes.
  const comparable = (operations: unknown) => (operations as object[]).map(o => ({ ...o, coin_change: undefined }));
  expect(comparable(signed.operations)).toEqual(comparable(unsigned.operations));
  expect(intentOf(signed.operations)).toEqual(intentOf(operations));
  return { transaction, metadata, payloads, signed, fee: suggested_fee[0]!.value };
}

const { Cl, Pc } = stacks;
const call = (contract: string, functionName: string, functionArgs: stacks.ClarityValue[], more: object = {}) => {
  const [contractAddress = '', contractName = ''] = contract.split('.');
  return stacks.makeContractCall({
    ...{ contractAddress, contractName, functionName, functionArgs },
    ...{ senderKey: `${bareHex(alice.key.secret)}01`, network: 'testnet', nonce: 7n, fee: 300n },
    ...more,
  });
};
const hexOf = (value: stacks.ClarityValue) => stacks.serializeCV(value);
const shop = `${bob.address}.shop`;

test('a call is that of @stacks/transactions to the byte, with its post-conditions', async () => {
  const conditions = [
    Pc.origin().willSendLte(500).ustx(),
    Pc.principal(shop).willSendEq(3).ft(`${bob.address}.gold`, 'gold'),
    Pc.principal(bob.address).willNotSendAsset().nft(`${bob.address}.cards::card`, Cl.uint(4)),
  ];
  const args = [Cl.uint(7), Cl.tuple({ who: Cl.principal(shop), note: Cl.stringUtf8('é') })];
  const theirs = await call(shop, 'buy!', args, { postConditions: conditions, postConditionMode: 'deny' });
  const shown = decodeTransaction(fromHex(theirs.serialize())).postConditions.map(postConditionJson);
  const terms = { contract_identifier: shop, function_name: 'buy!', args: args.map(hexOf) };
  const wires = conditions.map(stacks.postConditionToHex);
  for (const post_conditions of [wires, shown]) {
    const { transaction, signed, fee } = await make(ask, operationsFor('contract_call', { ...terms, post_conditions }));
    expect(transaction).toBe(`0x${theirs.serialize()}`);
    expect(signed.operations[1]!.metadata).toMatchObject({
      contract_identifier: shop,
      function_name: 'buy!',
      args: [{ hex: '0x0100000000000000000000000000000007', repr: 'u7', type: 'uint' }, { type: expect.any(String) }],
      post_conditions: shown,
    });
    expect(fee).toBe(String(theirs.serialize().length / 2));
    // What parse returns can be asked for again.
    const again = await make(ask, operationsFor('contract_call', signed.operations[1]!.metadata));
    expect(again.transaction).toBe(transaction);
  }
  const open = await make(ask, operationsFor('contract_call', { ...terms, post_condition_mode: 'allow' }));
  expect(open.transaction).toBe(`0x${(await call(shop, 'buy!', args, { postConditionMode: 'allow' })).serialize()}`);
});

test('a deploy is that of @stacks/transactions to the byte, with its version or without one', async () => {
  const senderKey = `${bareHex(alice.key.secret)}01`;
  for (const clarityVersion of [3, undefined] as const) {
    const theirs = await stacks.makeContractDeploy({
      ...{ contractName: 'shop', codeBody: '(print "hi")', senderKey, network: 'testnet', nonce: 7n, fee: 300n },
      ...(clarityVersion === undefined ? { clarityVersion: null as never } : { clarityVersion }),
    });
    const terms = { contract_name: 'shop', source_code: '(print "hi")' };
    const version = clarityVersion === undefined ? {} : { clarity_version: clarityVersion };
    const { transaction, signed } = await make(ask, operationsFor('contract_deploy', { ...terms, ...version }));
    if (clarityVersion !== undefined) expect(transaction).toBe(`0x${theirs.serialize()}`);
    expect(decodeTransaction(fromHex(transaction)).payload.type).toBe(
      clarityVersion === undefined ? 'smart_contract' : 'versioned_smart_contract',
    );
    expect(signed.operations[1]!.metadata).toMatchObject({ ...terms, contract_identifier: `${alice.address}.shop` });
  }
});

test('STX are sent to a contract', async () => {
  const operations = operationsOf([
    { type: 'fee', address: alice.address, value: -300 },
    { type: 'token_transfer', address: alice.address, value: -5 },
    { type: 'token_transfer', address: shop, value: 5 },
  ]);
  const theirs = await stacks.makeSTXTokenTransfer({
    ...{ recipient: shop, amount: 5n, memo: '', senderKey: `${bareHex(alice.key.secret)}01` },
    ...{ network: 'testnet', nonce: 7n, fee: 300n },
  });
  expect((await make(ask, operations)).transaction).toBe(`0x${theirs.serialize()}`);
});

const pox_addr = '2MtzNEqm2D9jcbPJ5mW7Z3AUNwqt3afZH66';
const consent = { signer_key: node.public_key.hex_bytes, pox_max_amount: '900', pox_auth_id: '11' };
const secret = { signer_private_key: bareHex(node.key.secret) };

/** What the signer signs, by @stacks/transactions. */
function signatureFor(topic: string, address: stacks.ClarityValue, period: number): stacks.ClarityValue {
  const domain = Cl.tuple({
    name: Cl.stringAscii('pox-4-signer'),
    version: Cl.stringAscii('1.0.0'),
    'chain-id': Cl.uint(network.chainId),
  });
  const message = Cl.tuple({
    'pox-addr': address,
    'reward-cycle': Cl.uint(5),
    topic: Cl.stringAscii(topic),
    period: Cl.uint(period),
    'auth-id': Cl.uint(11),
    'max-amount': Cl.uint(900),
  });
  return Cl.bufferFromHex(stacks.signStructuredData({ domain, message, privateKey: bareHex(node.key.secret) }));
}

test('a lock is extended, increased and, if delegated, revoked as the signer consents', async () => {
  const decoded = await make(
    ask,
    operationsFor('stack_extend', { number_of_cycles: 2, pox_addr, ...consent, ...secret }),
  );
  const payload = decodeTransaction(fromHex(decoded.transaction)).payload as { args: Uint8Array[] };
  const address = stacks.deserializeCV(payload.args[1]!);
  const rest = [Cl.bufferFromHex(node.public_key.hex_bytes), Cl.uint(900), Cl.uint(11)];
  const extend = [Cl.uint(2), address, Cl.some(signatureFor('stack-extend', address, 2)), ...rest];
  expect(decoded.transaction).toBe(`0x${(await call(`${boot}.pox-4`, 'stack-extend', extend)).serialize()}`);
  expect(JSON.stringify(decoded.metadata)).not.toContain('signer_private_key');
  expect(decoded.signed.operations[1]!.metadata).toMatchObject({ number_of_cycles: 2, pox_addr, ...consent });

  const increase = operationsFor('stack_increase', { number_of_cycles: 3, pox_addr, ...consent, ...secret }, 40n);
  const args = [Cl.uint(40), Cl.some(signatureFor('stack-increase', address, 3)), ...rest];
  const increased = await make(ask, increase);
  expect(increased.transaction).toBe(`0x${(await call(`${boot}.pox-4`, 'stack-increase', args)).serialize()}`);

  const revoked = await make(ask, operationsFor('revoke_delegate_stx', {}));
  expect(revoked.transaction).toBe(`0x${(await call(`${boot}.pox-4`, 'revoke-delegate-stx', [])).serialize()}`);
});

test('STX and bonds are staked through pox-5', async () => {
  const [manager, other] = [`${bob.address}.manager`, `${bob.address}.other`];
  const lockup = Cl.ok(Cl.tuple({ outputs: Cl.list([]), 'staker-unlock-bytes': Cl.bufferFromHex('51') }));
  const cases: [type: string, terms: object, amount: bigint | undefined, name: string, args: stacks.ClarityValue[]][] =
    [
      [
        'stake',
        { signer: manager, num_cycles: 6, signer_calldata: 'beef' },
        500n,
        'stake',
        [Cl.principal(manager), Cl.uint(500), Cl.uint(6), Cl.uint(100), Cl.some(Cl.bufferFromHex('beef'))],
      ],
      [
        'stake_update',
        { signer: other, old_signer: manager, cycles_to_extend: 1 },
        20n,
        'stake-update',
        [Cl.principal(other), Cl.principal(manager), Cl.uint(1), Cl.uint(20), Cl.none()],
      ],
      [
        'stake_update',
        { signer: other },
        undefined,
        'stake-update',
        [Cl.principal(other), Cl.principal(other), Cl.uint(0), Cl.uint(0), Cl.none()],
      ],
      ['unstake', { signer: other }, undefined, 'unstake', [Cl.principal(other)]],
      [
        'register_for_bond',
        { bond_index: 3, signer: manager, sats_total: '70000', post_condition_mode: 'allow' },
        900n,
        'register-for-bond',
        [Cl.uint(3), Cl.principal(manager), Cl.uint(900), Cl.error(Cl.uint(70_000)), Cl.none()],
      ],
      [
        'register_for_bond',
        { bond_index: 3, signer: manager, btc_lockup: hexOf(lockup) },
        900n,
        'register-for-bond',
        [Cl.uint(3), Cl.principal(manager), Cl.uint(900), lockup, Cl.none()],
      ],
    ];
  for (const [type, terms, amount, name, args] of cases) {
    const postConditionMode = 'post_condition_mode' in terms ? 'allow' : 'deny';
    const theirs = await call(`${boot}.pox-5`, name, args, { postConditionMode });
    const { transaction, signed } = await make(askPox5, operationsFor(type, terms, amount));
    expect([type, transaction]).toEqual([type, `0x${theirs.serialize()}`]);
    expect(signed.operations[1]).toMatchObject({ type, metadata: terms });
  }
});

test('the keys of an account sign at once, each in its place', async () => {
  const all = ['one', 'two', 'three'].map(name => signerNamed(name, network));
  const publicKeys = all.map(({ public_key }) => public_key.hex_bytes);
  const keys = [all[2]!, all[0]!];
  const theirs = await stacks.makeSTXTokenTransfer({
    ...{ recipient: bob.address, amount: 5n, memo: '', network: 'testnet', nonce: 7n, fee: 300n },
    ...{ publicKeys, numSignatures: 2, useNonSequentialMultiSig: true },
    signerKeys: keys.map(({ key }) => `${bareHex(key.secret)}01`),
  });
  const address = senderAddress(decodeTransaction(fromHex(theirs.serialize())));
  const operations = operationsOf([
    { type: 'fee', address, value: -300 },
    { type: 'token_transfer', address, value: -5 },
    { type: 'token_transfer', address: bob.address, value: 5 },
  ]);
  const { transaction, payloads, signed, fee } = await make(ask, operations, all, keys);
  expect(transaction).toBe(`0x${theirs.serialize()}`);
  expect(payloads.map(payload => payload.address)).toEqual(all.map(signer => signer.address));
  expect(new Set(payloads.map(({ hex_bytes }) => hex_bytes)).size).toBe(1);
  expect(signed.account_identifier_signers).toEqual([{ address }]);
  expect(fee).toBe(String(theirs.serialize().length / 2));
});

const refused = async (path: string, body: object, code: number, says: RegExp, asker = ask) => {
  const { status, body: answer } = await asker(path, body);
  expect([status, answer.code]).toEqual([500, code]);
  expect((answer.details as { message: string }).message).toMatch(says);
};

test.each<[string, Operation[], RegExp]>([
  [
    'a call of an account',
    operationsFor('contract_call', { contract_identifier: bob.address, function_name: 'x' }),
    /contract of this network/,
  ],
  ['a call without a function', operationsFor('contract_call', { contract_identifier: shop }), /function_name/],
  [
    'a function that cannot exist',
    operationsFor('contract_call', { contract_identifier: shop, function_name: '1x' }),
    /function_name/,
  ],
  [
    'an argument that is no value',
    operationsFor('contract_call', { contract_identifier: shop, function_name: 'x', args: ['0xff'] }),
    /args\[0\]/,
  ],
  [
    'a call with an amount',
    operationsFor('contract_call', { contract_identifier: shop, function_name: 'x' }, 5n),
    /has no amount/,
  ],
  [
    'a condition that is none',
    operationsFor('contract_call', { contract_identifier: shop, function_name: 'x', post_conditions: ['00'] }),
    /post_conditions\[0\]/,
  ],
  [
    'a contract name that is too long',
    operationsFor('contract_deploy', { contract_name: 'x'.repeat(41), source_code: '1' }),
    /contract_name/,
  ],
  ['a deploy without source', operationsFor('contract_deploy', { contract_name: 'x', source_code: '' }), /source_code/],
  ['a stake without an amount', operationsFor('stake', { signer: shop, num_cycles: 1 }), /whole number of micro-STX/],
  [
    'a signer that is no contract',
    operationsFor('stake', { signer: bob.address, num_cycles: 1 }, 5n),
    /signer of pox-5/,
  ],
  [
    'a bond without bitcoin',
    operationsFor('register_for_bond', { bond_index: 1, signer: shop }, 5n),
    /sats_total or btc_lockup/,
  ],
])('preprocess refuses %s', async (_, operations, says) => {
  await refused('/construction/preprocess', { operations }, 621, says);
});

test('a function is refused that the stacking contract of the chain does not have', async () => {
  const { options } = await good(
    ask('/construction/preprocess', { operations: operationsFor('stake', { signer: shop, num_cycles: 1 }, 5n) }),
  );
  await refused('/construction/metadata', { options }, 645, /pox-4 has no function for stake/);
  const extend = operationsFor('stack_extend', { number_of_cycles: 2, pox_addr, ...consent });
  const { options: extending } = await good(askPox5('/construction/preprocess', { operations: extend }));
  await refused('/construction/metadata', { options: extending }, 645, /pox-5 has no function/, askPox5);
});

test('keys and signatures of an account of several keys are refused with what to change', async () => {
  const all = ['one', 'two'].map(name => signerNamed(name, network));
  const public_keys = all.map(({ public_key }) => public_key);
  const operations = operationsOf([
    { type: 'fee', address: alice.address, value: -300 },
    { type: 'token_transfer', address: alice.address, value: -5 },
    { type: 'token_transfer', address: bob.address, value: 5 },
  ]);
  const body = { operations, metadata: { account_sequence: 1 } };
  await refused('/construction/payloads', { ...body, public_keys }, 636, /in the order of its address/);
  const many = Array.from({ length: 16 }, () => alice.public_key);
  await refused('/construction/payloads', { ...body, public_keys: many }, 636, /at most 15 keys/);
});
