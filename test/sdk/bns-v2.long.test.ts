import { createRequire } from 'node:module';
import { makeContractCall } from '@stacks/transactions';
import * as published from 'bns-v2-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordedCalls } from '../support/recorded-calls.ts';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();
const calls = new RecordedCalls();
const bns = calls.watch(published);

const network = 'testnet' as const;
const fullyQualifiedName = 'sdk-name.btc';
const owner = () => devnet.account('wallet_3');
const buyer = () => devnet.account('wallet_4');
const realFetch = globalThis.fetch;

// The package has fixed addresses: reads of contracts go to the devnet, and its own index cannot be reached.
beforeAll(() => {
  const redirect = (input: string | URL | Request) => String(input).replace('https://api.testnet.hiro.so', devnet.url);
  globalThis.fetch = (input, init) => realFetch(redirect(input), init);
  const axios = createRequire(createRequire(import.meta.url).resolve('bns-v2-sdk'))('axios') as {
    defaults: { adapter: (config: { url?: string }) => Promise<object> };
  };
  axios.defaults.adapter = async config => {
    const url = config.url ?? '';
    if (!url.startsWith('https://api.testnet.hiro.so')) throw new Error('not reachable');
    const response = await realFetch(redirect(url));
    return { data: await response.json(), status: response.status, statusText: '', headers: {}, config };
  };
});
afterAll(() => {
  globalThis.fetch = realFetch;
});

type Call = Awaited<ReturnType<typeof published.buildTransferNameTx>>;

/** Signs, sends and mines a call with its own post-conditions, in the strict mode. */
const run = async (call: Call, { privateKey: senderKey } = owner()) =>
  await devnet.run(await makeContractCall({ ...call, senderKey, network: devnet.network, validateWithAbi: true }));

const by = (account = owner()) => ({ senderAddress: account.address, network });
const isTrue = { tx_status: 'success', tx_result: { repr: '(ok true)' } };
const isNumber = { tx_status: 'success', tx_result: { repr: expect.stringMatching(/^\(ok u\d+\)$/) } };
const idOf = (name: string) => bns.getIdFromBns({ fullyQualifiedName: name, network }).then(BigInt);
const propertiesOf = async (namespace: string) => (await bns.getNamespaceProperties({ namespace, network })).properties;

/** Claims a name of `btc` at once. */
async function claim(name: string, account = owner()) {
  const stxToBurn = BigInt(await bns.getNamePrice({ fullyQualifiedName: name, network }));
  const options = { fullyQualifiedName: name, stxToBurn, sendTo: account.address, ...by(account) };
  expect(await run(await bns.buildNameClaimFastTx(options), account)).toMatchObject(isNumber);
}

test('what is free and what it costs', async () => {
  expect(await bns.canRegisterName({ fullyQualifiedName, network })).toBe(true);
  expect(BigInt(await bns.getNamePrice({ fullyQualifiedName, network }))).toBeGreaterThan(0n);
  expect(BigInt(await bns.getNamespacePrice({ namespace: 'sdkspace', network }))).toBeGreaterThan(0n);
  expect(await bns.canNamespaceBeRegistered({ namespace: 'sdkspace', network })).toBe(true);
  expect(await bns.canNamespaceBeRegistered({ namespace: 'btc', network })).toBe(false);
  expect(await propertiesOf('btc')).toMatchObject({ lifetime: expect.anything(), 'launched-at': expect.anything() });
});

test('a name is claimed, read and transferred', async () => {
  const { address } = owner();
  await claim(fullyQualifiedName);
  expect(await bns.canRegisterName({ fullyQualifiedName, network })).toBe(false);
  expect(await bns.getOwner({ fullyQualifiedName, network })).toBe(address);
  const id = await idOf(fullyQualifiedName);
  expect(await bns.getOwnerById({ id: Number(id), network })).toBe(address);
  expect(BigInt(await bns.getLastTokenId({ network }))).toBeGreaterThanOrEqual(id);
  expect(await bns.getBnsFromId({ id, network })).toMatchObject({ name: Buffer.from('sdk-name').toString('hex') });
  expect(await bns.getNameInfo({ fullyQualifiedName, network })).toMatchObject({ owner: address });
  const renewal = BigInt(await bns.getRenewalHeight({ fullyQualifiedName, network }));
  expect(await bns.canResolveName({ fullyQualifiedName, network })).toEqual({ owner: address, renewal });
  const newOwnerAddress = buyer().address;
  const transfer = await bns.buildTransferNameTx({ fullyQualifiedName, newOwnerAddress, ...by() });
  expect(await run(transfer)).toMatchObject(isTrue);
  expect(await bns.getOwner({ fullyQualifiedName, network })).toBe(newOwnerAddress);
  expect(await bns.fetchUserOwnedNames({ senderAddress: newOwnerAddress, network })).toHaveLength(1);
});

