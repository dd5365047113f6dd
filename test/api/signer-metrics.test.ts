import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { measureSigners } from '../../src/read/signers/signer-gauges.ts';
import { serveChain, serveChainForFile } from '../support/served-chain.ts';
import { type SentMessages, signedHistory, signers, start } from '../support/signed-history.ts';
import type { SentResponse } from '../support/signer-messages.ts';

const history = signedHistory(11);
const chain = serveChainForFile(() => history.messages);
const { ask, get } = chain;
const canonical = new Set(history.canonical.map(({ hash }) => hash));
const keys = signers.map(({ signing_key }) => `0x${signing_key}`);

// A second, simple count over the messages that were sent; it shares nothing with the fold.
const firstOf = <T>(items: T[], at: (item: T) => number) => items.toSorted((a, b) => at(a) - at(b))[0];
const arrivalOf = ({ proposals }: SentMessages) => firstOf(proposals, at => at);
const responseOf = ({ responses }: SentMessages, slot: number): SentResponse | undefined =>
  firstOf(
    responses.filter(response => response.slot === slot),
    ({ at }) => at,
  );
const round = (value: number) => Math.round(value * 1000) / 1000;
const iso = (ms: number) => new Date(ms).toISOString();

function countFor(cycle: number, slot: number, from = 0, to = Number.POSITIVE_INFINITY) {
  const proposed = history.sent.filter(sent => {
    const arrival = arrivalOf(sent);
    return sent.cycle === cycle && arrival !== undefined && arrival >= from && arrival < to;
  });
  const answered = proposed.flatMap(sent => {
    const response = responseOf(sent, slot);
    return response ? [{ response, ms: response.at - arrivalOf(sent)! }] : [];
  });
  const missed = proposed.filter(sent => canonical.has(sent.block.hash) && !responseOf(sent, slot));
  const last = answered.map(({ response }) => response).toSorted((a, b) => b.at - a.at)[0];
  const sum = answered.reduce((total, { ms }) => total + ms, 0);
  return {
    slot_index: slot,
    proposals_accepted_count: answered.filter(({ response }) => response.accepted).length,
    proposals_rejected_count: answered.filter(({ response }) => !response.accepted).length,
    proposals_missed_count: missed.length,
    average_response_time_ms: answered.length === 0 ? 0 : round(sum / answered.length),
    last_seen: last ? iso(last.at) : null,
    version: last ? last.version : null,
  };
}

const bySlot = <T extends { slot_index: number }>(rows: T[]) => rows.toSorted((a, b) => a.slot_index - b.slot_index);
const slots = signers.map((_, slot) => slot);

test('the counters of a cycle equal a simple count over the messages, with and without a range', async () => {
  for (const cycle of history.cycles) {
    const { results, total } = await get(`/signer-metrics/v1/cycles/${cycle}/signers`);
    expect(total).toBe(signers.length);
    expect(bySlot(results)).toMatchObject(slots.map(slot => countFor(cycle, slot)));
  }
  // Whole hours and both remainders, a part of one hour, one open end, and nothing.
  for (const [from, to] of [
    [37, 173],
    [61, 64],
    [0, 60],
    [95, undefined],
    [undefined, 95],
    [9_000, 9_001],
  ]) {
    const at = (minutes: number | undefined) => (minutes === undefined ? undefined : start + minutes * 60_000);
    const query = Object.entries({ from, to }).flatMap(([name, m]) =>
      m === undefined ? [] : [`${name}=${iso(at(m)!)}`],
    );
    for (const cycle of history.cycles) {
      const { results } = await get(`/signer-metrics/v1/cycles/${cycle}/signers?${query.join('&')}`);
      const expected = slots.map(slot => countFor(cycle, slot, at(from), at(to)));
      expect(bySlot(results), query.join('&')).toMatchObject(expected);
    }
  }
});

