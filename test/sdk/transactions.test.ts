import { createNetwork, networkFromName } from '@stacks/network';
import * as published from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import { RecordedCalls } from '../support/recorded-calls.ts';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();
const calls = new RecordedCalls();
const { Cl, cvToString, Pc, privateKeyToPublic, serializePayload, TransactionSigner } = published;
const sdk = calls.watch(published);
const wallet = (name: string) => devnet.account(name);
/** Deploys the contracts of the devnet. */
const deployer = 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F';
const stone = { contractAddress: deployer, contractName: 'stone' };

describe('@stacks/transactions', () => {
  test('a transfer without fee and nonce is estimated, sent and mined', async () => {
    const { network } = devnet;
    const [{ privateKey: senderKey, address }, { address: recipient }] = [wallet('wallet_1'), wallet('wallet_2')];
    const before = await devnet.get<{ balance: string }>(`/extended/v1/address/${recipient}/stx`);
    expect(await sdk.fetchNonce({ address, network })).toBe(0n);
    const transaction = await sdk.makeSTXTokenTransfer({
      recipient,
      amount: 12_345n,
      senderKey,
      network,
      memo: 'hello',
    });
    expect(transaction.auth.spendingCondition.nonce).toBe(0n);
    expect(transaction.auth.spendingCondition.fee).toBeGreaterThan(0n);
    const shown = await devnet.run(transaction);
    expect(shown).toMatchObject({
      tx_id: `0x${transaction.txid()}`,
      tx_status: 'success',
      tx_result: { repr: '(ok true)' },
    });
    const after = await devnet.get<{ balance: string }>(`/extended/v1/address/${recipient}/stx`);
    expect(BigInt(after.balance) - BigInt(before.balance)).toBe(12_345n);
    expect(await sdk.fetchNonce({ address, network })).toBe(1n);
  });

  test('fees are estimated for a transfer, a payload and a transaction', async () => {
    const { network } = devnet;
    const { privateKey: senderKey, address } = wallet('wallet_3');
    const options = {
      recipient: address,
      amount: 1n,
      senderKey: wallet('wallet_4').privateKey,
      network,
      fee: 0n,
      nonce: 0n,
    };
    const transaction = await sdk.makeSTXTokenTransfer(options);
    const size = BigInt(transaction.serializeBytes().length);
    expect(await sdk.fetchFeeEstimateTransfer({ transaction, network })).toBe(size);
    const [low, middle, high] = await sdk.fetchFeeEstimateTransaction({
      payload: serializePayload(transaction.payload),
      estimatedLength: Number(size),
      network,
    });
    expect([low.fee >= size, middle.fee > low.fee, high.fee > middle.fee].map(Boolean)).toEqual([true, true, true]);
    expect(await sdk.fetchFeeEstimate({ transaction, network })).toBeGreaterThan(0);
    expect(senderKey).toHaveLength(66);
  });

  test('what a node rejects has its reason', async () => {
    const { network } = devnet;
    const { privateKey: senderKey, address } = wallet('wallet_5');
    const { address: recipient } = wallet('wallet_6');
    const send = async (options: Partial<Parameters<typeof published.makeSTXTokenTransfer>[0]>) => {
      const transaction = await sdk.makeSTXTokenTransfer({
        ...{ recipient, amount: 1n, senderKey, network, fee: 1000n, nonce: 0n },
        ...options,
      } as Parameters<typeof published.makeSTXTokenTransfer>[0]);
      return await sdk.broadcastTransaction({ transaction, network });
    };
    expect(await send({ fee: 1n })).toMatchObject({ error: 'transaction rejected', reason: 'FeeTooLow' });
    expect(await send({ amount: 10n ** 18n })).toMatchObject({ reason: 'NotEnoughFunds' });
    expect(await send({ nonce: 99n })).toMatchObject({ reason: 'TooMuchChaining' });
    expect(await send({ network: 'mainnet', recipient: 'SP000000000000000000002Q6VF78' })).toHaveProperty('error');
    expect(await send({ recipient: address })).toMatchObject({ reason: 'TransferRecipientCannotEqualSender' });
    const sent = await send({});
    expect(await devnet.mined(sent as { txid: string })).toMatchObject({ tx_status: 'success' });
    expect(await send({ amount: 2n })).toMatchObject({ reason: 'BadNonce', reason_data: { expected: 1, actual: 0 } });
  });

  test('an interface, a read-only function and a map entry are read', async () => {
    const { network } = devnet;
    const abi = await sdk.fetchAbi({ ...stone, network });
    expect(abi.functions.find(({ name }) => name === 'transfer')).toMatchObject({ access: 'public' });
    expect(abi.fungible_tokens).toEqual([{ name: 'stone' }]);
    const call = (
      functionName: string,
      functionArgs = [] as Parameters<typeof published.fetchCallReadOnlyFunction>[0]['functionArgs'],
    ) => sdk.fetchCallReadOnlyFunction({ ...stone, functionName, functionArgs, senderAddress: deployer, network });
    expect(cvToString(await call('get-symbol'))).toMatch(/^\(ok "/);
    const supply = await call('get-total-supply');
    expect(supply).toMatchObject({ type: 'ok', value: { type: 'uint' } });
    expect(cvToString(await call('get-balance', [Cl.principal(wallet('wallet_8').address)]))).toBe('(ok u0)');
    await expect(call('no-such-function')).rejects.toThrow();
    const delegation = await sdk.fetchContractMapEntry({
      contractAddress: 'ST000000000000000000002AMW42H',
      contractName: 'pox-4',
      mapName: 'delegation-state',
      mapKey: Cl.tuple({ stacker: Cl.principal(wallet('wallet_8').address) }),
      network,
    });
    expect(cvToString(delegation)).toBe('none');
  });

  test('a call is checked against the interface, and its post-condition decides', async () => {
    const { network } = devnet;
    const { privateKey: senderKey, address } = wallet('wallet_7');
    const swap = (limit: number) =>
      sdk.makeContractCall({
        contractAddress: deployer,
        contractName: 'pool',
        functionName: 'swap-stx',
        functionArgs: [Cl.uint(1_000_000), Cl.uint(1)],
        postConditionMode: 'allow',
        postConditions: [Pc.principal(address).willSendLte(limit).ustx()],
        validateWithAbi: true,
        senderKey,
        network,
      });
    expect(await devnet.run(await swap(1_000_000))).toMatchObject({ tx_status: 'success' });
    expect(await devnet.run(await swap(999_999))).toMatchObject({ tx_status: 'abort_by_post_condition' });
    const wrong = sdk.makeContractCall({
      ...{
        contractAddress: deployer,
        contractName: 'pool',
        functionName: 'swap-stx',
        functionArgs: [Cl.int(1), Cl.uint(1)],
      },
      ...{ validateWithAbi: true, senderKey, network },
    });
    await expect(wrong).rejects.toThrow();
  });

  test('a contract is deployed and found', async () => {
    const { network } = devnet;
    const { privateKey: senderKey, address } = wallet('deployer');
    const codeBody = '(define-constant answer u42)\n(define-read-only (get-answer) (ok answer))\n';
    const deploy = await sdk.makeContractDeploy({ contractName: 'answers', codeBody, senderKey, network });
    expect(await devnet.run(deploy)).toMatchObject({ tx_status: 'success' });
    const source = await devnet.get<{ source: string }>(`/v2/contracts/source/${address}/answers`);
    expect(source.source).toBe(codeBody);
    const abi = await sdk.fetchAbi({ contractAddress: address, contractName: 'answers', network });
    expect(Array.isArray(abi.functions)).toBe(true);
  });

  test('a sponsor pays the fee', async () => {
    const { network } = devnet;
    const [origin, sponsor] = [wallet('wallet_8'), wallet('deployer')];
    const transaction = await sdk.makeSTXTokenTransfer({
      ...{ recipient: sponsor.address, amount: 7n, senderKey: origin.privateKey, network, sponsored: true, fee: 0n },
    });
    const sponsored = await sdk.sponsorTransaction({
      transaction,
      sponsorPrivateKey: sponsor.privateKey,
      fee: 3000n,
      network,
    });
    expect(await devnet.run(sponsored)).toMatchObject({
      tx_status: 'success',
      sponsored: true,
      sponsor_address: sponsor.address,
      sender_address: origin.address,
    });
  });

  test('an unsigned transfer has the nonce after what is pending', async () => {
    const { network } = devnet;
    const { privateKey, address } = wallet('wallet_4');
    const publicKey = privateKeyToPublic(privateKey) as string;
    const recipient = wallet('wallet_3').address;
    await sdk.broadcastTransaction({
      transaction: await sdk.makeSTXTokenTransfer({ recipient, amount: 1n, senderKey: privateKey, network }),
      network,
    });
    const next = await sdk.makeUnsignedSTXTokenTransfer({ recipient, amount: 1n, publicKey, network });
    expect(next.auth.spendingCondition.nonce).toBe((await sdk.fetchNonce({ address, network })) as bigint);
    expect(next.auth.spendingCondition.nonce).toBe(1n);
    await devnet.mine();
  });
});

describe('transactions that are signed elsewhere', () => {
  const unsigned = async () => {
    const { privateKey, address } = wallet('wallet_2');
    return { privateKey, address, publicKey: privateKeyToPublic(privateKey) as string, network: devnet.network };
  };
  const sign = (transaction: published.StacksTransactionWire, privateKey: string) => {
    new TransactionSigner(transaction).signOrigin(privateKey);
    return transaction;
  };

  test('a call', async () => {
    const { privateKey, ...common } = await unsigned();
    const args = { functionName: 'mint', functionArgs: [Cl.uint(5), Cl.principal(common.address)] };
    const call = await sdk.makeUnsignedContractCall({ ...stone, ...args, ...common, validateWithAbi: true });
    expect(await devnet.run(sign(call, privateKey))).toMatchObject({ tx_status: 'success' });
  });

  test('a deployment', async () => {
    const { privateKey, ...common } = await unsigned();
    const codeBody = '(define-constant one u1)\n';
    const deploy = await sdk.makeUnsignedContractDeploy({ contractName: 'elsewhere', codeBody, ...common });
    expect(await devnet.run(sign(deploy, privateKey))).toMatchObject({ tx_status: 'success' });
  });
});

test('every function that reaches the network has a test', () => {
  expect(calls.missing(published)).toEqual([]);
});

describe('@stacks/network', () => {
  test('the network called devnet is the chain of the devnet and the default port of Cairn', () => {
    expect(networkFromName('devnet')).toMatchObject({
      chainId: 0x8000_0000,
      client: { baseUrl: 'http://localhost:3999' },
    });
  });

  test('a network with its own fetch reaches the service', async () => {
    const seen: string[] = [];
    const ownFetch = async (input: string, init?: RequestInit) => {
      seen.push(new URL(input).pathname);
      return await fetch(input, init);
    };
    const network = createNetwork({ network: 'testnet', client: { baseUrl: devnet.url, fetch: ownFetch } });
    expect(await sdk.fetchNonce({ address: wallet('faucet').address, network })).toBe(0n);
    expect(seen).toEqual([expect.stringMatching(/^\/extended\/v1\/address\/ST\w+\/nonces$/)]);
  });
});
