import { Pox4SignatureTopic, StackingClient } from '@stacks/stacking';
import { Cl, makeContractCall, privateKeyToPublic } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();
const poxAddress = 'mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH';
const signerPrivateKey = `${'55'.repeat(32)}01`;
const clientOf = (name: string) =>
  new StackingClient({ address: devnet.account(name).address, network: devnet.network });

test('canStack says whether an account may stack, and why not', async () => {
  expect(await clientOf('wallet_5').canStack({ poxAddress, cycles: 3 })).toEqual({ eligible: true });
  expect(await clientOf('wallet_5').canStack({ poxAddress, cycles: 13 })).toMatchObject({
    eligible: false,
    reason: expect.any(String),
  });
});

test('verifySignerKeySignature accepts what the signer has signed and nothing else', async () => {
  const client = clientOf('wallet_5');
  const { reward_cycle_id: rewardCycle } = await client.getPoxInfo();
  const terms = {
    topic: Pox4SignatureTopic.StackStx,
    poxAddress,
    rewardCycle,
    period: 2,
    maxAmount: 10n ** 12n,
    authId: 7,
  };
  const signerSignature = client.signPoxSignature({ ...terms, signerPrivateKey });
  const signerKey = privateKeyToPublic(signerPrivateKey) as string;
  const verify = (more: object) =>
    client.verifySignerKeySignature({ ...terms, amount: 10n ** 11n, signerSignature, signerKey, ...more });
  expect(await verify({})).toBe(true);
  expect(await verify({ period: 3 })).toBe(false);
  expect(await verify({ amount: 10n ** 13n })).toBe(false);
});

test('a caller contract is allowed and disallowed', async () => {
  const { network } = devnet;
  const { privateKey: senderKey } = devnet.account('wallet_6');
  const caller = Cl.contractPrincipal(devnet.account('wallet_7').address, 'some-pool');
  const call = (functionName: string, functionArgs: Parameters<typeof makeContractCall>[0]['functionArgs']) =>
    makeContractCall({
      ...{ contractAddress: 'ST000000000000000000002AMW42H', contractName: 'pox-4', functionName, functionArgs },
      ...{ senderKey, network },
    });
  for (const transaction of [
    () => call('allow-contract-caller', [caller, Cl.none()]),
    () => call('disallow-contract-caller', [caller]),
  ]) {
    expect(await devnet.run(await transaction())).toMatchObject({
      tx_status: 'success',
      tx_result: { repr: '(ok true)' },
    });
  }
});