test('signers are ranked by their stacked amount, and pages have a true total', async () => {
  const cycle = history.cycles[0]!;
  const all = await get(`/signer-metrics/v1/cycles/${cycle}/signers`);
  expect(all.results.map((row: { signer_key: string }) => row.signer_key)).toEqual(
    [3, 1, 0, 2, 4].map(slot => keys[slot]),
  );
  expect(all.results[0]).toMatchObject({
    weight: 9,
    weight_percentage: 33.333,
    stacked_amount: '900000000',
    stacked_amount_percent: 33.333,
    stacked_amount_rank: 1,
  });
  const page = await get(`/signer-metrics/v1/cycles/${cycle}/signers?limit=2&offset=1&from=now-1y`);
  expect(page).toMatchObject({
    total: 5,
    limit: 2,
    offset: 1,
    results: [{ stacked_amount_rank: 2 }, { stacked_amount_rank: 3 }],
  });
  expect(await get('/signer-metrics/v1/cycles/99/signers')).toEqual({ total: 0, limit: 100, offset: 0, results: [] });
  expect(await get(`/signer-metrics/v1/cycles/${cycle}/signers/${keys[2]!.slice(2).toUpperCase()}`)).toEqual(
    all.results[3],
  );
  const missing = await ask(`/signer-metrics/v1/cycles/${cycle}/signers/0x02${'ab'.repeat(32)}`);
  expect(missing).toMatchObject({ status: 404, body: { error: 'Signer not found' } });
});

test('proposals have the first response of each signer and their status, the newest arrival first', async () => {
  const known = history.sent.flatMap(sent => (arrivalOf(sent) === undefined ? [] : [{ sent, at: arrivalOf(sent)! }]));
  const expected = known.toSorted((a, b) => b.at - a.at).map(({ sent, at }) => expectedProposal(sent, at));
  const first = await get('/signer-metrics/v1/block_proposals?limit=10');
  const next = await get('/signer-metrics/v1/block_proposals?limit=50&offset=10');
  expect(first).toMatchObject({ limit: 10, offset: 0 });
  expect([...first.results, ...next.results]).toMatchObject(expected);
  const [newest] = expected;
  expect(await get(`/signer-metrics/v1/block_proposals/${newest!.block_hash.slice(2)}`)).toEqual(first.results[0]);
  expect((await ask(`/signer-metrics/v1/block_proposals/${'0'.repeat(64)}`)).status).toBe(404);
});

function expectedProposal(sent: SentMessages, at: number) {
  const { block } = sent;
  const pushed = firstOf(sent.pushes, time => time);
  const tip = history.canonical.at(-1)!.height;
  const status =
    pushed !== undefined || canonical.has(block.hash) ? 'accepted' : block.height > tip ? 'pending' : 'rejected';
  const votes = slots.map(slot => {
    const response = responseOf(sent, slot);
    const detail = response?.rejection?.detail?.code;
    return {
      signer_key: keys[slot]!,
      slot_index: slot,
      weight: signers[slot]!.weight,
      response: !response ? 'missing' : response.accepted ? 'accepted' : 'rejected',
      version: response?.version ?? null,
      received_at: response ? iso(response.at) : null,
      response_time_ms: response ? response.at - at : null,
      reason_string: response?.rejection?.text ?? null,
      reason_code:
        detail === undefined
          ? null
          : { 0: 'ValidationFailed', 6: 'ReorgNotAllowed', 16: 'ConsensusHashMismatch' }[detail],
      validation_code: detail === 0 ? 'ChainstateError' : null,
    };
  });
  const of = (response: string) => votes.filter(vote => vote.response === response);
  const weight = (response: string) => of(response).reduce((sum, vote) => sum + vote.weight, 0);
  return {
    received_at: iso(at),
    block_height: block.height,
    block_hash: block.hash,
    index_block_hash: block.indexHash,
    burn_block_height: block.burn.height,
    cycle_number: sent.cycle,
    status,
    push_time_ms: pushed === undefined ? null : pushed - at,
    total_signer_count: 5,
    total_signer_weight: 27,
    accepted_count: of('accepted').length,
    rejected_count: of('rejected').length,
    missing_count: of('missing').length,
    accepted_weight: weight('accepted'),
    rejected_weight: weight('rejected'),
    missing_weight: weight('missing'),
    signer_data: votes,
  };
}

