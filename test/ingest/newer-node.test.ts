import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import {
  decodeAccepted,
  decodeTransaction,
  senderAddress,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApi } from '../support/api.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldAll } from '../support/service.ts';

type Body = Record<string, unknown> & { transactions: Record<string, unknown>[]; events: Record<string, unknown>[] };

const chain = testChain({ seed: 71 });
const [one, two, three, four] = mineLine(chain, chain.genesis, 4, { transactions: 4 });
const template = fromHex(three!.transactions.find(({ raw }) => raw.length > 300)!.raw);
const { auth } = decodeTransaction(template);

/** Version, chain id and a standard authorization with one signature; then modes, conditions and payload. */
const head = template.subarray(0, 109);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const forge = (rest: string, authType = '04') =>
  `${hex(head.subarray(0, 5))}${authType}${hex(head.subarray(6))}${rest}`;
const deploy = (version: string) => `06${version}0474657374000000052b20312031`;
const transfer = `0005${'1a'}${'00'.repeat(20)}00000000000003e8${'00'.repeat(34)}`;
const noConditions = '00000000';

const newer = {
  payloadType: forge(`0302${noConditions}7fdeadbeef`),
  clarityVersion: forge(`0302${noConditions}${deploy('09')}`),
  conditionType: forge(`030200000001${'0901'}aabb${transfer}`),
  conditionCode: forge(`030200000001${'0001'}190000000000000005${transfer}`),
  modes: forge(`0907${noConditions}${transfer}`),
  authType: forge(`0302${noConditions}${transfer}`, '06'),
  clarityValue: forge(`0302${noConditions}02${'1a'}${'00'.repeat(20)}04746573740266300000000${'1'}0f01`),
  tenureCause: forge(`0302${noConditions}07${'00'.repeat(92)}0000000109${'00'.repeat(20)}`),
} as const;

const idOf = (raw: string) => toHex(transactionId(fromHex(raw)));

describe('a transaction that is newer than the program', () => {
  const cases: [keyof typeof newer, string, object][] = [
    ['payloadType', 'payload type 127', { type: 'unknown', id: 0x7f, bytes: fromHex('7fdeadbeef') }],
    ['clarityVersion', 'Clarity version 9', { type: 'versioned_smart_contract', clarityVersion: 9, name: 'test' }],
    ['conditionType', 'post-condition type 9', { type: 'unknown', id: -1 }],
    ['conditionCode', 'condition code 25', { type: 'token_transfer', amount: 1000n }],
    ['modes', 'anchor mode 9', { type: 'token_transfer', amount: 1000n }],
    ['authType', 'authorization type 6', { type: 'unknown', id: -1 }],
    ['clarityValue', 'Clarity prefix 15', { type: 'unknown', id: 2 }],
    ['tenureCause', 'tenure change cause 9', { type: 'tenure_change', cause: 'unknown_9' }],
  ];

  test.each(cases)('with an unknown code (%s) is read as far as it can be', (name, unknown, payload) => {
    const raw = fromHex(newer[name]);
    expect(() => decodeTransaction(raw)).toThrow(`unknown ${unknown}`);
    const transaction = decodeAccepted(raw);
    expect(transaction.unknown!.map(({ what, code }) => `${what} ${code}`)).toContain(unknown);
    expect(transaction.payload).toMatchObject(payload);
    expect(transaction.auth.origin).toMatchObject({ nonce: auth.origin.nonce, fee: auth.origin.fee });
    expect(senderAddress(transaction)).toBe(senderAddress(decodeTransaction(template)));
  });

  test('is still refused where its bytes are broken', () => {
    expect(() => decodeAccepted(fromHex(newer.clarityVersion).subarray(0, -1))).toThrow('bytes expected');
    expect(() => decodeAccepted(fromHex(`${newer.conditionCode}00`))).toThrow();
    expect(decodeAccepted(template).unknown).toBeUndefined();
  });
});

/** Block 3 as a newer node might tell it: in place of its last transactions, and with what nobody knows yet. */
function newerBlock(): Message {
  const body = structuredClone(three!.body) as Body;
  const [first] = body.transactions;
  const forged = Object.values(newer).map((raw, i) => ({
    ...first,
    txid: idOf(raw),
    raw_tx: `0x${raw}`,
    tx_index: body.transactions.length + i,
    status: 'success',
    contract_interface: null,
  }));
  const [problematic] = forged;
  Object.assign(problematic!, { status: 'problematic_skipped', problematic_skipped: 3 });
  const deployed = forged.find(({ txid }) => txid === idOf(newer.clarityVersion))!;
  const abi = { functions: [], variables: [], maps: [], fungible_tokens: [], non_fungible_tokens: [] };
  Object.assign(deployed, {
    contract_interface: { ...abi, epoch: 'Epoch99', clarity_version: 'Clarity9' },
    brand_new: { gas: 1 },
    raw_result: '0x0f2a',
  });
  body.transactions.push(...forged);
  body.events.push(
    { txid: deployed.txid, event_index: 900, committed: true, type: 'brand_event', brand_event: { a: 1 } },
    {
      ...{ txid: deployed.txid, event_index: 901, committed: true, type: 'contract_event' },
      contract_event: {
        contract_identifier: `${senderAddress(decodeTransaction(template))}.test`,
        topic: 'print',
        raw_value: '0x0f01',
      },
    },
  );
  Object.assign(body, { epoch_name: '9.9', signer_signature_hash: `0x${'ab'.repeat(32)}`, cycle_number: 7 });
  body.reward_set = {
    ...{ rewarded_addresses: ['bc1q'], start_cycle_state: { missed_reward_slots: [1] }, signers: [], shares: 5 },
    pox_ustx_threshold: null,
  };
  return { path: '/new_block', body };
}