test('another name becomes the primary one', async () => {
  const { address } = owner();
  const primary = async () => await bns.getPrimaryName({ address, network });
  await claim('sdk-first.btc');
  await claim('sdk-second.btc');
  expect(await primary()).toEqual({ name: 'sdk-first', namespace: 'btc' });
  const set = await bns.buildSetPrimaryNameTx({ fullyQualifiedName: 'sdk-second.btc', ...by() });
  expect(await run(set)).toMatchObject(isTrue);
  expect(await primary()).toEqual({ name: 'sdk-second', namespace: 'btc' });
});

test('a name is listed, unlisted, listed again and bought', async () => {
  await claim('sdk-sale.btc');
  const id = await idOf('sdk-sale.btc');
  const commission = { commissionTraitAddress: owner().address, commissionTraitName: 'commission' };
  const price = 5_000_000n;
  const list = () => bns.buildListInUstxTx({ id, price, ...commission, ...by() });
  expect(await run(await list())).toMatchObject(isTrue);
  expect(await run(await bns.buildUnlistInUstxTx({ id, ...by() }))).toMatchObject(isTrue);
  const buy = () => bns.buildBuyInUstxTx({ id: Number(id), expectedPrice: price, ...commission, ...by(buyer()) });
  expect(await run(await buy(), buyer())).toMatchObject({ tx_result: { repr: '(err u103)' } });
  expect(await run(await list())).toMatchObject(isTrue);
  expect(await run(await buy(), buyer())).toMatchObject(isTrue);
  expect(await bns.getOwner({ fullyQualifiedName: 'sdk-sale.btc', network })).toBe(buyer().address);
});

test('a name is preordered and registered with its post-conditions', async () => {
  const options = { fullyQualifiedName: 'sdk-other.btc', salt: 'salt', stxToBurn: 2_000_000n, ...by() };
  expect(await run(await bns.buildPreorderNameTx(options))).toMatchObject(isNumber);
  await devnet.nextCycle();
  expect(await run(await bns.buildRegisterNameTx(options))).toMatchObject(isNumber);
  expect(await bns.getOwner({ ...options, network })).toBe(owner().address);
});

test('an earlier preorder takes a name that was claimed after it, and a later one does not', async () => {
  const options = { fullyQualifiedName: 'sdk-race.btc', salt: 'salt', stxToBurn: 2_000_000n, ...by() };
  expect(await run(await bns.buildPreorderNameTx(options))).toMatchObject(isNumber);
  await devnet.nextCycle();
  await claim(options.fullyQualifiedName, buyer());
  await devnet.nextCycle();
  const late = { ...options, salt: 'late', ...by(devnet.account('wallet_5')) };
  expect(await run(await bns.buildPreorderNameTx(late), devnet.account('wallet_5'))).toMatchObject(isNumber);
  expect(await run(await bns.buildPreviousRegisterNameTx(late), devnet.account('wallet_5'))).toMatchObject({
    tx_result: { repr: '(err u125)' },
  });
  expect(await run(await bns.buildPreviousRegisterNameTx(options))).toMatchObject(isNumber);
  expect(await bns.getOwner({ ...options, network })).toBe(owner().address);
});

test('the STX of a preorder that was not used are returned', async () => {
  const options = { fullyQualifiedName: 'sdk-unused.btc', salt: 'salt', ...by() };
  const preorder = await run(await bns.buildPreorderNameTx({ ...options, stxToBurn: 3_000_000n }));
  expect(preorder).toMatchObject(isNumber);
  const claimBack = () => bns.buildClaimPreorderTx({ ...options, stxToClaim: '3000000' });
  expect(await run(await claimBack())).toMatchObject({ tx_result: { repr: '(err u102)' } });
  await devnet.burnHeight((await devnet.caughtUp()).burn_block_height + 150);
  expect(await run(await claimBack())).toMatchObject(isTrue);
});

