import { transactionId } from '@cairn-stacks/codec/transaction/transaction';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listQuarantined } from '../../src/read/status/quarantine-queries.ts';
import { findIngestStatus, skipEvent } from '../../src/read/status/status-queries.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type Dump, differences, dump } from '../support/dump.ts';
import { append, foldAll, folded, type PositionRow, positionOf, startFold, until } from '../support/service.ts';

const chain = testChain({ seed: 11 });
const [one, two, three, four] = mineLine(chain, chain.genesis, 4, { transactions: 2 });
const before = [chain.genesis, one!, two!];

let db: TestDatabase;
/** What the tables hold when nothing is wrong. */
let healthy: Promise<Dump>;

beforeAll(async () => {
  const fresh = await testDatabase();
  healthy = foldAll(fresh, [...before, three!, four!]).then(() => dump(fresh.sql));
  await healthy;
  await fresh.drop();
});

beforeEach(async t => {
  db = await testDatabase(t);
});

/** The message of block 3 with something about it changed. */
function third(change: (body: Body) => void): Message {
  const body = structuredClone(three!.body) as Body;
  change(body);
  return { path: '/new_block', body };
}

const nestedList = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

type Body = Record<string, unknown> & { transactions: Record<string, unknown>[]; events: Record<string, unknown>[] };

/** Runs a fold until it stands where it should. */
async function foldUntil(reached: (position: PositionRow) => boolean): Promise<PositionRow> {
  const fold = startFold(db, { retryMs: 20 });
  try {
    return await until(async () => {
      const position = await positionOf(db.sql);
      return reached(position) ? position : undefined;
    });
  } finally {
    await fold.stop();
  }
}

/** Folds the messages and says where it stopped. */
async function foldUntilHalt(messages: Message[]): Promise<PositionRow> {
  const last = await append(db, messages);
  const fold = startFold(db, { retryMs: 20 });
  try {
    return await folded(db.sql, last);
  } finally {
    await fold.stop();
  }
}

/** What stands on block 3 waits; the true block heals the gap, and nothing of the wrong one is left. */
async function expectHealing(): Promise<void> {
  const parked = await db.sql<{ height: number }[]>`select height from block_tree where parked`;
  expect(parked).toEqual([{ height: 4 }]);
  await append(db, [three!]);
  await foldUntil(position => position.height === 4);
  expect(differences(await dump(db.sql), await healthy)).toEqual([]);
}

describe('a block that contradicts itself or has no place', () => {
  const wrong: [string, Message, RegExp][] = [
    ['that is empty', { path: '/new_block', body: {} }, /block_hash/],
    ['with a height that is no number', third(b => Object.assign(b, { block_height: 'three' })), /block_height/],
    ['without its hash', third(b => delete b.block_hash), /block_hash/],
    ['with a hash that is too short', third(b => Object.assign(b, { index_block_hash: '0x12' })), /index_block_hash/],
    ['without transactions', third(b => delete (b as Partial<Body>).transactions), /transactions/],
    ['with events that are no list', third(b => Object.assign(b, { events: {} })), /events/],
    [
      'nested deeper than 200 levels',
      third(b => Object.assign(b, { more: nestedList(250) })),
      /deeper than 200 levels/,
    ],
    ['that is a list', { path: '/new_block', body: [] }, /block is not an object/],
    ['with an amount below zero', third(b => b.events.push(transferOf(b, { amount: '-5' }))), /amount/],
    [
      'with other bytes than its txid says',
      third(b => Object.assign(b.transactions[0]!, { raw_tx: b.transactions[1]!.raw_tx })),
      /txid is not the hash of raw_tx/,
    ],
    ['with another txid', third(b => Object.assign(b.transactions[0]!, { txid: `0x${'ab'.repeat(32)}` })), /txid/],
    ['with a transaction without a status', third(b => delete b.transactions[0]!.status), /status/],
    ['that skips a height', third(b => Object.assign(b, { block_height: 7 })), /height 7/],
    [
      'that names a principal with a bad checksum',
      third(b => b.events.push(transferOf(b, { recipient: 'ST123' }))),
      /ST123|address|c32/,
    ],
    [
      'of another network',
      testChain({ network: { name: 'mainnet', chainId: 1, mainnet: true } }).mine(),
      /chain id 0x1/,
    ],
    [
      'of an unknown kind whose parent is unknown',
      third(b => {
        unknownTransaction(b);
        b.parent_index_block_hash = `0x${'cd'.repeat(32)}`;
      }),
      /transaction/,
    ],
  ];

  test.each(wrong)('%s is quarantined, and the fold goes on', async (_, message, reason) => {
    const position = await foldAll(db, [...before, message, four!]);
    expect(position).toMatchObject({ halted_at: null, event_id: 5n, height: 2 });
    const kept = await db.sql<{ event_id: bigint; reason: string }[]>`select event_id, reason from event_quarantine`;
    expect(kept).toEqual([{ event_id: 4n, reason: expect.stringMatching(reason) }]);
    await expectHealing();
  });

  test('is told in the status and in the log, and can be tried again', async () => {
    const last = await append(db, [...before, wrong[0]![1]]);
    const fold = startFold(db, { retryMs: 20 });
    await folded(db.sql, last);
    await fold.stop();
    expect(fold.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('quarantined') }),
    );
    expect(await findIngestStatus(db.sql)).toMatchObject({
      quarantined: 1,
      lastQuarantined: { eventId: 4, reason: expect.stringContaining('block_hash') },
      haltedAt: null,
    });
    expect(await listQuarantined(db.sql, 10)).toMatchObject([
      { event_id: 4n, path: '/new_block', source: 'node 127.0.0.1', size: 2 },
    ]);
  });

  test('a burn block that cannot be read is quarantined, too', async () => {
    const position = await foldAll(db, [...before, { path: '/new_burn_block', body: {} }, three!]);
    expect(position).toMatchObject({ halted_at: null, height: 3 });
    expect(await db.sql`select event_id from event_quarantine`).toEqual([{ event_id: 4n }]);
  });
});

