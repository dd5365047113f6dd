import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import type { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoggedMessage, MempoolModel } from '../model/mempool.ts';
import { testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import { foldMessages, mempoolRows, transfer } from '../support/mempool.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed } from '../support/seed.ts';

/**
 * Rows of the mempool are those of `MempoolModel`: a second implementation with lists and loops, from the blocks that
 * `chooseChain` picks of those announced so far, the messages of nodes and the times of the log. It says of each row its status,
 * reason, replacement, receipt (time, height, tenure, whether a node ever reported it), time of the drop and, while it is
 * pending, who holds it; of the whole mempool the counts by status and type and the digest. Rows of the burn chain are not
 * its business: `test/model/history.test.ts` holds those to a fresh replay.
 */
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const node = 'node 10.0.0.1';
const other = 'node 10.0.0.2';

/** Builds messages, one second after another unless a jump says otherwise. */
class MessageScript {
  readonly messages: LoggedMessage[] = [];
  readonly #chain: ChainBuilder;
  at = 1_760_000_000;
  tip: BuiltBlock;

  constructor(chain: ChainBuilder) {
    this.#chain = chain;
    this.tip = chain.genesis;
    this.block(chain.genesis);
  }

  block(block: BuiltBlock): BuiltBlock {
    this.messages.push({ kind: 'block', block, source: node, at: ++this.at });
    return block;
  }

  mine(transactions: Parameters<ChainBuilder['mine']>[1] = {}, parent = this.tip): BuiltBlock {
    const block = this.#chain.mine(parent, { transactions: 0, ...transactions });
    if (parent === this.tip) this.tip = block;
    return this.block(block);
  }

  arrive(raws: string[], source = node): void {
    this.messages.push({ kind: 'arrivals', raws, source, at: ++this.at });
  }

  drop(txIds: string[], reason: string, source = node, replacedBy: string | null = null): void {
    const ids = txIds.map(id => id.replace('0x', ''));
    this.messages.push({ kind: 'drop', txIds: ids, reason, replacedBy, source, at: ++this.at });
  }
}

const statuses = ['pending', 'dropped', 'streamed'] as const;

/** Folds messages in a fresh database, with a restart at the cut, and holds the rows against the model. */
async function check(messages: LoggedMessage[], batchBlocks = 50, cut = messages.length): Promise<MempoolModel> {
  await emptyTables(db.sql);
  for (const part of [messages.slice(0, cut), messages.slice(cut)]) {
    if (part.length > 0) await foldMessages(db, part, { batchBlocks });
  }
  const model = new MempoolModel();
  for (const each of messages) model.apply(each);
  const actual = (await mempoolRows(db.sql)).map(({ status, ...row }) => ({
    ...row,
    status: statuses[status]!,
    holders: status === 0 ? row.holders.toSorted() : [],
  }));
  const expected = [...model.rows.values()].map(row => ({
    tx_id: row.txId,
    reason: row.reason,
    replaced_by: row.replacedBy.replace('0x', ''),
    received_at: row.at,
    received_height: row.height,
    received_tenure: row.tenure,
    dropped_at: row.droppedAt,
    seen: row.seen,
    status: row.status,
    holders: row.status === 'pending' ? [...row.holders].sort() : [],
  }));
  const byId = (a: { tx_id: string }, b: { tx_id: string }) => (a.tx_id < b.tx_id ? -1 : 1);
  expect(actual.sort(byId)).toEqual(expected.sort(byId));
  await checkFigures(model);
  return model;
}

async function checkFigures(model: MempoolModel): Promise<void> {
  const [state] = await db.sql<{ pending: number; dropped: number; digest: bigint; types: number[] }[]>`
    select s.pending, s.dropped, s.digest, s.types from mempool_state s
  `;
  const pending = model.pending();
  const digest = pending.reduce((sum, { txId }) => sum ^ BigInt.asIntN(64, BigInt(`0x${txId.slice(0, 16)}`)), 0n);
  const types = (state?.types ?? []).map((_, type) => pending.filter(row => row.type === type).length);
  expect({ pending: 0, dropped: 0, digest: 0n, types: [], ...state }).toEqual({
    pending: pending.length,
    dropped: [...model.rows.values()].filter(row => row.status === 'dropped').length,
    digest,
    types,
  });
  const [unread] = await db.sql<{ count: number }[]>`select count(*)::int as count from mempool_unread`;
  expect(unread!.count).toBe(model.unread);
}

/** A chain with one block above genesis. */
const begin = (options: Parameters<typeof testChain>[0] = {}) => {
  const script = new MessageScript(testChain(options));
  script.mine();
  return script;
};

const reasonsOf = async () =>
  Object.fromEntries((await mempoolRows(db.sql)).map(row => [`0x${row.tx_id}`, row.reason || statuses[row.status]!]));

describe('arrivals and drops', () => {
  test('what arrives is pending; again is no change; a block that mines it takes it away', async () => {
    const t = begin();
    const [a, b] = [transfer({ from: 500, nonce: 0 }), transfer({ from: 501, nonce: 0 })];
    t.arrive([a.raw, b.raw]);
    t.arrive([a.raw]);
    const block = t.mine({ transactions: 2 });
    t.arrive(block.transactions.map(each => each.raw));
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'pending', [b.txId]: 'pending' });
  });

  test('a drop has the reason of the node, unknown words too, and only touches what is pending', async () => {
    const t = begin();
    const all = [0, 1, 2].map(n => transfer({ from: 500 + n, nonce: 0 }));
    const reasons = ['TooExpensive', 'Problematic', 'SomethingNew'];
    t.arrive(all.map(each => each.raw));
    for (const [i, reason] of reasons.entries()) t.drop([all[i]!.txId, `0x${'ab'.repeat(32)}`], reason);
    t.drop([all[0]!.txId], 'StaleGarbageCollect');
    await check(t.messages);
    expect(await reasonsOf()).toEqual(Object.fromEntries(all.map((each, i) => [each.txId, reasons[i]])));
  });

  test('a dropped one comes back as pending', async () => {
    const t = begin();
    const a = transfer({ from: 500, nonce: 0 });
    t.arrive([a.raw]);
    t.drop([a.txId], 'ReplaceAcrossFork');
    t.arrive([a.raw]);
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'pending' });
  });

  test('a higher fee takes the nonce, of an origin or of a sponsor', async () => {
    const t = begin();
    const low = transfer({ from: 500, nonce: 3, fee: 200 });
    const high = transfer({ from: 500, nonce: 3, fee: 300 });
    const sponsored = transfer({ from: 501, nonce: 0, fee: 200, sponsor: { account: 502, nonce: 7 } });
    const rival = transfer({ from: 503, nonce: 1, fee: 900, sponsor: { account: 502, nonce: 7 } });
    t.arrive([low.raw, sponsored.raw]);
    t.arrive([high.raw, rival.raw]);
    await check(t.messages);
    const gone = 'ReplaceByFee';
    expect(await reasonsOf()).toEqual({
      ...{ [low.txId]: gone, [high.txId]: 'pending' },
      ...{ [sponsored.txId]: gone, [rival.txId]: 'pending' },
    });
  });

  test('a drop by one node does not hide what another still holds, until that one falls silent', async () => {
    const t = begin();
    const a = transfer({ from: 500, nonce: 0 });
    t.arrive([a.raw]);
    t.arrive([a.raw], other);
    t.drop([a.txId], 'TooExpensive');
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'pending' });
    t.at += 4_000;
    t.arrive([transfer({ from: 501, nonce: 0 }).raw]);
    t.drop([a.txId], 'Problematic');
    await check(t.messages);
    expect((await reasonsOf())[a.txId]).toBe('Problematic');
  });

  test('what cannot be read is kept apart and stops nothing', async () => {
    const t = begin();
    const a = transfer({ from: 500, nonce: 0 });
    t.arrive(['0x00', 'no hex', '0xabc', a.raw, `${a.raw}00`]);
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'pending' });
    const rows = await db.sql<
      { body: string; reason: string }[]
    >`select body, reason from mempool_unread order by position`;
    expect(rows.map(row => row.body)).toEqual(['0x00', 'no hex', '0xabc', `${a.raw}00`]);
  });

  test('a message that is no list is quarantined', async () => {
    await emptyTables(db.sql);
    const { foldAll } = await import('../support/service.ts');
    const position = await foldAll(db, [
      testChain().genesis,
      { path: '/new_mempool_tx', body: '{"not":"a list"}' },
      { path: '/drop_mempool_tx', body: '[]' },
    ]);
    expect(position.halt_reason).toBeNull();
    const rows = await db.sql`select event_id from event_quarantine order by event_id`;
    expect(rows.map(row => row.event_id)).toEqual([2n, 3n]);
  });
});