test('blocks have the votes of their signers, or null where no proposal was recorded', async () => {
  const page = await get('/signer-metrics/v1/blocks');
  const tip = history.canonical.length;
  expect(page).toMatchObject({ total: tip, limit: 100, offset: 0 });
  const expected = history.canonical.toReversed().map(block => {
    const sent = history.sent.find(each => each.block === block)!;
    const at = arrivalOf(sent);
    const states = slots.map(slot => {
      const response = responseOf(sent, slot);
      if (!response) return 'missing';
      // The chain of the test has two signatures in each block.
      return response.accepted ? (slot < 2 ? 'mined' : 'excluded') : 'rejected';
    });
    const count = (...wanted: string[]) => states.filter(state => wanted.includes(state)).length;
    const stacked = (...wanted: string[]) =>
      String(
        slots.reduce((sum, slot) => sum + (wanted.includes(states[slot]!) ? Number(signers[slot]!.stacked_amt) : 0), 0),
      );
    const times = slots.flatMap(slot => responseOf(sent, slot)?.at ?? []).map(time => time - at!);
    return {
      block_height: block.height,
      block_hash: block.hash,
      index_block_hash: block.indexHash,
      burn_block_height: block.burn.height,
      signer_data:
        at === undefined
          ? null
          : {
              cycle_number: sent.cycle,
              total_signer_count: 5,
              accepted_count: count('mined', 'excluded'),
              accepted_excluded_count: count('excluded'),
              rejected_count: count('rejected'),
              missing_count: count('missing'),
              average_response_time_ms: times.length === 0 ? 0 : round(times.reduce((a, b) => a + b, 0) / times.length),
              block_proposal_time_ms: at,
              accepted_stacked_amount: stacked('mined', 'excluded'),
              rejected_stacked_amount: stacked('rejected'),
              missing_stacked_amount: stacked('missing'),
            },
    };
  });
  expect(page.results).toMatchObject(expected);
  const offset = await get('/signer-metrics/v1/blocks?limit=2&offset=3');
  expect(offset.results).toEqual(page.results.slice(3, 5));
  const [latest] = page.results;
  for (const key of ['latest', tip, latest.block_hash])
    expect(await get(`/signer-metrics/v1/blocks/${key}`)).toEqual(latest);
  for (const key of [tip + 1, '0'.repeat(64)]) expect((await ask(`/signer-metrics/v1/blocks/${key}`)).status).toBe(404);
});

test('votes on a block weigh by the reward set of the Bitcoin block that elected its miner, not by what its proposal names', async t => {
  const [elected, named] = history.cycles as [number, number];
  const heavier = signers.map(signer => ({ ...signer, weight: 100 * signer.weight }));
  const messages = history.messages.map(message => {
    const body = Object(message.body);
    if (body.cycle_number !== named) return message;
    return { ...message, body: { ...body, reward_set: { ...body.reward_set, signers: heavier } } };
  });
  // A tenure of the first cycle that is extended for so long: all blocks were elected in it.
  const [first] = history.canonical;
  const length = 10_000;
  const geometry = { first: first!.burn.height - elected * length, length, prepare: 10 };
  const weightOf = ({ accepted_weight, rejected_weight, missing_weight }: Record<string, number>) =>
    accepted_weight! + rejected_weight! + missing_weight!;
  const own = signers.reduce((sum, { weight }) => sum + weight, 0);
  for (const [poxGeometry, weight] of [
    [geometry, own],
    [undefined, 100 * own],
  ] as const) {
    const api = await serveChain(t, messages, { poxGeometry: async () => poxGeometry });
    const { results } = await api.get('/signer-metrics/v1/blocks?limit=10');
    const votes = results.flatMap((block: { signer_data: object | null }) => block.signer_data ?? []);
    expect(votes.length).toBeGreaterThan(0);
    for (const each of votes) expect([each.cycle_number, weightOf(each)]).toEqual([named, weight]);
  }
});