describe('a block that agrees with itself and cannot be folded', () => {
  const wrong: [string, Message, RegExp][] = [
    ['with a transaction of a kind that is not known', third(unknownTransaction), /transaction 0x/],
    ['that deploys a contract that is there already', third(deployAgain), /contracts/],
    ['with a time beyond its column', third(b => Object.assign(b, { burn_block_time: 2 ** 40 })), /./],
  ];

  test.each(wrong)('%s stops the fold, which can go past it alone', async (_, message, reason) => {
    const halted = await foldUntilHalt([...before, message, four!]);
    expect(halted).toMatchObject({ halted_at: 4n, event_id: 3n, height: 2 });
    expect(halted.halt_reason).toMatch(reason);

    await skipEvent(db.sql, 4n, 'the node was ill');
    const past = await foldUntil(position => position.event_id === 5n);
    expect(past).toMatchObject({ halted_at: null, halt_reason: null, height: 2 });
    await expectHealing();
  });

  test('goes on by itself once the skip is told, without a restart', async () => {
    const last = await append(db, [...before, wrong[0]![1], four!]);
    const fold = startFold(db, { retryMs: 20 });
    await folded(db.sql, last);
    await skipEvent(db.sql, 4n, 'the node was ill');
    await append(db, [three!]);
    await until(async () => (await positionOf(db.sql)).height === 4);
    await fold.stop();
  });

  test('stops a fold that is behind at the same event, with everything before it written', async () => {
    const other = testChain({ seed: 12 });
    const long = mineLine(other, chain.genesis, 13, { transactions: 1 });
    const last = structuredClone(long.at(-1)!.body) as Body;
    unknownTransaction(last);
    const messages = [chain.genesis, ...long.slice(0, -1), { path: '/new_block', body: last }];
    expect(await foldUntilHalt(messages)).toMatchObject({ height: 12, halted_at: 14n, event_id: 13n });
  });
});

test('an index hash that does not follow from block and consensus hash is counted and folded', async () => {
  const odd = `0x${'ef'.repeat(32)}`;
  const child = structuredClone(four!.body) as Body;
  child.parent_index_block_hash = odd;
  const messages = [third(b => Object.assign(b, { index_block_hash: odd })), { path: '/new_block', body: child }];
  const position = await foldAll(db, [...before, ...messages]);
  expect(position).toMatchObject({ height: 4, halted_at: null });
  expect(await findIngestStatus(db.sql)).toMatchObject({ quarantined: 0, indexHashMismatches: 1 });
});

describe('what no block depends on', () => {
  const harmless: [string, Message | { path: string; body: string }][] = [
    ['a body that is not JSON', { path: '/new_block', body: '{"block_height": 3,' }],
    ['an empty body', { path: '/new_block', body: '' }],
    ['a path nobody knows', { path: '/brand_new', body: { anything: [1, 2] } }],
    ['a pending transaction that cannot be decoded', { path: '/new_mempool_tx', body: ['0x00ff', '0xzz', '0x'] }],
    ['pending transactions that are no texts', { path: '/new_mempool_tx', body: [5, null, {}] }],
    ['pending transactions that are no list', { path: '/new_mempool_tx', body: { a: 1 } }],
    ['a drop without a reason', { path: '/drop_mempool_tx', body: { dropped_txids: ['0x12'] } }],
    ['a drop that is a number', { path: '/drop_mempool_tx', body: '7' }],
    ['microblocks that cannot be read', { path: '/new_microblocks', body: { transactions: 1 } }],
  ];

  test.each(harmless)('%s never stops the fold', async (_, message) => {
    const position = await foldAll(db, [...before, message, three!, four!]);
    expect(position).toMatchObject({ height: 4, halted_at: null, event_id: 6n });
  });

  test('is quarantined with its number when its body cannot be read', async () => {
    await foldAll(db, [...before, { path: '/new_block', body: '{"block_height": 3,' }, three!]);
    expect(await db.sql`select event_id, reason from event_quarantine`).toEqual([
      { event_id: 4n, reason: 'the body is not JSON' },
    ]);
  });
});