describe('blocks', () => {
  test('a mined transaction replaces whatever else used its nonces', async () => {
    const t = begin();
    const block = t.mine({
      transactions: [{ kind: 'transfer', from: 0, to: 'ST000000000000000000002AMW42H', amount: 5n }],
    });
    const mined = block.transactions.at(-1)!;
    t.messages.pop();
    const rival = transfer({ from: 0, nonce: 0, fee: 999_999 });
    const later = transfer({ from: 0, nonce: 1 });
    t.arrive([rival.raw, later.raw]);
    t.block(block);
    const model = await check(t.messages);
    expect(await reasonsOf()).toEqual({ [rival.txId]: 'ReplaceByFee', [later.txId]: 'pending' });
    expect(model.rows.get(rival.txId.slice(2))!.replacedBy).toBe(mined.txId.slice(2));
  });

  test('seconds of log time end the wait in Nakamoto', async () => {
    const t = begin();
    const a = transfer({ from: 500, nonce: 0 });
    t.arrive([a.raw]);
    t.at += 153_598;
    t.mine();
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'pending' });
    t.at += 1;
    t.mine();
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'StaleGarbageCollect' });
  });

  test('tenures end the wait before Nakamoto', async () => {
    const t = begin({ release: '2.4' });
    const a = transfer({ from: 500, nonce: 0 });
    t.arrive([a.raw]);
    for (let i = 0; i < 256; i++) t.mine();
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'pending' });
    t.mine();
    await check(t.messages);
    expect(await reasonsOf()).toEqual({ [a.txId]: 'StaleGarbageCollect' });
  });

  test('what was dropped is forgotten after 1,008 tenures, and what came with it stays', async () => {
    const t = begin({ release: '2.4' });
    const [gone, kept] = [transfer({ from: 500, nonce: 0 }), transfer({ from: 501, nonce: 0 })];
    t.arrive([gone.raw]);
    t.drop([gone.txId], 'TooExpensive');
    for (let i = 0; i < 1_008; i++) t.mine();
    t.arrive([kept.raw]);
    t.drop([kept.txId], 'TooExpensive');
    await check(t.messages, 200);
    expect(Object.keys(await reasonsOf()).sort()).toEqual([gone.txId, kept.txId].sort());
    t.mine();
    await check(t.messages, 200);
    expect(Object.keys(await reasonsOf())).toEqual([kept.txId]);
  });

  test('a fork makes what only the losing branch mined pending again, as it had arrived', async () => {
    const t = begin();
    const root = t.tip;
    const losing = t.mine({ transactions: 3 });
    t.messages.pop();
    const [seen] = losing.transactions.filter(each => each.fee > 0n);
    t.arrive([seen!.raw], other);
    const arrivedAt = t.at;
    t.block(losing);
    const rival = t.mine({}, root);
    t.mine({}, rival);
    const model = await check(t.messages);
    const row = model.rows.get(seen!.txId.slice(2))!;
    expect([row.status, row.at]).toEqual(['pending', arrivedAt]);
    expect(model.pending().length).toBeGreaterThanOrEqual(3);
  });

  test('what was dropped before it was mined comes back as held by no node', async () => {
    const t = begin();
    const root = t.tip;
    const losing = t.mine({ transactions: 1 });
    t.messages.pop();
    const mined = losing.transactions.filter(each => each.fee > 0n);
    t.arrive(mined.map(each => each.raw));
    t.drop(
      mined.map(each => each.txId),
      'TooExpensive',
    );
    t.block(losing);
    const rival = t.mine({}, root);
    t.mine({}, rival);
    await check(t.messages);
    const rows = (await mempoolRows(db.sql)).filter(row => row.seen);
    expect(rows.map(row => [`0x${row.tx_id}`, row.status, row.holders])).toEqual(
      mined.map(each => [each.txId, 0, ['not a node']]),
    );
    t.drop(
      mined.map(each => each.txId),
      'Problematic',
      other,
    );
    await check(t.messages);
    expect((await reasonsOf())[mined[0]!.txId]).toBe('Problematic');
  });

  test('what unconfirmed microblocks hold is pending again when the next block leaves it out', async () => {
    const chain = testChain({ release: '2.4' });
    const t = new MessageScript(chain);
    t.mine();
    const built = chain.microblock(t.tip, 2);
    t.arrive([built.transactions[0]!.raw]);
    t.messages.push({ kind: 'microblock', anchor: t.tip, built, source: node, at: ++t.at });
    await check(t.messages);
    expect(new Set(Object.values(await reasonsOf()))).toEqual(new Set(['streamed']));
    t.mine({ confirms: 0 });
    await check(t.messages);
    expect(new Set(Object.values(await reasonsOf()))).toEqual(new Set(['pending']));
  });
});

