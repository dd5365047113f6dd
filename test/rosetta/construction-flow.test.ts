import { poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { addressNetwork, type Network, parseNetwork } from '@cairn-stacks/codec/network';
import * as stacks from '@stacks/transactions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConstructionChain } from '../../src/rosetta/construction/chain.ts';
import { constructionChainRoutes, constructionRoutes } from '../../src/rosetta/routes/construction.ts';
import {
  type Answer,
  type Ask,
  good,
  intentOf,
  operationsOf,
  rosettaShell,
  type Signer,
  signerNamed,
  signPayload,
  transferOf,
} from '../support/rosetta.ts';

const networks = ['mainnet', 'testnet'].map(name => parseNetwork(name)!);
const boot = { mainnet: 'SP000000000000000000002Q6VF78', testnet: 'ST000000000000000000002AMW42H' };

function chainOf(network: Network, contract: string): ConstructionChain {
  return {
    nextNonce: async () => 7,
    tipHash: async () => `0x${'ab'.repeat(32)}`,
    stacking: async () => ({
      contract: `${boot[addressNetwork(network)]}.${contract}`,
      rewardCycle: 5,
      burnHeight: 100,
    }),
    estimateFee: async () => 400n,
    submit: async () => ({ refusal: 'nobody listens' }),
  };
}

const asks = new Map<string, Ask>();
function askOn(network: Network, contract = 'pox-4'): Ask {
  const key = `${network.name} ${contract}`;
  const options = { network, compat: false };
  const routes = [
    ...constructionRoutes(options),
    ...constructionChainRoutes({ ...options, chain: chainOf(network, contract) }),
  ];
  const ask = asks.get(key) ?? rosettaShell(network, false, routes);
  asks.set(key, ask);
  return ask;
}

type Made = { unsigned: string; signed: string; parsed: Answer['body']; unsignedParsed: Answer['body']; hash: string };

/** The whole way from operations to a signed transaction, as a wallet goes it. */
async function make(
  ask: Ask,
  signer: Signer,
  operations: object[],
  metadata?: object,
): Promise<Made & { metadata: Record<string, unknown> }> {
  const { options, required_public_keys } = await good(
    ask('/construction/preprocess', { operations, ...(metadata && { metadata }) }),
  );
  expect(required_public_keys).toEqual([{ address: signer.address }]);
  const public_keys = [signer.public_key];
  const told = await good(ask('/construction/metadata', { options, public_keys }));
  const { unsigned_transaction: unsigned, payloads } = await good(
    ask('/construction/payloads', { operations, metadata: told.metadata, public_keys }),
  );
  const unsignedParsed = await good(ask('/construction/parse', { signed: false, transaction: unsigned }));
  const signatures = (payloads as { hex_bytes: string }[]).map(payload => signPayload(payload, signer));
  const { signed_transaction: signed } = await good(
    ask('/construction/combine', { unsigned_transaction: unsigned, signatures }),
  );
  const parsed = await good(ask('/construction/parse', { signed: true, transaction: signed }));
  const { transaction_identifier } = await good(ask('/construction/hash', { signed_transaction: signed }));
  const { hash } = transaction_identifier as { hash: string };
  return { unsigned, signed, parsed, unsignedParsed, hash, metadata: told.metadata } as never;
}

const amount = fc.bigInt(1n, 2n ** 64n - 1n);
const fee = fc.bigInt(0n, 2n ** 63n);
const place = fc.record({
  network: fc.constantFrom(...networks),
  who: fc.string(),
  keyEncoding: fc.constantFrom('compressed', 'uncompressed'),
});
const rewardAddress = fc.oneof(
  fc.record({ version: fc.constantFrom(0, 1, 4), hash: fc.uint8Array({ minLength: 20, maxLength: 20 }) }),
  fc.record({ version: fc.constantFrom(5, 6), hash: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
);
const settings = { numRuns: 40 };

function checkMade(
  made: Made,
  operations: ReturnType<typeof operationsOf>,
  signer: Signer,
  theirs: stacks.StacksTransactionWire,
) {
  expect(made.unsigned).toBe(`0x${theirs.serialize()}`);
  new stacks.TransactionSigner(theirs).signOrigin(
    bareHex(signer.key.secret) + (signer.key.keyEncoding === 'compressed' ? '01' : ''),
  );
  expect(made.signed).toBe(`0x${theirs.serialize()}`);
  expect(made.hash).toBe(`0x${theirs.txid()}`);
  for (const { operations: told } of [made.parsed, made.unsignedParsed]) {
    expect(intentOf(told as never)).toEqual(intentOf(operations));
    expect((told as { status: string }[]).every(({ status }) => status === '')).toBe(true);
  }
  expect(made.parsed.account_identifier_signers).toEqual([{ address: signer.address }]);
  expect(made.unsignedParsed.account_identifier_signers).toBeUndefined();
}

const spending = (signer: Signer, network: Network, fee: bigint) => ({
  publicKey: signer.public_key.hex_bytes,
  network: addressNetwork(network),
  nonce: 7n,
  fee,
});

test('transfers come back as they were asked for, and are those of @stacks/transactions to the byte', async () => {
  const memos = fc.string({ maxLength: 34 }).filter(memo => !memo.endsWith('\0') && Buffer.byteLength(memo) <= 34);
  await fc.assert(
    fc.asyncProperty(place, amount, fee, memos, async ({ network, who, keyEncoding }, value, cost, memo) => {
      const signer = signerNamed(who, network, keyEncoding as 'compressed');
      const recipient = signerNamed(`${who} to`, network).address;
      const operations = transferOf(signer.address, recipient, value, cost);
      const made = await make(askOn(network), signer, operations, memo === '' ? undefined : { memo });
      const theirs = await stacks.makeUnsignedSTXTokenTransfer({
        ...{ recipient, amount: value, memo },
        ...spending(signer, network, cost),
      });
      checkMade(made, operations, signer, theirs);
      expect(made.parsed.metadata).toEqual(memo === '' ? undefined : { memo });
    }),
    settings,
  );
});

test('a memo may be given with the operations too, as parse and blocks show it', async () => {
  const [network] = networks;
  const [signer, recipient] = [signerNamed('noting', network!), signerNamed('noted', network!).address];
  const operations = transferOf(signer.address, recipient, 5, 200);
  const noted = operations.map(operation =>
    operation.type === 'fee' ? operation : { ...operation, metadata: { memo: 'to 77' } },
  );
  const empty = operations.map(operation => ({ ...operation, metadata: { memo: null } }));
  const ask = askOn(network!);
  const wanted = await make(ask, signer, operations, { memo: 'to 77' });
  expect((await make(ask, signer, noted)).unsigned).toBe(wanted.unsigned);
  expect((await make(ask, signer, noted, { memo: 'to 77' })).unsigned).toBe(wanted.unsigned);
  expect((await make(ask, signer, empty, { memo: 'to 77' })).unsigned).toBe(wanted.unsigned);
  expect((await make(ask, signer, wanted.parsed.operations as typeof operations)).unsigned).toBe(wanted.unsigned);
});

const number128 = fc.bigInt(0n, 2n ** 128n - 1n);

test('stacking comes back with its terms, and is that of @stacks/transactions to the byte', async () => {
  const terms = fc.record({
    cycles: fc.integer({ min: 1, max: 12 }),
    most: number128,
    authId: number128,
    poxAddress: rewardAddress,
    signs: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      place,
      amount,
      terms,
      async ({ network, who }, value, { cycles, most, authId, poxAddress, signs }) => {
        const signer = signerNamed(who, network);
        const node = signerNamed(`${who} node`, network);
        const pox_addr = poxToBitcoinAddress(poxAddress, addressNetwork(network));
        const metadata = {
          number_of_cycles: cycles,
          pox_addr,
          signer_key: node.public_key.hex_bytes,
          pox_max_amount: most.toString(),
          pox_auth_id: authId.toString(),
        };
        const secret = signs && { signer_private_key: bareHex(node.key.secret) };
        const operations = operationsOf([
          { type: 'fee', address: signer.address, value: -300 },
          { type: 'stack_stx', address: signer.address, value: -value, metadata: { ...metadata, ...secret } },
        ]);
        const made = await make(askOn(network), signer, operations);
        expect(JSON.stringify(made.metadata)).not.toContain('signer_private_key');
        const tuple = stacks.Cl.tuple({
          hashbytes: stacks.Cl.buffer(poxAddress.hash),
          version: stacks.Cl.buffer(Uint8Array.of(poxAddress.version)),
        });
        const consent = stacks.signStructuredData({
          domain: stacks.Cl.tuple({
            name: stacks.Cl.stringAscii('pox-4-signer'),
            version: stacks.Cl.stringAscii('1.0.0'),
            'chain-id': stacks.Cl.uint(network.chainId),
          }),
          message: stacks.Cl.tuple({
            'pox-addr': tuple,
            'reward-cycle': stacks.Cl.uint(5),
            topic: stacks.Cl.stringAscii('stack-stx'),
            period: stacks.Cl.uint(cycles),
            'auth-id': stacks.Cl.uint(authId),
            'max-amount': stacks.Cl.uint(most),
          }),
          privateKey: bareHex(node.key.secret),
        });
        const theirs = await stacks.makeUnsignedContractCall({
          ...{ contractAddress: boot[addressNetwork(network)], contractName: 'pox-4', functionName: 'stack-stx' },
          functionArgs: [
            stacks.Cl.uint(value),
            tuple,
            stacks.Cl.uint(100),
            stacks.Cl.uint(cycles),
            signs ? stacks.Cl.some(stacks.Cl.bufferFromHex(consent)) : stacks.Cl.none(),
            stacks.Cl.bufferFromHex(node.public_key.hex_bytes),
            stacks.Cl.uint(most),
            stacks.Cl.uint(authId),
          ],
          ...spending(signer, network, 300n),
        });
        checkMade(made, operations, signer, theirs);
        const told = (made.parsed.operations as { metadata: object }[])[1]!.metadata;
        expect(told).toEqual({ ...metadata, burn_block_height: 100, ...(signs && { signer_signature: consent }) });
      },
    ),
    settings,
  );
});

test('delegation comes back with its terms, and is that of @stacks/transactions to the byte', async () => {
  const terms = fc.record({ poxAddress: fc.option(rewardAddress), pool: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(place, amount, fee, terms, async ({ network, who }, value, cost, { poxAddress, pool }) => {
      const signer = signerNamed(who, network);
      const delegate_to = signerNamed(`${who} pool`, network).address + (pool ? '.the-pool' : '');
      const pox_addr = poxAddress && { pox_addr: poxToBitcoinAddress(poxAddress, addressNetwork(network)) };
      const metadata = { delegate_to, ...pox_addr };
      const operations = operationsOf([
        { type: 'fee', address: signer.address, value: -cost },
        { type: 'delegate_stx', address: signer.address, value: -value, metadata },
      ]);
      const made = await make(askOn(network), signer, operations);
      const tuple =
        poxAddress &&
        stacks.Cl.tuple({
          hashbytes: stacks.Cl.buffer(poxAddress.hash),
          version: stacks.Cl.buffer(Uint8Array.of(poxAddress.version)),
        });
      const [address, name] = delegate_to.split('.');
      const theirs = await stacks.makeUnsignedContractCall({
        ...{ contractAddress: boot[addressNetwork(network)], contractName: 'pox-4', functionName: 'delegate-stx' },
        functionArgs: [
          stacks.Cl.uint(value),
          name ? stacks.Cl.contractPrincipal(address!, name) : stacks.Cl.principal(address!),
          stacks.Cl.none(),
          tuple ? stacks.Cl.some(tuple) : stacks.Cl.none(),
        ],
        ...spending(signer, network, cost),
      });
      checkMade(made, operations, signer, theirs);
      expect((made.parsed.operations as { metadata: object }[])[1]!.metadata).toEqual(metadata);
    }),
    settings,
  );
});

test('before pox-4 stacking knows no signer', async () => {
  const [, network] = networks as [Network, Network];
  const signer = signerNamed('early', network);
  const metadata = {
    number_of_cycles: 2,
    pox_addr: '2MtzNEqm2D9jcbPJ5mW7Z3AUNwqt3afZH66',
    signer_key: '02'.repeat(33),
  };
  const operations = operationsOf([
    { type: 'fee', address: signer.address, value: -300 },
    { type: 'stack_stx', address: signer.address, value: -5_000_000, metadata },
  ]);
  const made = await make(askOn(network, 'pox-3'), signer, operations);
  const { signer_key: _, ...terms } = metadata;
  expect((made.parsed.operations as { metadata: object }[])[1]!.metadata).toEqual({ ...terms, burn_block_height: 100 });
});

test('the suggested fee is scaled, bounded below by the network and above by the caller', async () => {
  const [, network] = networks as [Network, Network];
  const ask = askOn(network);
  const [from, to] = [signerNamed('a', network).address, signerNamed('b', network).address];
  const suggest = async (wish: object) => {
    const { options } = await good(
      ask('/construction/preprocess', { operations: transferOf(from, to, 5, 1), ...wish }),
    );
    const { suggested_fee } = await good(ask('/construction/metadata', { options }));
    return (suggested_fee as { value: string }[]).map(({ value }) => value);
  };
  const most = (value: string) => [{ value, currency: { symbol: 'STX', decimals: 6 } }];
  expect(await suggest({})).toEqual(['400']);
  expect(await suggest({ suggested_fee_multiplier: 2.5 })).toEqual(['1000']);
  expect(await suggest({ suggested_fee_multiplier: 0.0001 })).toEqual(['180']);
  expect(await suggest({ suggested_fee_multiplier: 2.5, max_fee: most('700') })).toEqual(['700']);
});

test('a signature with a high S is turned into the equal one that networks take', async () => {
  const [, network] = networks as [Network, Network];
  const ask = askOn(network);
  const signer = signerNamed('high', network);
  const operations = transferOf(signer.address, signerNamed('b', network).address, 5, 200);
  const { unsigned_transaction, payloads } = await good(
    ask('/construction/payloads', { operations, metadata: { account_sequence: 1 }, public_keys: [signer.public_key] }),
  );
  const low = signPayload((payloads as { hex_bytes: string }[])[0]!, signer);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = (order - BigInt(`0x${low.hex_bytes.slice(64, 128)}`)).toString(16).padStart(64, '0');
  const v = toHex(Uint8Array.of(Number(`0x${low.hex_bytes.slice(128)}`) ^ 1)).slice(2);
  const high = { ...low, hex_bytes: low.hex_bytes.slice(0, 64) + s + v };
  const combine = (signature: object) =>
    good(ask('/construction/combine', { unsigned_transaction, signatures: [signature] }));
  expect(await combine(high)).toEqual(await combine(low));
});