const beside: Message[] = [
  { path: '/new_oracle', body: { price: 1 } },
  { path: '/new_mempool_tx', body: Object.values(newer).map(raw => `0x${raw}`) },
];

describe('ingest behind a newer node', () => {
  let db: TestDatabase;
  let ask: (url: string) => Promise<{ status: number; body: Record<string, unknown> }>;

  beforeAll(async () => {
    const endings: (() => Promise<void>)[] = [];
    const { app, database, tip } = await startApi({ onTestFinished: work => void endings.push(work) });
    db = database;
    const position = await foldAll(db, [chain.genesis, one!, two!, ...beside, newerBlock(), four!, ...beside]);
    expect(position).toMatchObject({ height: 4, halted_at: null });
    await tip.refresh();
    ask = async url => {
      const answer = await app.inject(url);
      return { status: answer.statusCode, body: answer.json() };
    };
    return async () => {
      for (const end of endings.reverse()) await end();
    };
  });

  test('goes on, and shows what it cannot decode as bytes', async () => {
    for (const path of ['/extended/v1/tx/', '/extended/v3/transactions/']) {
      const answers = await Promise.all(Object.values(newer).map(raw => ask(path + idOf(raw))));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    const { body } = await ask(`/extended/v1/tx/${idOf(newer.payloadType)}`);
    expect(body).toMatchObject({
      tx_type: 'unknown',
      unknown_payload: { type_id: 0x7f, hex: '0x7fdeadbeef' },
      tx_status: 'problematic_skipped',
      sender_address: senderAddress(decodeTransaction(template)),
    });
    expect((await ask(`/extended/v3/transactions/${idOf(newer.payloadType)}`)).body).toMatchObject({
      type: 'unknown',
      unknown: { type_id: 0x7f },
    });
    const deployed = (await ask(`/extended/v1/tx/${idOf(newer.clarityVersion)}`)).body;
    expect(deployed).toMatchObject({
      smart_contract: { clarity_version: 9, source_code: '+ 1 1' },
      tx_result: { hex: '0x0f2a', repr: '0x0f2a' },
    });
    const coded = (await ask(`/extended/v1/tx/${idOf(newer.conditionCode)}`)).body;
    expect(coded).toMatchObject({ post_conditions: [{ type: 'stx', condition_code: 'unknown_25', amount: '5' }] });
    const lists = ['/extended/v1/tx?limit=50', '/extended/v1/block/by_height/3', '/extended/v2/blocks/3/transactions'];
    for (const url of [...lists, `/extended/v1/tx/${idOf(newer.payloadType)}/raw`])
      expect((await ask(url)).status).toBe(200);
    const { sender_address: sender } = body;
    for (const list of ['transactions', 'transactions_with_transfers', 'balances', 'nonces']) {
      expect([list, (await ask(`/extended/v1/address/${sender}/${list}`)).status]).toEqual([list, 200]);
    }
    expect((await ask('/extended/v1/tx/mempool')).status).toBe(200);
  });

  test('counts and names what is unknown, once for each event', async () => {
    const { body } = await ask('/extended/v1/status/ingest');
    const named = (body.unknown as { kind: string; name: string; events: number }[]).map(
      ({ kind, name, events }) => `${kind} ${name} ${events}`,
    );
    expect(named.sort()).toEqual(
      [
        ...[
          'path /new_oracle 2',
          'field block.epoch_name 1',
          'field transaction.brand_new 1',
          'field reward_set.shares 1',
        ],
        ...['payload type 127 1', 'Clarity version 9 1', 'Clarity version Clarity9 1', 'epoch Epoch99 1'],
        ...['post-condition type 9 1', 'condition code 25 1', 'anchor mode 9 1', 'post-condition mode 7 1'],
        ...['authorization type 6 1', 'Clarity prefix 15 1', 'tenure change cause 9 1', 'event type brand_event 1'],
      ].sort(),
    );
    // A fold that starts again does not count them again.
    await foldAll(db, []);
    const [row] = await db.sql<{ events: bigint }[]>`select u.events from unknown_items u where u.name = '127'`;
    expect(row).toEqual({ events: 1n });
  });

  test('keeps what only newer nodes tell of a block and of a skipped transaction', async () => {
    const extras = await db.sql<{ name: string; body: string }[]>`
      select b.name, b.body from block_extras b where b.height = 3 order by b.name
    `;
    expect(extras.map(({ name, body }) => [name, body])).toEqual([
      ['rewarded_addresses', '["bc1q"]'],
      ['signer_signature_hash', `0x${'ab'.repeat(32)}`],
      ['start_cycle_state', '{"missed_reward_slots":[1]}'],
    ]);
    expect(await db.sql`select x.body from transaction_extras x where x.name = 'problematic_skipped'`).toEqual([
      { body: '3' },
    ]);
  });
});

test('a branch with newer transactions can be left and taken again', async () => {
  const ending: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const end of ending) await end();
  });
  const db = await testDatabase({ onTestFinished: work => void ending.push(work) });
  const side = mineLine(chain, two!, 2);
  const position = await foldAll(db, [chain.genesis, one!, two!, newerBlock(), ...side, ...beside, four!]);
  expect(position).toMatchObject({ height: 4, halted_at: null });
  const back = mineLine(chain, four!, 1);
  expect(await foldAll(db, back)).toMatchObject({ height: 5, halted_at: null });
});
