import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { expect, test } from 'vitest';
import { testChain } from '../support/chain.ts';
import { deposit, hash32, keyOf, user, withSbtc } from '../support/sbtc-chain.ts';
import { generator, hash20, other, pox, registryDeployer, sbtcStory } from '../support/sbtc-story.ts';
import { serveChain, serveChainForFile } from '../support/served-chain.ts';

const { ask, get } = serveChainForFile(() => sbtcStory().messages);
const { burnOf } = sbtcStory();
const base = '/extended/v1/sbtc';

test('a deposit has the recipient of its mint and the confirmations of its sweep', async () => {
  const { total, results } = await get(`${base}/deposits`);
  expect(total).toBe(3);
  expect(results.map((row: { vout: number; recipient: string | null }) => [row.vout, row.recipient])).toEqual([
    [3, null],
    [2, pox],
    [1, user],
  ]);
  expect(results[2]).toEqual({
    bitcoin_tx_id: `0x${hash32('in 1')}`,
    ...{ vout: 1, recipient: user, amount: '5000', status: 'completed', tx_id: expect.stringMatching(/^0x/) },
    block: expect.objectContaining({ height: 1 }),
    sweep: {
      tx_id: `0x${hash32('sweep 1')}`,
      bitcoin_block_hash: `0x${burnOf(0).hash}`,
      bitcoin_height: burnOf(0).height,
      confirmations: burnOf(4).height - burnOf(0).height + 1,
      canonical: true,
    },
    // Nobody was asked.
    bitcoin: null,
  });
  expect(await get(`${base}/deposits/${hash32('in 1')}:1`)).toEqual(results[2]);
  expect(await get(`${base}/deposits/0x${hash32('in 1').toUpperCase()}:1`)).toEqual(results[2]);
});

test('deposits are filtered by recipient, amount and staking, and paged by cursors', async () => {
  const voutsOf = async (query: string) =>
    (await get(`${base}/deposits?${query}`)).results.map((row: { vout: number }) => row.vout);
  expect(await voutsOf(`recipient=${user}`)).toEqual([1]);
  expect(await voutsOf('exclude_staking=true')).toEqual([3, 1]);
  expect(await voutsOf('min_amount=5001')).toEqual([2]);
  expect(await voutsOf(`recipient=${pox}&min_amount=70000`)).toEqual([2]);
  expect((await get(`${base}/deposits?exclude_staking=true`)).total).toBe(2);
  const { cursor } = await get(`${base}/deposits?limit=1`);
  const second = await get(`${base}/deposits?limit=1&cursor=${cursor.next}`);
  expect([second.results[0].vout, second.cursor.previous]).toEqual([2, cursor.current]);
});

test('a withdrawal is pending, accepted or rejected, and only its first outcome counts', async () => {
  const { total, results } = await get(`${base}/withdrawals`);
  const named = results.map(({ request_id, status, fee, refund }: Record<string, unknown>) => [
    request_id,
    status,
    fee,
    refund,
  ]);
  expect(total).toBe(3);
  expect(named).toEqual([
    [3, 'pending', null, null],
    [2, 'rejected', null, '702'],
    [1, 'accepted', '40', '60'],
  ]);
  expect(results[2]).toMatchObject({
    ...{ sender: user, amount: '601', max_fee: '100' },
    requested: { bitcoin_height: burnOf(0).height, block: { height: 2 } },
    resolved: { block: { height: 3 } },
    sweep: { vout: 3, bitcoin_height: burnOf(1).height, canonical: true },
    expires_at_bitcoin_height: burnOf(0).height + 24,
  });
  expect(results[1]).toMatchObject({ sweep: null, resolved: { block: { height: 3 } } });
  expect(results[0]).toMatchObject({ sweep: null, resolved: null });
  expect(await get(`${base}/withdrawals/1`)).toEqual(results[2]);
  const outputs = results.map(({ recipient }: { recipient: object }) => recipient);
  const taproot = 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47zagq';
  expect(outputs).toEqual([
    { version: '0x', hashbytes: `0x${hash20}`, type: 'p2pkh', address: 'mfWyW5fc9NUj75YAnFgoRLrjxgLDn2MMth' },
    { version: '0x06', hashbytes: `0x${generator}`, type: 'p2tr', address: taproot },
    { version: '0x00', hashbytes: `0x${hash20}`, type: 'p2pkh', address: 'mfWyW5fc9NUj75YAnFgoRLrjxgLDn2MMth' },
  ]);
});

test('withdrawals are filtered by state, sender and Bitcoin address', async () => {
  const idsOf = async (query: string) =>
    (await get(`${base}/withdrawals?${query}`)).results.map((row: { request_id: number }) => row.request_id);
  expect(await idsOf('status=pending')).toEqual([3]);
  expect(await idsOf('status=accepted')).toEqual([1]);
  expect(await idsOf('status=rejected')).toEqual([2]);
  for (const status of ['pending', 'accepted', 'rejected'])
    expect((await get(`${base}/withdrawals?status=${status}`)).total).toBe(1);
  expect((await get(`${base}/withdrawals?status=accepted&sender=${user}`)).total).toBe(1);
  expect(await idsOf(`sender=${user}`)).toEqual([3, 2, 1]);
  expect(await idsOf(`sender=${other}`)).toEqual([]);
  expect(await idsOf('address=mfWyW5fc9NUj75YAnFgoRLrjxgLDn2MMth')).toEqual([3, 1]);
});

