import { expect, test } from 'vitest';
import { expiry } from '../../src/chain/mempool/mempool.ts';
import { startApi } from '../support/api.ts';
import { testChain } from '../support/chain.ts';
import { addressAt, foldMessages, transfer } from '../support/mempool.ts';
import { arrivals, node, type Step, startMempoolApi } from '../support/mempool-api.ts';

/** Accounts with money on the generated chain; the first has used two nonces. */
const [rich, other] = [0, 1];
const next = 2;

/** The API on a chain of one block in which `rich` has used some nonces, and then what else is told, from `since` on. */
async function begin(t: Parameters<typeof startMempoolApi>[0], steps: Step[], since = now() - 60) {
  const api = await startMempoolApi(t, steps, {
    chain: testChain({ seed: 5 }),
    transactions: [
      { kind: 'transfer', from: rich, to: addressAt(other), amount: 1n },
      { kind: 'transfer', from: rich, to: addressAt(other), amount: 2n },
    ],
    since,
  });
  const ask = async (txId: string) => {
    const answer = await api.app.inject(`/extended/v1/tx/${txId}/diagnosis`);
    return { status: answer.statusCode, body: answer.json() };
  };
  const codes = async (txId: string) => (await ask(txId)).body.reasons.map((each: { code: string }) => each.code);
  return { ask, codes, first: api.first, chain: api.chain };
}

const now = () => Math.floor(Date.now() / 1000);

test('a transaction with the next nonce and a sufficient fee has no problem', async t => {
  const good = transfer({ from: rich, nonce: next, fee: 500 });
  const { ask } = await begin(t, [arrivals(good)]);
  const { status, body } = await ask(good.txId);
  expect(status).toBe(200);
  expect(body).toMatchObject({ tx_id: good.txId, state: 'pending', tx_status: 'pending' });
  expect(body.reasons).toMatchObject([{ code: 'ready', blocking: false }]);
  expect(body.summary).toBe(body.reasons[0].message);
  expect(body.fee).toEqual({ fee_rate: '500', percentile: null, compared_with: 0 });
  expect(body.expires.seconds_left).toBeGreaterThan(expiry.seconds - 600);
  expect(body.expires.expires_at).toBe(body.expires.receipt_time + expiry.seconds);
});

test('a gap names the nonces that are missing', async t => {
  const waiting = transfer({ from: rich, nonce: next + 4 });
  const between = transfer({ from: rich, nonce: next + 2 });
  const { ask } = await begin(t, [arrivals(waiting, between)]);
  const { body } = await ask(waiting.txId);
  expect(body.reasons[0]).toMatchObject({ code: 'nonce_gap', blocking: true, account: addressAt(rich) });
  expect(body.reasons[0].nonces).toEqual([next, next + 1, next + 3]);
  expect(body.summary).toContain(`nonce ${next}, ${next + 1}, ${next + 3}`);
});

test('mined, earlier and competing transactions are distinguished', async t => {
  const used = transfer({ from: rich, nonce: 0, amount: 77 });
  const first = transfer({ from: rich, nonce: next, fee: 300 });
  const second = transfer({ from: rich, nonce: next + 1, fee: 300 });
  // A second node holds a rival that the first has not replaced.
  const rival = transfer({ from: rich, nonce: next + 1, fee: 250, amount: 9 });
  const { ask, codes } = await begin(t, [
    arrivals(used, first, second),
    { ...arrivals(rival), source: 'node 10.0.0.2' } as Step,
  ]);
  expect((await ask(used.txId)).body.reasons[0]).toMatchObject({ code: 'nonce_used', blocking: true, nonces: [0] });
  expect(await codes(first.txId)).not.toContain('waits_for_earlier');
  const { body } = await ask(second.txId);
  expect(body.reasons).toContainEqual(expect.objectContaining({ code: 'waits_for_earlier', tx_ids: [first.txId] }));
  expect((await ask(rival.txId)).body.reasons).toContainEqual(
    expect.objectContaining({ code: 'nonce_competition', tx_ids: [second.txId] }),
  );
});

test('a chain beyond what nodes admit is too long', async t => {
  const sent = Array.from({ length: 27 }, (_, i) => transfer({ from: rich, nonce: next + i, fee: 300 }));
  const { codes } = await begin(t, [arrivals(...sent)]);
  expect(await codes(sent[25]!.txId)).not.toContain('chain_too_long');
  expect(await codes(sent[26]!.txId)).toContain('chain_too_long');
});