describe('what another chain sends', () => {
  const foreign = testChain({ seed: 11, network: { name: 'mainnet', chainId: 1, mainnet: true } });
  const [first, second] = mineLine(foreign, foreign.genesis, 2);
  const streamed: Message = { path: '/new_microblocks', body: { ...first!.body } };

  test('is put aside and named, and changes nothing', async () => {
    const messages = [...before, foreign.genesis, first!, second!, streamed, three!, four!];
    expect(await foldAll(db, messages)).toMatchObject({ height: 4, halted_at: null, event_id: 9n });
    expect(differences(await dump(db.sql), await healthy)).toEqual([]);
    expect(await db.sql`select 1 from block_tree where parked`).toEqual([]);
    const rows = await db.sql<{ event_id: bigint; reason: string }[]>`
      select q.event_id, q.reason from event_quarantine q order by q.event_id
    `;
    // Block 0 of every chain has one id: what is repeated of it says nothing new. Microblocks off the tip move nothing.
    expect(rows.map(row => row.event_id)).toEqual([5n, 6n]);
    for (const { reason } of rows) {
      expect(reason).toBe(
        'it carries transactions of another chain (chain id 0x1), this database belongs to testnet (chain id 0x80000000)',
      );
    }
  });

  test('cannot become the beginning of this chain', async () => {
    await foldAll(db, [chain.emptyGenesis(), foreign.genesis, chain.genesis, one!, two!, three!, four!]);
    expect(differences(await dump(db.sql), await healthy)).toEqual([]);
    expect(await db.sql`select q.event_id from event_quarantine q`).toEqual([{ event_id: 2n }]);
  });
});

describe('what the program does not know', () => {
  test('in a block is kept and does not stop the fold', async () => {
    const message = third(body => {
      const [first] = body.transactions;
      body.events.push({
        txid: first!.txid,
        event_index: 99,
        committed: true,
        type: 'brand_new_event',
        brand_new_event: { a: 1 },
      });
      body.brand_new_field = { b: 2 };
      body.transactions.at(-1)!.status = 'brand_new_status';
    });
    const position = await foldAll(db, [...before, message, four!]);
    expect(position).toMatchObject({ height: 4, halted_at: null });
    const [event] = await db.sql<{ value: Buffer }[]>`select value from events where kind = 12`;
    expect(event!.value.toString()).toContain('brand_new_event');
    expect(await db.sql`select body from transaction_extras where name = 'status'`).toEqual([
      { body: 'brand_new_status' },
    ]);
  });

  test('of a burn operation before release 2.1, its sender, leaves a receipt without a row', async () => {
    const message = third(body => {
      body.transactions.unshift({
        txid: `0x${'ab'.repeat(32)}`,
        tx_index: 0,
        status: 'abort_by_response',
        raw_result: '0x08000000000000000000000000000000000003',
        raw_tx: '0x00',
        contract_abi: null,
        execution_cost: {},
        microblock_sequence: null,
        microblock_hash: null,
        microblock_parent_hash: null,
      });
    });
    const position = await foldAll(db, [...before, message, four!]);
    expect(position).toMatchObject({ height: 4, halted_at: null });
  });
});

/** An event of the first transaction of a block that moves STX. */
function transferOf(body: Body, change: object): Record<string, unknown> {
  const [holder] = [...one!.state.stx.keys()];
  const transfer = { sender: holder, recipient: holder, amount: '5', memo: '', ...change };
  const { txid } = body.transactions[0]!;
  return { txid, event_index: 90, committed: true, type: 'stx_transfer_event', stx_transfer_event: transfer };
}

function deployAgain(body: Body): void {
  const deploy = chain.genesis.transactions[0]!;
  body.transactions.push({ ...body.transactions[0], txid: deploy.txId, raw_tx: deploy.raw, status: 'success' });
}

/** Bytes with their own hash that no decoder of today reads. */
function unknownTransaction(body: Body): void {
  const raw = Buffer.from('80ff', 'hex');
  Object.assign(body.transactions[0]!, {
    raw_tx: `0x${raw.toString('hex')}`,
    txid: `0x${Buffer.from(transactionId(raw)).toString('hex')}`,
  });
}
