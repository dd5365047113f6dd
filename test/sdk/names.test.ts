import { createRequire } from 'node:module';
import * as bns from '@stacks/bns';
import {
  makeContractCall,
  privateKeyToPublic,
  type StacksTransactionWire,
  TransactionSigner,
} from '@stacks/transactions';
import * as bnsV2 from 'bns-v2-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();

describe('@stacks/bns', () => {
  const owner = () => devnet.account('wallet_1');
  const fullyQualifiedName = 'sdk-name.cairn';
  const common = () => ({ publicKey: privateKeyToPublic(owner().privateKey) as string, network: devnet.network });
  const run = async (unsigned: StacksTransactionWire, privateKey = owner().privateKey) => {
    new TransactionSigner(unsigned).signOrigin(privateKey);
    return await devnet.run(unsigned);
  };
  const nameOf = () => devnet.get(`/v1/names/${fullyQualifiedName}`);

  test('prices and availability are read', async () => {
    const { network } = devnet;
    expect(await bns.canRegisterName({ fullyQualifiedName, network })).toBe(true);
    expect(await bns.getNamePrice({ fullyQualifiedName, network })).toBeGreaterThan(0n);
    expect(await bns.getNamespacePrice({ namespace: 'sdkspace', network })).toBeGreaterThan(0n);
  });

  test('a name is preordered, registered, updated, transferred and renewed', async () => {
    const { network } = devnet;
    const stxToBurn = await bns.getNamePrice({ fullyQualifiedName, network });
    const salt = 'grain';
    const preorder = await bns.buildPreorderNameTx({ fullyQualifiedName, salt, stxToBurn, ...common() });
    expect(await run(preorder)).toMatchObject({ tx_status: 'success' });
    const register = await bns.buildRegisterNameTx({ fullyQualifiedName, salt, zonefile: '$ORIGIN a', ...common() });
    expect(await run(register)).toMatchObject({ tx_status: 'success', tx_result: { repr: '(ok true)' } });
    expect(await bns.canRegisterName({ fullyQualifiedName, network })).toBe(false);
    expect(await nameOf()).toMatchObject({ address: owner().address, status: 'name-register' });
    const update = await bns.buildUpdateNameTx({ fullyQualifiedName, zonefile: '$ORIGIN b', ...common() });
    expect(await run(update)).toMatchObject({ tx_status: 'success' });
    const newOwner = devnet.account('wallet_2');
    const transfer = await bns.buildTransferNameTx({
      fullyQualifiedName,
      newOwnerAddress: newOwner.address,
      ...common(),
    });
    expect(await run(transfer)).toMatchObject({ tx_status: 'success' });
    expect(await nameOf()).toMatchObject({ address: newOwner.address });
  });

  test('a namespace is preordered, revealed, filled and launched', async () => {
    const { network } = devnet;
    const namespace = 'sdkspace';
    const stxToBurn = await bns.getNamespacePrice({ namespace, network });
    const buckets = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`b${i + 1}`, 1n]));
    const priceFunction = {
      base: 1n,
      coefficient: 1n,
      nonAlphaDiscount: 1n,
      noVowelDiscount: 1n,
      ...buckets,
    } as bns.PriceFunction;
    const steps = [
      () => bns.buildPreorderNamespaceTx({ namespace, salt: 'sea', stxToBurn, ...common() }),
      () =>
        bns.buildRevealNamespaceTx({
          ...{
            namespace,
            salt: 'sea',
            priceFunction,
            lifetime: 0,
            namespaceImportAddress: owner().address,
            ...common(),
          },
        }),
      () =>
        bns.buildImportNameTx({ namespace, name: 'first', beneficiary: owner().address, zonefile: 'z', ...common() }),
      () => bns.buildReadyNamespaceTx({ namespace, ...common() }),
    ];
    for (const step of steps) {
      const shown = await run(await step());
      expect([shown.tx_status, shown.tx_result.repr, shown.vm_error]).toEqual(['success', expect.anything(), null]);
    }
    expect(await bns.canRegisterName({ fullyQualifiedName: 'second.sdkspace', network })).toBe(true);
    const { namespaces } = await devnet.get<{ namespaces: string[] }>('/v1/namespaces');
    expect(namespaces).toContain(namespace);
  });
});