test('a fee is held against what others of its type pay', async t => {
  const low = transfer({ from: rich, nonce: next, fee: 180 });
  const others = Array.from({ length: 8 }, (_, i) => transfer({ from: 700 + i, nonce: 0, fee: 1_000 + i }));
  const same = transfer({ from: 720, nonce: 0, fee: 1_003 });
  const { ask } = await begin(t, [arrivals(low, same, ...others)]);
  const { body } = await ask(low.txId);
  expect(body.fee).toEqual({ fee_rate: '180', percentile: 0, compared_with: 9 });
  expect(body.reasons).toMatchObject([{ code: 'fee_low', blocking: false }]);
  expect((await ask(others[7]!.txId)).body.fee.percentile).toBe(100);
  // As much as one of nine others, more than four: half of that one counts.
  expect((await ask(others[3]!.txId)).body.fee.percentile).toBe(Math.floor((100 * 4.5) / 9));
});

test('an insufficient balance is reported, less pending spends and separately for sponsors', async t => {
  const poor = transfer({ from: 700, nonce: 0, amount: 5_000_000, fee: 300 });
  const most = transfer({ from: rich, nonce: next, amount: Number.MAX_SAFE_INTEGER, fee: 300 });
  const after = transfer({ from: rich, nonce: next + 1, amount: 1, fee: 300 });
  const sponsored = transfer({ from: 701, nonce: 0, amount: 5, fee: 300, sponsor: { account: 702, nonce: 0 } });
  const { ask } = await begin(t, [arrivals(poor, most, after, sponsored)]);
  const reasonOf = async (txId: string) =>
    (await ask(txId)).body.reasons.filter((each: { code: string }) => each.code === 'balance_too_small');
  expect(await reasonOf(poor.txId)).toMatchObject([{ account: addressAt(700), blocking: true }]);
  expect((await reasonOf(poor.txId))[0].message).toContain('needs 5.0003 STX for it and has 0 STX left');
  expect(await reasonOf(after.txId)).toMatchObject([{ account: addressAt(rich) }]);
  expect(await reasonOf(sponsored.txId)).toMatchObject([{ account: addressAt(701) }, { account: addressAt(702) }]);
});

test('a transaction that nodes will soon drop has a warning', async t => {
  const old = transfer({ from: rich, nonce: next, fee: 300 });
  const { ask } = await begin(t, [arrivals(old)], now() - expiry.seconds + 3_600);
  const { body } = await ask(old.txId);
  expect(body.reasons).toMatchObject([{ code: 'expires_soon', blocking: false }]);
  expect(body.expires.seconds_left).toBeLessThan(3_700);
});

test('mined, dropped and unknown transactions are reported as such', async t => {
  const expensive = transfer({ from: 700, nonce: 0 });
  const low = transfer({ from: 701, nonce: 0, fee: 200 });
  const high = transfer({ from: 701, nonce: 0, fee: 900 });
  const { ask, first } = await begin(t, [
    arrivals(expensive, low),
    arrivals(high),
    { kind: 'drop', txIds: [expensive.txId.slice(2)], reason: 'TooExpensive', replacedBy: null },
  ]);
  const mined = first.transactions.at(-1)!;
  expect((await ask(mined.txId)).body).toMatchObject({ state: 'success', reasons: [{ code: 'succeeded' }] });
  expect((await ask(mined.txId)).body).not.toHaveProperty('receipt_time');
  expect((await ask(expensive.txId)).body).toMatchObject({ state: 'dropped', reasons: [{ code: 'too_expensive' }] });
  expect((await ask(low.txId)).body).toMatchObject({
    state: 'dropped',
    tx_status: 'dropped_replace_by_fee',
    receipt_time: expect.any(Number),
    reasons: [{ code: 'replaced', tx_ids: [high.txId] }],
  });
  const unknown = await ask(`0x${'ab'.repeat(32)}`);
  expect([unknown.status, unknown.body.message]).toEqual([404, expect.stringContaining('no node has reported it')]);
  expect((await ask('nonsense')).status).toBe(400);
});

test('a mined transaction has the time at which it arrived, and none if only its block was seen', async t => {
  const chain = testChain({ seed: 5 });
  const block = chain.mine(chain.genesis, {
    transactions: [1n, 2n].map(amount => ({ kind: 'transfer' as const, from: rich, to: addressAt(other), amount })),
  });
  const [unseen, seen] = block.transactions.slice(-2);
  const api = await startApi(t);
  const since = 1_760_000_000;
  await foldMessages(api.database, [
    { kind: 'block', block: chain.genesis, at: since, source: node },
    { kind: 'arrivals', raws: [seen!.raw], at: since + 5, source: node },
    // A second node that reports it later does not change when it arrived.
    { kind: 'arrivals', raws: [seen!.raw], at: since + 9, source: 'node 10.0.0.2' },
    { kind: 'block', block, at: since + 20, source: node },
  ]);
  await api.tip.refresh();
  const ask = async (txId: string) => (await api.app.inject(`/extended/v1/tx/${txId}/diagnosis`)).json();
  expect(await ask(seen!.txId)).toMatchObject({ state: 'success', receipt_time: since + 5 });
  const answer = await ask(unseen!.txId);
  expect(answer).toMatchObject({ state: 'success' });
  expect(answer).not.toHaveProperty('receipt_time');
});