test('the status names the tip, and bad parameters get a 400', async () => {
  const tip = history.canonical.at(-1)!;
  for (const url of ['/signer-metrics', '/signer-metrics/']) {
    expect(await get(url)).toMatchObject({
      status: 'ready',
      chain_tip: { block_height: tip.height, index_block_hash: tip.indexHash },
    });
  }
  for (const query of [
    'from=yesterday',
    'to=now-5x',
    'from=now&to=now-1h',
    'limit=501',
    'offset=-1',
    'from=2026-13-01',
  ]) {
    expect(await ask(`/signer-metrics/v1/cycles/20/signers?${query}`), query).toMatchObject({ status: 400 });
  }
  for (const path of [
    'cycles/x/signers',
    'cycles/1/signers/0x12',
    'block_proposals?limit=51',
    'block_proposals/12',
    'blocks/tip',
  ]) {
    expect((await ask(`/signer-metrics/v1/${path}`)).status, path).toBe(400);
  }
});

test('the gauges of the newest proposals equal a simple count over the messages', async () => {
  const metrics = createMetrics();
  await measureSigners(metrics, chain.database.sql);
  const gaugeOf = async (name: string, labels: Record<string, string>) => {
    const { values } = await metrics.registry.getSingleMetric(name)!.get();
    return values.find(value => Object.entries(labels).every(([key, label]) => value.labels[key] === label))?.value;
  };
  const known = history.sent.filter(sent => arrivalOf(sent) !== undefined);
  const newest = known.toSorted((a, b) => arrivalOf(b)! - arrivalOf(a)!);
  const cycle = newest[0]!.cycle;
  for (const period of [5, 10]) {
    const proposals = newest.slice(0, period);
    const accepted = proposals.filter(({ block, pushes }) => pushes.length > 0 || canonical.has(block.hash));
    const labels = { period: String(period) };
    expect(await gaugeOf('cairn_signer_proposal_acceptance_ratio', labels)).toBeCloseTo(accepted.length / period);
    const ofCycle = proposals.filter(sent => sent.cycle === cycle);
    for (const slot of slots) {
      const responses = ofCycle.flatMap(sent => responseOf(sent, slot) ?? []);
      const signer = { ...labels, signer: keys[slot]! };
      const states = ['accepted', 'rejected', 'missing'].map(state =>
        gaugeOf('cairn_signer_responses', { ...signer, state }),
      );
      const yes = responses.filter(({ accepted }) => accepted).length;
      const no = responses.length - yes;
      expect(await Promise.all(states)).toEqual([yes, no, ofCycle.length - yes - no]);
    }
  }
  const total = signers.reduce((sum, { weight }) => sum + weight, 0);
  for (const [slot, { weight }] of signers.entries()) {
    expect(await gaugeOf('cairn_signer_weight_ratio', { signer: keys[slot]! })).toBeCloseTo(weight / total);
  }
});

test('every route has an ETag by which a client learns that nothing has changed', async () => {
  const proposal = history.sent[0]!.block.hash;
  for (const path of [
    '',
    `/v1/cycles/${history.cycles[0]}/signers`,
    `/v1/cycles/${history.cycles[0]}/signers/${keys[0]}`,
    '/v1/blocks',
    '/v1/blocks/latest',
    '/v1/block_proposals',
    `/v1/block_proposals/${proposal}`,
  ]) {
    const url = `/signer-metrics${path}`;
    const first = await chain.app.inject(url);
    expect(first.statusCode, url).toBe(200);
    const etag = String(first.headers.etag);
    expect(etag, url).toMatch(/^(W\/)?"/);
    const again = await chain.app.inject({ url, headers: { 'if-none-match': etag } });
    expect(again.statusCode, url).toBe(304);
  }
});
