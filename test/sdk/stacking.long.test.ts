import { Pox4SignatureTopic, StackingClient } from '@stacks/stacking';
import { Cl, makeContractCall, privateKeyToPublic } from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import { RecordedCalls } from '../support/recorded-calls.ts';
import { devnetForFile } from '../support/sdk.ts';

const devnet = devnetForFile();
const calls = new RecordedCalls();
const poxAddress = 'mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH';
const signerPrivateKey = `${'55'.repeat(32)}01`;
const signerKey = privateKeyToPublic(signerPrivateKey) as string;
/** Micro-STX of a slot of the devnet. */
const slot = 50_000_000_000n;
const maxAmount = 1_000_000n * slot;
let lastAuthId = 0;

const clientAt = (address: string) => calls.watch(new StackingClient({ address, network: devnet.network }));
const clientOf = (name: string) => clientAt(devnet.account(name).address);

/** What a call needs that a signer has signed. */
function signed(client: StackingClient, topic: Pox4SignatureTopic, rewardCycle: number, period: number) {
  const authId = ++lastAuthId;
  const signature = { topic, poxAddress, rewardCycle, period, signerPrivateKey, authId, maxAmount };
  return { signerKey, signerSignature: client.signPoxSignature(signature), maxAmount, authId };
}

const cycleNow = async () => (await clientOf('wallet_1').getPoxInfo()).reward_cycle_id;
const paying = (name: string) => ({ privateKey: devnet.account(name).privateKey });

describe('what a stacker reads', () => {
  test('the chain and its cycles', async () => {
    const client = clientOf('wallet_1');
    const { height, burn_block_height: burn } = await devnet.caughtUp();
    expect(await client.getCoreInfo()).toMatchObject({ stacks_tip_height: height, network_id: 0x8000_0000 });
    const pox = await client.getPoxInfo();
    expect(pox).toMatchObject({
      contract_id: 'ST000000000000000000002AMW42H.pox-4',
      current_burnchain_block_height: burn,
      reward_cycle_id: Math.floor(burn / 20),
      min_amount_ustx: Number(slot),
    });
    expect(await client.getTargetBlockTime()).toBeGreaterThan(0);
    expect(await client.getCycleDuration()).toBeGreaterThan(0);
    expect(await client.getSecondsUntilNextCycle()).toBeGreaterThan(0);
    expect(await client.getSecondsUntilStackingDeadline()).toBeTypeOf('number');
    expect(await client.getPoxOperationInfo()).toMatchObject({ current: { contract_id: pox.contract_id } });
    expect(await client.getStackingContract()).toBe(pox.contract_id);
  });

  test('an account without a lock', async () => {
    const client = clientOf('wallet_8');
    expect(await client.getAccountBalance()).toBe(100_000_000_000_000n);
    expect(await client.getAccountBalanceLocked()).toBe(0n);
    expect(await client.getAccountStatus()).toMatchObject({ nonce: 0 });
    expect(await client.getAccountExtendedBalances()).toMatchObject({ stx: { balance: 100_000_000_000_000n } });
    expect(await client.hasMinimumStx()).toBe(true);
    expect(await client.getStatus()).toEqual({ stacked: false });
    expect(await client.getDelegationStatus()).toEqual({ delegated: false });
  });

  test('the rewards of a Bitcoin address', async () => {
    const client = clientAt(poxAddress);
    const total = await client.getRewardsTotalForBtcAddress();
    expect(total).toMatchObject({ reward_recipient: poxAddress, reward_amount: expect.any(BigInt) });
    const page = { limit: 2, offset: 0 };
    // Some Bitcoin blocks leave the slots of an address unfilled.
    for (let blocks = 0; blocks < 40; blocks++) {
      const { results } = (await client.getRewardsForBtcAddress(page)) as { results: unknown[] };
      if (results.length === 2) break;
      await devnet.mine();
    }
    const rewards = await client.getRewardsForBtcAddress(page);
    expect(rewards).toMatchObject({ limit: 2, results: [{ reward_recipient: poxAddress, canonical: true }, {}] });
    const holders = await client.getRewardHoldersForBtcAddress(page);
    expect(holders).toMatchObject({ total: expect.any(Number), results: [{ address: poxAddress }, {}] });
    const nobody = clientAt('muYdXKmX9bByAueDe6KFfHd5Ff1gdN9ErG');
    expect(await nobody.getRewardsTotalForBtcAddress()).toMatchObject({ reward_amount: 0n });
  });
});

test('solo stacking: lock, increase and extend', async () => {
  const client = clientOf('wallet_1');
  const cycle = await cycleNow();
  const { burn_block_height: burnBlockHeight } = await devnet.caughtUp();
  const locked = await client.stack({
    ...{ amountMicroStx: slot, poxAddress, cycles: 2, burnBlockHeight },
    ...signed(client, Pox4SignatureTopic.StackStx, cycle, 2),
    ...paying('wallet_1'),
  });
  expect(await devnet.mined(locked)).toMatchObject({ tx_status: 'success' });
  expect(await client.getStatus()).toMatchObject({
    stacked: true,
    details: { first_reward_cycle: cycle + 1, lock_period: 2, unlock_height: (cycle + 3) * 20 },
  });
  expect(await client.getAccountBalanceLocked()).toBe(slot);
  const increased = await client.stackIncrease({
    increaseBy: 3n * slot,
    ...signed(client, Pox4SignatureTopic.StackIncrease, cycle, 2),
    ...paying('wallet_1'),
  });
  expect(await devnet.mined(increased)).toMatchObject({ tx_status: 'success' });
  expect(await client.getAccountBalanceLocked()).toBe(4n * slot);
  const extended = await client.stackExtend({
    ...{ extendCycles: 3, poxAddress },
    ...signed(client, Pox4SignatureTopic.StackExtend, cycle, 3),
    ...paying('wallet_1'),
  });
  expect(await devnet.mined(extended)).toMatchObject({ tx_status: 'success' });
  expect(await client.getStatus()).toMatchObject({ details: { unlock_height: (cycle + 6) * 20 } });
  const set = await client.getRewardSet({
    contractId: await client.getStackingContract(),
    rewardCyleId: cycle + 1,
    rewardSetIndex: 0,
  });
  expect(set).toMatchObject({ pox_address: { version: expect.anything() }, total_ustx: expect.any(BigInt) });
});