test('the summary adds up, with the locked sBTC beside the spendable', async () => {
  const summary = await get(`${base}/summary`);
  expect(summary).toMatchObject({
    deposits: { count: 3, total: '80000' },
    withdrawals: {
      pending: { count: 1, total: '603' },
      accepted: { count: 1, total: '601' },
      rejected: { count: 1, total: '602' },
      fees: '40',
    },
    contracts: {
      governance: `${registryDeployer}.sbtc-bootstrap-signers`,
      deposit: `${user}.sbtc-deposit-v2`,
      withdrawal: `${registryDeployer}.sbtc-withdrawal`,
    },
  });
  const { spendable, locked, total } = summary.supply;
  // The second outcome of the first request took 701 from what is locked, and the pretenders minted two deposits.
  expect(BigInt(spendable) + BigInt(locked)).toBe(BigInt(total));
  expect(BigInt(total)).toBe(5_000n + 70_000n + 5_000n + 5_000n + 1n - 601n - 40n);
  const signers = {
    ...{ address: other, threshold: 2, aggregate_key: `0x02${generator}` },
    keys: [1, 2, 3].map(n => `0x${Buffer.from(keyOf(n)).toString('hex')}`),
    wallet_address: 'tb1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ssk79hv2',
  };
  expect(summary.signers).toMatchObject({ ...signers, since: { height: 1 } });
  const rotations = await get(`${base}/key-rotations`);
  expect(rotations).toMatchObject({ total: 1, results: [{ ...signers, block: { height: 1 } }] });
});

test('the deposits and withdrawals of an account are one list', async () => {
  const { total, results } = await get(`${base}/principals/${user}`);
  expect(total).toBe(4);
  expect(results.map((row: Record<string, unknown>) => [row.type, row.request_id ?? row.vout])).toEqual([
    ['withdrawal', 3],
    ['withdrawal', 2],
    ['withdrawal', 1],
    ['deposit', 1],
  ]);
  expect(await get(`${base}/principals/${other}`)).toMatchObject({ total: 0, results: [] });
});

test('what nobody can ask for is refused with what to change', async () => {
  const refusals: [string, RegExp][] = [
    ['deposits/0x12:0', /output/],
    [`deposits/${hash32('in 1')}`, /output/],
    [`deposits/${hash32('in 1')}:-1`, /output/],
    ['deposits?min_amount=-1', /min_amount/],
    ['deposits?limit=101', /limit/],
    ['deposits?cursor=x', /cursor/],
    ['deposits?recipient=SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', /another network.*ST or SN/],
    ['deposits?recipient=ST2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQYAC0RR', /not an account/],
    ['withdrawals?status=lost', /status/],
    ['withdrawals/x', /request_id/],
    ['withdrawals?address=112D2adLM3UKy4Z4giRbReR6gjWuvHUqB', /another Bitcoin network/],
    ['withdrawals?address=bcrt1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysnard0ew', /another Bitcoin network.*testnet/],
    ['withdrawals?address=hello', /not a Bitcoin address/],
    ['principals/SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', /another network/],
  ];
  for (const [path, message] of refusals) {
    const { status, body } = await ask(`${base}/${path}`);
    expect([path, status, body.message]).toEqual([path, 400, expect.stringMatching(message)]);
  }
  for (const path of [`deposits/${hash32('in 2')}:0`, `deposits/${hash32('in 1')}:4294967295`, 'withdrawals/4']) {
    expect([path, (await ask(`${base}/${path}`)).status]).toEqual([path, 404]);
  }
});

test('a chain without sBTC has an empty summary', async t => {
  const chain = testChain();
  const api = await serveChain(t, [chain.genesis, chain.mine(chain.genesis)]);
  expect(await api.get(`${base}/summary`)).toMatchObject({
    ...{ deposits: { count: 0, total: '0' }, signers: null, supply: { spendable: '0', locked: '0', total: '0' } },
  });
  expect((await api.get(`${base}/deposits`)).results).toEqual([]);
});

test('a sweep that a fork of Bitcoin orphans is shown as such, and the deposit stays', async t => {
  const { chain, blocks, messages } = sbtcStory();
  const last = blocks.at(-1)!;
  // The fourth Bitcoin block names the sweep of a deposit in the block before it, which the fork does not touch.
  const kept = chain.mine(last, { tenure: 'same' });
  const orphan = chain.burnChain.mine();
  const spec = { tx: hash32('in 9'), vout: 0, amount: 900, to: user };
  const sweep = { tx: hash32('sweep 9'), hash: orphan.hash.slice(2), height: orphan.height };
  const told = [...messages, burnMessage(orphan), withSbtc(kept, [deposit({ ...spec, sweep })])];
  const before = await serveChain(t, told);
  const path = `${base}/deposits/${spec.tx}:0`;
  expect((await before.get(path)).sweep).toMatchObject({ confirmations: 1, canonical: true });
  chain.burnChain.goBack(1);
  const branch = [chain.burnChain.mine(), chain.burnChain.mine()].map(burnMessage);
  const after = await serveChain(t, [...told, ...branch]);
  expect(await after.get(path)).toMatchObject({ amount: '900', sweep: { confirmations: 0, canonical: false } });
  const unknown = { ...sweep, height: 900_000 };
  const far = await serveChain(t, [...messages, withSbtc(kept, [deposit({ ...spec, sweep: unknown })])]);
  expect((await far.get(path)).sweep).toMatchObject({ confirmations: null, canonical: null });
});
