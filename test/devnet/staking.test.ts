import { err, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { stakingErrors } from '@cairn-stacks/devnet/contracts/staking/errors';
import { playRound } from '@cairn-stacks/devnet/residents/round';
import { stakers } from '@cairn-stacks/devnet/residents/staking-actions';
import { expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

const reprOf = (value: ClarityValue) => toHex(encodeClarity(value));
const pox = 'ST000000000000000000002AMW42H.pox-5';
const address = (account: number) => accountAt(account, false).address;

type Block = { events: { contract_event?: { contract_identifier: string; raw_value: string } }[] };

/** The topics of the prints of pox-5, with their numbers. */
function topicsOf(posted: readonly Message[]): Map<string, number> {
  const topics = new Map<string, number>();
  for (const { path, body } of posted) {
    if (path !== '/new_block') continue;
    for (const { contract_event } of (body as Block).events) {
      if (contract_event?.contract_identifier !== pox) continue;
      const value = decodeClarity(fromHex(contract_event.raw_value));
      const topic = value.type === 'tuple' ? value.entries.find(entry => entry.name === 'topic')?.value : undefined;
      if (topic?.type === 'string-ascii') topics.set(topic.text, (topics.get(topic.text) ?? 0) + 1);
    }
  }
  return topics;
}

/** A devnet with tenures of four blocks, as a running one has them. */
function stakingDevnet(blocks: number) {
  const devnet = testDevnet();
  const { node, residents } = devnet;
  for (let height = 1; height <= blocks; height++) {
    playRound(residents);
    node.mine({ tenure: height % 4 === 1 ? 'new' : 'same' });
  }
  return devnet;
}

test('within forty blocks every staking route has content', async t => {
  const { posted, residents } = stakingDevnet(40);
  expect([...topicsOf(posted).keys()].sort()).toEqual(
    expect.arrayContaining(['add-to-allowlist', 'calculate-rewards', 'grant-signer-key', 'register-for-bond']),
  );
  const api = await serveChain(t, posted);
  const overview = await api.get('/extended/v3/staking');
  expect(Number(overview.locked.stx.stx_only_total)).toBeGreaterThan(0);
  expect(Number(overview.locked.btc.total)).toBeGreaterThan(0);
  expect(Number((await api.get('/extended/v3/staking/rewards')).btc.total_amount)).toBeGreaterThan(0);
  for (const cycle of ['current', 'next', '6'])
    expect(await api.get(`/extended/v3/staking/cycles/${cycle}`)).toBeTruthy();
  expect((await api.get('/extended/v3/staking/cycles/6')).bonds.total).toBe(1);
  const signers = await api.get('/extended/v3/staking/cycles/6/signers');
  expect(signers.results.length).toBeGreaterThan(0);
  const lists = [
    'bonds',
    'bonds/0/allowlist',
    'bonds/0/registrations',
    'bonds/0/events',
    'signers',
    `signers/${residents.contract('signer-manager')}/stakers`,
  ];
  for (const path of lists) {
    expect([path, (await api.get(`/extended/v3/staking/${path}`)).total]).toEqual([
      path,
      expect.toSatisfy((n: number) => n > 0),
    ]);
  }
  const single = [
    'bonds/0',
    `bonds/0/allowlist/${address(stakers.sbtc)}`,
    `bonds/0/registrations/${address(stakers.bitcoin)}`,
    `signers/${residents.contract('signer-manager-2')}`,
  ];
  for (const path of single) expect(await api.get(`/extended/v3/staking/${path}`)).toBeTruthy();
});

test('rewards reach stakers and holders of bonds, and the books are right', async t => {
  const { node, posted } = stakingDevnet(100);
  const topics = topicsOf(posted);
  expect([...topics.keys()].sort()).toEqual([
    'add-to-allowlist',
    'announce-l1-early-exit',
    'bond-distribution',
    'calculate-rewards',
    'claim-rewards',
    'claim-staker-rewards-for-signer',
    'grant-signer-key',
    'register-for-bond',
    'register-signer',
    'setup-bond',
    'stake',
    'stake-update',
    'unstake',
    'unstake-sbtc',
    'update-bond-registration',
  ]);
  // A call that is mined after the prepare phase has begun comes too late; every other call succeeds.
  const failed = [...node.blocks.values()]
    .flatMap(({ transactions }) => transactions)
    .filter(({ raw, status }) => status !== 'success' && Buffer.from(raw.slice(2), 'hex').includes('pox-5'))
    .map(({ result }) => decodeClarity(result));
  const late = [stakingErrors.STAKE_IN_PREPARE_PHASE, stakingErrors.UNSTAKE_IN_PREPARE_PHASE].map(code =>
    err(uint(code)),
  );
  expect(failed.map(reprOf).filter(text => !late.map(reprOf).includes(text))).toEqual([]);
  const api = await serveChain(t, posted);
  expect((await auditAll(api.database.sql)).filter(finding => finding.reason === undefined)).toEqual([]);
  const bond = await api.get('/extended/v3/staking/bonds/0');
  expect(Number(bond.balances.paid_out.btc)).toBeGreaterThan(0);
  const { results } = await api.get('/extended/v3/staking/bonds/0/events?limit=50');
  const claim = results.find((event: { name: string }) => event.name === 'claim-staker-rewards-for-signer');
  expect(Number(claim.data.claimed.btc)).toBeGreaterThan(0);
  const cycle = await api.get('/extended/v3/staking/cycles/6');
  expect(Number(cycle.rewards.btc.waterfall.stx_only)).toBeGreaterThan(0);
  expect(Number(cycle.rewards.btc.claimed)).toBeGreaterThan(0);
  const { total, waterfall } = cycle.rewards.btc;
  expect(Number(waterfall.bonds) + Number(waterfall.stx_only) + Number(waterfall.reserve_deposit)).toBe(Number(total));
});