test('a wrong signature and a lock that exists are refused with the numbers of pox-4', async () => {
  const client = clientOf('wallet_4');
  const cycle = await cycleNow();
  const { burn_block_height: burnBlockHeight } = await devnet.caughtUp();
  const lock = (wrong: number) => ({
    ...{ amountMicroStx: slot, poxAddress, cycles: 1, burnBlockHeight, ...paying('wallet_4') },
    ...signed(client, Pox4SignatureTopic.StackStx, cycle, 1 + wrong),
  });
  expect(await devnet.mined(await client.stack(lock(1)))).toMatchObject({
    tx_status: 'abort_by_response',
    tx_result: { repr: '(err 35)' },
  });
  expect(await devnet.mined(await client.stack(lock(0)))).toMatchObject({ tx_status: 'success' });
  expect(await devnet.mined(await client.stack(lock(0)))).toMatchObject({ tx_result: { repr: '(err 3)' } });
});

test('pooled stacking: delegate, lock, increase, extend, commit and revoke', async () => {
  const [stacker, pool] = [clientOf('wallet_2'), clientOf('wallet_3')];
  const { address } = devnet.account('wallet_2');
  const operator = devnet.account('wallet_3').address;
  const delegated = await stacker.delegateStx({
    amountMicroStx: 10n * slot,
    delegateTo: operator,
    ...paying('wallet_2'),
  });
  expect(await devnet.mined(delegated)).toMatchObject({ tx_status: 'success' });
  expect(await stacker.getDelegationStatus()).toMatchObject({
    delegated: true,
    details: { amount_micro_stx: 10n * slot, delegated_to: operator },
  });
  const cycle = await cycleNow();
  const { burn_block_height: burnBlockHeight } = await devnet.caughtUp();
  const steps = [
    () =>
      pool.delegateStackStx({
        ...{ stacker: address, amountMicroStx: 2n * slot, poxAddress, burnBlockHeight, cycles: 2 },
        ...paying('wallet_3'),
      }),
    () => pool.delegateStackIncrease({ stacker: address, poxAddress, increaseBy: slot, ...paying('wallet_3') }),
    () => pool.delegateStackExtend({ stacker: address, poxAddress, extendCount: 1, ...paying('wallet_3') }),
    () =>
      pool.stackAggregationCommit({
        ...{ poxAddress, rewardCycle: cycle + 1 },
        ...signed(pool, Pox4SignatureTopic.AggregateCommit, cycle + 1, 1),
        ...paying('wallet_3'),
      }),
    () =>
      pool.stackAggregationCommitIndexed({
        ...{ poxAddress, rewardCycle: cycle + 2 },
        ...signed(pool, Pox4SignatureTopic.AggregateCommit, cycle + 2, 1),
        ...paying('wallet_3'),
      }),
  ];
  for (const step of steps) expect(await devnet.mined(await step())).toMatchObject({ tx_status: 'success' });
  expect(await stacker.getAccountBalanceLocked()).toBe(3n * slot);
  const index = await rewardIndex(cycle + 2);
  expect(
    await devnet.mined(
      await pool.delegateStackIncrease({ stacker: address, poxAddress, increaseBy: slot, ...paying('wallet_3') }),
    ),
  ).toMatchObject({ tx_status: 'success' });
  const increased = await pool.stackAggregationIncrease({
    ...{ poxAddress, rewardCycle: cycle + 2, rewardIndex: index },
    ...signed(pool, Pox4SignatureTopic.AggregateIncrease, cycle + 2, 1),
    ...paying('wallet_3'),
  });
  expect(await devnet.mined(increased)).toMatchObject({ tx_status: 'success' });
  expect(await devnet.mined(await stacker.revokeDelegateStx(paying('wallet_2')))).toMatchObject({
    tx_status: 'success',
  });
  expect(await stacker.getDelegationStatus()).toEqual({ delegated: false });
});

/** The index of the reward slot that the last commit of a cycle has added. */
async function rewardIndex(cycle: number): Promise<number> {
  const calls = await devnet.get<{
    results: { contract_call?: { function_name: string }; tx_result: { repr: string } }[];
  }>(`/extended/v1/address/${devnet.account('wallet_3').address}/transactions?limit=1`);
  const [last] = calls.results;
  expect([cycle, last?.contract_call?.function_name]).toEqual([cycle, 'stack-aggregation-commit-indexed']);
  return Number(/u(\d+)/.exec(last!.tx_result.repr)![1]);
}

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

test('locks end with the cycles', async () => {
  const client = clientOf('wallet_4');
  const { details } = (await client.getStatus()) as { details: { unlock_height: number } };
  await devnet.burnHeight(details.unlock_height);
  await devnet.mine();
  expect(await client.getAccountBalanceLocked()).toBe(0n);
  expect(await client.getStatus()).toEqual({ stacked: false });
});

test('every method that reaches the network has a test', () => {
  expect(calls.missing(StackingClient.prototype)).toEqual([]);
});
