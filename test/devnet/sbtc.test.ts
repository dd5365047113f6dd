import { buffer, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { sbtcDeployer } from '@cairn-stacks/devnet/contracts/sbtc/sbtc-address';
import { deployer } from '@cairn-stacks/devnet/residents/accounts';
import { bridgeUser } from '@cairn-stacks/devnet/residents/sbtc-actions';
import { expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages and responses of any shape
type Json = any;

const contractOf = (name: string) => `${sbtcDeployer(false)}.sbtc-${name}`;
const user = accountAt(bridgeUser, false).address;

function fieldsOf(value: ClarityValue): Record<string, ClarityValue> {
  if (value.type !== 'tuple') throw new Error(`the registry printed ${value.type}`);
  return Object.fromEntries(value.entries.map(({ name, value }) => [name, value]));
}

/** How often the registry printed each topic, from the messages alone. */
function topicsOf(posted: readonly Message[]): Record<string, number> {
  const topics: Record<string, number> = {};
  for (const { path, body } of posted) {
    if (path !== '/new_block') continue;
    for (const { contract_event } of (body as Json).events) {
      if (contract_event?.contract_identifier !== contractOf('registry')) continue;
      const { topic } = fieldsOf(decodeClarity(fromHex(contract_event.raw_value)));
      if (topic?.type === 'string-ascii') topics[topic.text] = (topics[topic.text] ?? 0) + 1;
    }
  }
  return topics;
}

const tokenOf = (total: string, asset: string, posted: readonly Message[]) => {
  let sum = 0n;
  for (const { path, body } of posted) {
    if (path !== '/new_block') continue;
    for (const { ft_mint_event: minted, ft_burn_event: burnt } of (body as Json).events) {
      if (minted?.asset_identifier === asset) sum += BigInt(minted.amount);
      if (burnt?.asset_identifier === asset) sum -= BigInt(burnt.amount);
    }
  }
  expect(total).toBe(String(sum));
};

test('a deposit of the residents can be followed to a withdrawal, and everything adds up', async t => {
  const { residents, posted, live } = testDevnet();
  live(50);
  const topics = topicsOf(posted);
  expect(Object.keys(topics).sort()).toEqual([
    'completed-deposit',
    'key-rotation',
    'withdrawal-accept',
    'withdrawal-create',
    'withdrawal-reject',
  ]);
  const api = await serveChain(t, posted);
  const summary = await api.get('/extended/v1/sbtc/summary');
  const { deposits, withdrawals, supply, signers } = summary;
  expect(deposits.count).toBe(topics['completed-deposit']);
  expect(withdrawals.accepted.count).toBe(topics['withdrawal-accept']);
  expect(withdrawals.rejected.count).toBe(topics['withdrawal-reject']);
  expect(withdrawals.pending.count + withdrawals.accepted.count + withdrawals.rejected.count).toBe(
    topics['withdrawal-create'],
  );
  tokenOf(supply.spendable, `${contractOf('token')}::sbtc-token`, posted);
  tokenOf(supply.locked, `${contractOf('token')}::sbtc-token-locked`, posted);
  // The contract calls both assets together its supply.
  const told = residents.readOnly(contractOf('token'), 'get-total-supply', []);
  expect(told).toEqual({ type: 'ok', value: uint(BigInt(supply.total)) });
  const keys = residents.readOnly(contractOf('registry'), 'get-current-signer-set', []);
  expect(keys?.type === 'list' && keys.items.map(key => (key.type === 'buffer' ? toHex(key.bytes) : ''))).toEqual(
    signers.keys,
  );
  expect(signers).toMatchObject({ threshold: 2, wallet_address: expect.stringMatching(/^(tb|bcrt)1p/) });

  const { results } = await api.get(`/extended/v1/sbtc/principals/${user}?limit=100`);
  const kinds = new Set(results.map((row: Json) => `${row.type} ${row.status}`));
  for (const kind of ['deposit completed', 'withdrawal accepted', 'withdrawal rejected']) expect(kinds).toContain(kind);
  // What the account holds is what it got, less what it paid for withdrawals.
  const balance = results.reduce((sum: bigint, row: Json) => {
    if (row.type === 'deposit') return sum + BigInt(row.amount);
    return sum - BigInt(row.amount) - BigInt(row.max_fee) + BigInt(row.refund ?? 0);
  }, 0n);
  const available = residents.readOnly(contractOf('token'), 'get-balance-available', [principal(user)]);
  expect(available).toEqual({ type: 'ok', value: uint(balance) });
  expect((await auditAll(api.database.sql)).filter(finding => finding.reason === undefined)).toEqual([]);

  const { results: swept } = await api.get('/extended/v1/sbtc/deposits?limit=100');
  expect(new Set(swept.map((row: Json) => row.sweep.canonical))).toEqual(new Set([true]));
  const rewards = swept.filter((row: Json) => row.recipient?.endsWith('.pox-5'));
  expect(rewards.length).toBeGreaterThan(0);
  const { total } = await api.get('/extended/v1/sbtc/deposits?exclude_staking=true');
  expect(total).toBe(swept.length - rewards.length);
});

test('the contracts of the bridge refuse what the real ones refuse', () => {
  const { node, send, live } = testDevnet();
  live(12);
  // What the residents have sent must not stand in the way.
  for (let i = 0; i < 3; i++) node.mine();
  const burn = node.tip.burn;
  const hash = (fill: number) => buffer(new Uint8Array(32).fill(fill));
  const recipient = (version: number, size: number) =>
    tuple({ hashbytes: buffer(new Uint8Array(size)), version: buffer(Uint8Array.of(version)) });
  const deposit = (amount: number, height = burn.height) =>
    callPayload(contractOf('deposit'), 'complete-deposit-wrapper', [
      ...[hash(1), uint(0), uint(amount), principal(user), buffer(fromHex(burn.hash)), uint(height), hash(2)],
    ]);
  const ask = (version: number, size: number, amount = 1_000) =>
    callPayload(contractOf('withdrawal'), 'initiate-withdrawal-request', [
      ...[uint(amount), recipient(version, size), uint(10)],
    ]);
  const decide = (id: number, fee = 1) =>
    callPayload(contractOf('withdrawal'), 'accept-withdrawal-request', [
      ...[uint(id), hash(3), uint(0), uint(0), uint(fee), hash(4), uint(burn.height), hash(3)],
    ]);
  const registryCall = callPayload(contractOf('registry'), 'complete-withdrawal-reject', [uint(1), uint(0)]);
  const cases = [
    ...[
      [0, deposit(1_000), 304],
      [deployer, deposit(545), 302],
      [deployer, deposit(1_000, burn.height + 9_000), 305],
    ],
    ...[
      [deployer, deposit(1_000), undefined],
      [deployer, deposit(1_000), 301],
    ],
    ...[
      [0, ask(7, 20), 500],
      [0, ask(4, 32), 501],
      [0, ask(4, 20, 546), 502],
      [0, ask(4, 20, 2 ** 50), 1],
    ],
    ...[
      [0, decide(9_999), 503],
      [0, registryCall, 400],
    ],
  ] as [number, ReturnType<typeof deposit>, number | undefined][];
  for (const [from, payload, code] of cases) {
    const sent = send(from, payload, { fee: 100_000n });
    node.mine({ tenure: 'same' });
    node.mine({ tenure: 'same' });
    const mined = [node.tip, node.tip.parent!]
      .flatMap(block => block.transactions)
      .find(each => 'txId' in sent && each.txId === sent.txId);
    const result = mined && decodeClarity(mined.result);
    const found = result?.type === 'err' && result.value.type === 'uint' ? Number(result.value.value) : undefined;
    expect([payload.type, mined !== undefined, found]).toEqual(['contract_call', true, code]);
  }
});