type Action =
  | { kind: 'mine'; pick: number; transactions: number; announced: 'before' | 'after' | 'never' }
  | { kind: 'send'; from: number; nonce: number; fee: number; sponsor: number | undefined; source: number }
  | { kind: 'repeat' | 'drop'; pick: number; source: number; reason: string }
  | { kind: 'stream'; transactions: number }
  | { kind: 'wait'; seconds: number };

const small = fc.nat(4);
const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      pick: fc.nat(3),
      transactions: fc.nat(3),
      announced: fc.constantFrom('before', 'after', 'never'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      from: small,
      nonce: small,
      fee: fc.integer({ min: 1, max: 3 }),
      sponsor: fc.option(small, { nil: undefined }),
      source: fc.nat(2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('repeat' as const, 'drop' as const),
      pick: fc.nat(50),
      source: fc.nat(2),
      reason: fc.constantFrom('ReplaceByFee', 'TooExpensive', 'Problematic'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('stream' as const), transactions: fc.integer({ min: 1, max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1_000, 4_000, 100_000) }),
  },
);

const sources = [node, other, 'replay'];

/** Turns actions into messages; a block may follow any of the last four. */
function play(seed: number, release: '2.4' | '4.0', list: Action[]): LoggedMessage[] {
  const chain = testChain({ seed, release, accounts: 4 });
  const t = new MessageScript(chain);
  const blocks = [t.mine()];
  const sent: { raw: string; txId: string }[] = [];
  for (const action of list) {
    const source = 'source' in action ? sources[action.source]! : node;
    const chosen = 'pick' in action && sent.length > 0 ? sent[action.pick % sent.length] : undefined;
    if (action.kind === 'wait') t.at += action.seconds;
    if (action.kind === 'stream' && release === '2.4') {
      const anchor = blocks.at(-1)!;
      const built = chain.microblock(anchor, action.transactions);
      t.messages.push({ kind: 'microblock', anchor, built, source: node, at: ++t.at });
      sent.push(...built.transactions);
    }
    if (action.kind === 'repeat' && chosen) t.arrive([chosen.raw, '0xff'], source);
    if (action.kind === 'drop' && chosen) t.drop([chosen.txId], action.reason, source);
    if (action.kind === 'send') {
      const { from, nonce, fee, sponsor } = action;
      const made = transfer({
        from,
        nonce,
        fee,
        ...(sponsor !== undefined && { sponsor: { account: sponsor, nonce } }),
      });
      sent.push(made);
      t.arrive([made.raw], source);
    }
    if (action.kind === 'mine') {
      const block = chain.mine(blocks.at(-1 - (action.pick % Math.min(4, blocks.length))), {
        transactions: action.transactions,
      });
      const raws = block.transactions.map(each => each.raw);
      if (action.announced === 'before') t.arrive(raws, other);
      blocks.push(t.block(block));
      if (action.announced === 'after') t.arrive(raws);
      if (action.announced !== 'never') sent.push(...block.transactions);
    }
  }
  return t.messages;
}

test(`after any events, however they are cut into transactions, the rows are those of the rules (seed ${propertySeed})`, {
  timeout: historyTimeout,
}, async () => {
  const property = fc.asyncProperty(
    fc.integer(),
    fc.constantFrom('2.4' as const, '4.0' as const),
    fc.constantFrom(1, 3, 50),
    fc.array(actions, { minLength: 5, maxLength: 40 }),
    fc.nat(60),
    async (seed, release, batchBlocks, list, cut) => {
      const messages = play(seed, release, list);
      await check(messages, batchBlocks, Math.min(cut, messages.length));
    },
  );
  await playHistories('mempools', property, historiesOf(0.6));
});
