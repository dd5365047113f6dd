import * as published from '@stacks/bns';
import { privateKeyToPublic, type StacksTransactionWire, TransactionSigner } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { RecordedCalls } from '../support/recorded-calls.ts';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();
const calls = new RecordedCalls();
const bns = calls.watch(published);

const owner = () => devnet.account('wallet_1');
const fullyQualifiedName = 'sdk-name.cairn';
const common = () => ({ publicKey: privateKeyToPublic(owner().privateKey) as string, network: devnet.network });
const run = async (unsigned: StacksTransactionWire, privateKey = owner().privateKey) => {
  new TransactionSigner(unsigned).signOrigin(privateKey);
  return await devnet.run(unsigned);
};
const nameOf = (name = fullyQualifiedName) => devnet.get(`/v1/names/${name}`);
const success = { tx_status: 'success', tx_result: { repr: '(ok true)' } };

/** Preorders and registers a name of wallet_1. */
async function register(name: string) {
  const stxToBurn = await bns.getNamePrice({ fullyQualifiedName: name, network: devnet.network });
  const options = { fullyQualifiedName: name, salt: 'grain', ...common() };
  const preordered = await run(await bns.buildPreorderNameTx({ ...options, stxToBurn }));
  expect(preordered).toMatchObject({ tx_status: 'success', tx_result: { repr: expect.stringMatching(/^\(ok u/) } });
  expect(await run(await bns.buildRegisterNameTx({ ...options, zonefile: '$ORIGIN a' }))).toMatchObject(success);
}

test('prices and availability are read', async () => {
  const { network } = devnet;
  expect(await bns.canRegisterName({ fullyQualifiedName, network })).toBe(true);
  expect(await bns.getNamePrice({ fullyQualifiedName, network })).toBeGreaterThan(0n);
  expect(await bns.getNamespacePrice({ namespace: 'sdkspace', network })).toBe(640_000_000n);
});

test('a name is preordered, registered, updated and transferred', async () => {
  const { network } = devnet;
  await register(fullyQualifiedName);
  expect(await bns.canRegisterName({ fullyQualifiedName, network })).toBe(false);
  expect(await nameOf()).toMatchObject({ address: owner().address, status: 'name-register' });
  const before = (await nameOf()).zonefile_hash;
  const update = await bns.buildUpdateNameTx({ fullyQualifiedName, zonefile: '$ORIGIN b', ...common() });
  expect(await run(update)).toMatchObject(success);
  expect((await nameOf()).zonefile_hash).not.toBe(before);
  const newOwner = devnet.account('wallet_2');
  const transfer = await bns.buildTransferNameTx({
    fullyQualifiedName,
    newOwnerAddress: newOwner.address,
    ...common(),
  });
  expect(await run(transfer)).toMatchObject(success);
  expect(await nameOf()).toMatchObject({ address: newOwner.address });
});

test('a namespace is preordered, revealed, filled and launched', async () => {
  const { network } = devnet;
  const namespace = 'sdkspace';
  // An account has at most one name of this contract.
  const beneficiary = devnet.account('wallet_5').address;
  const stxToBurn = await bns.getNamespacePrice({ namespace, network });
  const buckets = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`b${i + 1}`, 1n]));
  const discounts = { nonAlphaDiscount: 1n, noVowelDiscount: 1n };
  const priceFunction = { base: 1n, coefficient: 1n, ...discounts, ...buckets } as published.PriceFunction;
  const steps = [
    () => bns.buildPreorderNamespaceTx({ namespace, salt: 'sea', stxToBurn, ...common() }),
    () =>
      bns.buildRevealNamespaceTx({
        ...{ namespace, salt: 'sea', priceFunction, lifetime: 200, namespaceImportAddress: owner().address },
        ...common(),
      }),
    () => bns.buildImportNameTx({ namespace, name: 'first', beneficiary, zonefile: 'z', ...common() }),
    () => bns.buildReadyNamespaceTx({ namespace, ...common() }),
  ];
  for (const step of steps) {
    const shown = await run(await step());
    expect([shown.tx_status, shown.tx_result.repr, shown.vm_error]).toEqual(['success', expect.anything(), null]);
  }
  expect(await bns.canRegisterName({ fullyQualifiedName: 'second.sdkspace', network })).toBe(true);
  const { namespaces } = await devnet.get<{ namespaces: string[] }>('/v1/namespaces');
  expect(namespaces).toContain(namespace);
  expect(await nameOf('first.sdkspace')).toMatchObject({ address: beneficiary, status: 'name-import' });
});

test('a name with a lifetime is renewed and revoked', async () => {
  const name = 'second.sdkspace';
  await register(name);
  const stxToBurn = await bns.getNamePrice({ fullyQualifiedName: name, network: devnet.network });
  const renew = await bns.buildRenewNameTx({ fullyQualifiedName: name, stxToBurn, ...common() });
  expect(await run(renew)).toMatchObject(success);
  expect(await nameOf(name)).toMatchObject({ status: 'name-renewal' });
  expect(await run(await bns.buildRevokeNameTx({ fullyQualifiedName: name, ...common() }))).toMatchObject(success);
  expect(await devnet.get(`/extended/v1/names/${name}`)).toMatchObject({ state: 'revoked' });
});

test('every function that reaches the network has a test', () => {
  expect(calls.missing(published)).toEqual([]);
});
