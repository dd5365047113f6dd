import { makeContractCall } from '@stacks/transactions';
import { buildPreorderNameTx, buildRegisterNameTx } from 'bns-v2-sdk';
import { expect, test } from 'vitest';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();

// The package requires that BNS-V2 holds the STX of a preorder and burns them at the registration.
test('bns-v2-sdk: a name is preordered and registered with its post-conditions', async () => {
  const { address: senderAddress, privateKey: senderKey } = devnet.account('wallet_3');
  const common = { fullyQualifiedName: 'sdk-other.btc', salt: 'salt', senderAddress, network: 'testnet' as const };
  const options = { ...common, stxToBurn: 2_000_000n };
  const run = async (call: Awaited<ReturnType<typeof buildPreorderNameTx>>) =>
    await devnet.run(await makeContractCall({ ...call, senderKey, network: devnet.network }));
  expect(await run(await buildPreorderNameTx(options))).toMatchObject({ tx_status: 'success' });
  await devnet.nextCycle();
  expect(await run(await buildRegisterNameTx(options))).toMatchObject({ tx_status: 'success' });
});