test('zone files are written in three ways and read back', async () => {
  const name = 'sdk-zone.btc';
  await claim(name);
  const named = { fullyQualifiedName: name, network };
  expect(await bns.getZonefileRaw(named)).toBeNull();
  expect(await bns.resolveNameZonefile(named)).toBeNull();
  expect(await bns.getZonefileProfile(named)).toBeNull();
  const base = { owner: owner().address, general: 'hello', twitter: '', url: '', nostr: '', lightning: '', btc: '' };
  const zonefileInputs = { ...base, subdomains: {} };
  const formatted = { owner: owner().address, bio: 'a name of a test', meta: [{ name: 'a', value: 'b' }] };
  const named2 = { fullyQualifiedName: name, ...by() };
  const steps = [
    { build: () => bns.buildUpdateZonefileTx({ ...named2, zonefileInputs }), written: zonefileInputs },
    { build: () => bns.buildUpdateZonefileFlexibleTx({ ...named2, zonefileData: { any: 1 } }), written: { any: 1 } },
    { build: () => bns.buildUpdateZonefileFormattedTx({ ...named2, zonefileData: formatted }), written: formatted },
  ];
  for (const { build, written } of steps) {
    expect(await run(await build())).toMatchObject(isTrue);
    // The package returns the hex text of the buffer as it is.
    const raw = await bns.getZonefileRaw(named);
    expect(JSON.parse(Buffer.from(String(raw), 'hex').toString())).toMatchObject(written);
  }
});

const priceFunction = Object.fromEntries(
  [
    'base',
    'coefficient',
    ...Array.from({ length: 16 }, (_, i) => `b${i + 1}`),
    'nonAlphaDiscount',
    'noVowelDiscount',
  ].map(name => [name, 1n]),
) as unknown as published.PriceFunction;

test('a namespace is preordered, revealed, filled and launched, and its names are renewed', async () => {
  const namespace = 'sdkspace';
  const stxToBurn = BigInt(await bns.getNamespacePrice({ namespace, network }));
  const options = { namespace, salt: 'salt', ...by() };
  expect(await run(await bns.buildPreorderNamespaceTx({ ...options, stxToBurn }))).toMatchObject(isNumber);
  const reveal = await bns.buildRevealNamespaceTx({
    ...{ ...options, priceFunction, lifetime: 5_000n, namespaceImportAddress: owner().address, canUpdatePrice: true },
  });
  expect(await run(reveal)).toMatchObject(isTrue);
  const imported = await bns.buildImportNameTx({ ...options, name: 'first', beneficiary: buyer().address });
  expect(await run(imported)).toMatchObject(isTrue);
  expect(await run(await bns.buildLaunchNamespaceTx(options))).toMatchObject(isTrue);
  const name = 'first.sdkspace';
  expect(await bns.getOwner({ fullyQualifiedName: name, network })).toBe(buyer().address);
  const height = async () => BigInt(await bns.getRenewalHeight({ fullyQualifiedName: name, network }));
  const before = await height();
  const price = BigInt(await bns.getNamePrice({ fullyQualifiedName: name, network }));
  const renew = await bns.buildRenewNameTx({ fullyQualifiedName: name, stxToBurn: price, ...by(buyer()) });
  expect(await run(renew, buyer())).toMatchObject(isTrue);
  expect((await height()) - before).toBe(5_000n);
});

test('a manager changes and freezes the prices of a namespace, and gives up its rights', async () => {
  const namespace = 'sdkmanaged';
  const stxToBurn = BigInt(await bns.getNamespacePrice({ namespace, network }));
  const options = { namespace, salt: 'salt', ...by() };
  expect(await run(await bns.buildPreorderNamespaceTx({ ...options, stxToBurn }))).toMatchObject(isNumber);
  const reveal = await bns.buildRevealNamespaceTx({
    ...{ ...options, namespaceImportAddress: owner().address, namespaceManagerAddress: owner().address },
    ...{ priceFunction, canUpdatePrice: true, managerTransfer: true, managerFrozen: false },
  });
  expect(await run(reveal)).toMatchObject(isTrue);
  expect(await run(await bns.buildLaunchNamespaceTx(options))).toMatchObject(isTrue);
  const dearer = await bns.buildNamespaceUpdatePriceTx({ ...options, priceFunction: { ...priceFunction, base: 7n } });
  expect(await run(dearer)).toMatchObject(isTrue);
  const { 'price-function': price } = await propertiesOf(namespace);
  expect(BigInt(price.base)).toBe(7n);
  expect(await run(await bns.buildNamespaceFreezePriceTx(options))).toMatchObject(isTrue);
  expect(await run(dearer)).toMatchObject({ tx_status: 'abort_by_response' });
  expect(await run(await bns.buildTurnOffManagerTransfersTx(options))).toMatchObject(isTrue);
  expect(await run(await bns.buildFreezeManagerTx(options))).toMatchObject(isTrue);
  expect(await propertiesOf(namespace)).toMatchObject({
    'manager-transferable': false,
    'manager-frozen': true,
    'can-update-price-function': false,
  });
});

test('every function that reaches the network has a test', () => {
  expect(calls.missing(published)).toEqual([]);
});