describe('bns-v2-sdk', () => {
  const network = 'testnet' as const;
  const fullyQualifiedName = 'sdk-name.btc';
  const owner = () => devnet.account('wallet_3');
  const realFetch = globalThis.fetch;

  // The package has fixed addresses: reads of contracts go to the devnet, and its own index cannot be reached.
  beforeAll(() => {
    const redirect = (input: string | URL | Request) =>
      String(input).replace('https://api.testnet.hiro.so', devnet.url);
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

  const run = async (call: Awaited<ReturnType<typeof bnsV2.buildTransferNameTx>>, senderKey = owner().privateKey) =>
    await devnet.run(await makeContractCall({ ...call, senderKey, network: devnet.network, validateWithAbi: true }));

  test('what is free and what it costs', async () => {
    expect(await bnsV2.canRegisterName({ fullyQualifiedName, network })).toBe(true);
    expect(BigInt(await bnsV2.getNamePrice({ fullyQualifiedName, network }))).toBeGreaterThan(0n);
    expect(BigInt(await bnsV2.getNamespacePrice({ namespace: 'sdkspace', network }))).toBeGreaterThan(0n);
    expect(await bnsV2.canNamespaceBeRegistered({ namespace: 'sdkspace', network })).toBe(true);
    expect(await bnsV2.canNamespaceBeRegistered({ namespace: 'btc', network })).toBe(false);
    expect(await bnsV2.getNamespaceProperties({ namespace: 'btc', network })).toMatchObject({
      properties: { lifetime: expect.anything(), 'launched-at': expect.anything() },
    });
  });

  test('a name is claimed, read, made primary and transferred', async () => {
    const senderAddress = owner().address;
    const price = BigInt(await bnsV2.getNamePrice({ fullyQualifiedName, network }));
    const claim = await bnsV2.buildNameClaimFastTx({
      ...{ fullyQualifiedName, stxToBurn: price, sendTo: senderAddress, senderAddress, network },
    });
    expect(await run(claim)).toMatchObject({ tx_status: 'success' });
    expect(await bnsV2.canRegisterName({ fullyQualifiedName, network })).toBe(false);
    expect(await bnsV2.getOwner({ fullyQualifiedName, network })).toBe(senderAddress);
    const id = BigInt(await bnsV2.getIdFromBns({ fullyQualifiedName, network }));
    expect(await bnsV2.getOwnerById({ id: Number(id), network })).toBe(senderAddress);
    expect(BigInt(await bnsV2.getLastTokenId({ network }))).toBeGreaterThanOrEqual(id);
    expect(await bnsV2.getBnsFromId({ id, network })).toMatchObject({ name: Buffer.from('sdk-name').toString('hex') });
    expect(await bnsV2.getNameInfo({ fullyQualifiedName, network })).toMatchObject({ owner: senderAddress });
    expect(BigInt(await bnsV2.getRenewalHeight({ fullyQualifiedName, network }))).toBeTypeOf('bigint');
    expect(await bnsV2.canResolveName({ fullyQualifiedName, network })).toMatchObject({ owner: senderAddress });
    expect(await bnsV2.resolveNameZonefile({ fullyQualifiedName, network })).toBeNull();
    const primary = await bnsV2.buildSetPrimaryNameTx({ fullyQualifiedName, senderAddress, network });
    const set = await run(primary);
    // The first name of an account is its primary name already.
    expect(['success', 'abort_by_response']).toContain(set.tx_status);
    expect(await bnsV2.getPrimaryName({ address: senderAddress, network })).toEqual({
      name: 'sdk-name',
      namespace: 'btc',
    });
    const newOwnerAddress = devnet.account('wallet_4').address;
    const transfer = await bnsV2.buildTransferNameTx({ fullyQualifiedName, newOwnerAddress, senderAddress, network });
    expect(await run(transfer)).toMatchObject({ tx_status: 'success' });
    expect(await bnsV2.getOwner({ fullyQualifiedName, network })).toBe(newOwnerAddress);
    expect(await bnsV2.fetchUserOwnedNames({ senderAddress: newOwnerAddress, network })).toHaveLength(1);
  });
});
