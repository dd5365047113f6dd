import { expect, test } from 'vitest';
import { addPredicate } from '../../src/chainhooks/add-predicate.ts';
import { mineLine, testChain } from '../support/chain.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { startHosted, startTarget } from './support/hosted.ts';

const pay = (amount: bigint) => ({ kind: 'transfer', from: 0, to: addressOf(1), amount }) as const;

const predicateOf = (uuid: string, url: string, if_this: object, more: object = {}) => ({
  ...{ uuid, name: 'shop', version: 1, chain: 'stacks' },
  networks: { testnet: { if_this, then_that: { http_post: { url, authorization_header: 'Basic abc' } }, ...more } },
});

test('a predicate of 1.x scans, streams, follows a fork and expires', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 3, { transactions: [pay(5n)] });
  const { admin, network, startWorker, fold, inState } = await startHosted(t, [chain.genesis, ...blocks]);
  const target = await startTarget(t);
  const if_this = { scope: 'stx_event', actions: ['transfer'] };
  const added = await addPredicate(
    admin,
    network,
    predicateOf('scan', target.url, if_this, { start_block: 2, expire_after_occurrence: 5 }),
  );
  expect(added).toMatchObject({ name: 'scan', payload: 'chainhook-1', state: 'active', block_height: 1 });
  await startWorker();
  await until(() => target.calls.length >= 2, 20_000);
  const four = chain.mine(blocks[2]!, { transactions: [pay(6n)] });
  await fold([four]);
  await until(() => target.calls.length >= 3, 20_000);
  const other = mineLine(chain, blocks[2]!, 3, { transactions: [pay(7n)] });
  await fold(other);
  const { reason } = await inState('expired', 'scan');
  expect(reason).toBe('it was to end after 5 deliveries');

  type Block = { block_identifier: { index: number }; transactions: { metadata: object; operations: object[] }[] };
  type Body = { apply: Block[]; rollback: Block[]; events: []; chainhook: object };
  const bodies = target.calls.map(({ text }): Body => JSON.parse(text));
  const indexes = (list: Block[]) => list.map(({ block_identifier: { index } }) => index);
  expect(bodies.map(({ apply, rollback }) => [indexes(rollback), indexes(apply)])).toEqual([
    [[], [2]],
    [[], [3]],
    [[], [4]],
    [[4], [4]],
    [[], [5]],
  ]);
  expect(bodies.map(({ chainhook }) => chainhook)).toEqual(
    [false, false, true, true, true].map(is_streaming_blocks => ({
      uuid: 'scan',
      predicate: if_this,
      is_streaming_blocks,
    })),
  );
  expect(target.calls[0]!.headers.authorization).toBe('Basic abc');
  expect(bodies[0]).toMatchObject({
    events: [],
    apply: [
      {
        block_identifier: { index: 2, hash: blocks[1]!.indexHash },
        parent_block_identifier: { index: 1, hash: blocks[0]!.indexHash },
        metadata: { stacks_block_hash: expect.any(String), signer_public_keys: null },
        transactions: [
          {
            metadata: {
              ...{ success: true, result: '(ok true)', sender: addressOf(0), sponsor: null },
              kind: { type: 'NativeTokenTransfer' },
              receipt: {
                ...{ mutated_contracts_radius: [], mutated_assets_radius: [], contract_calls_stack: [] },
                events: [
                  {
                    type: 'STXTransferEvent',
                    data: { sender: addressOf(0), recipient: addressOf(1), amount: '5' },
                    position: { index: 0 },
                  },
                ],
              },
            },
            operations: [
              { type: 'DEBIT', account: { address: addressOf(0) }, amount: { value: 5 } },
              { type: 'CREDIT', account: { address: addressOf(1) }, amount: { value: 5 } },
            ],
          },
        ],
      },
    ],
  });
});

test('chosen heights and ranges end by themselves', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 5, { transactions: [pay(5n)] });
  const { admin, network, startWorker, inState } = await startHosted(t, [chain.genesis, ...blocks]);
  const all = { scope: 'block_height', higher_than: 0 };
  const [some, range] = [await startTarget(t), await startTarget(t)];
  await addPredicate(admin, network, predicateOf('some', some.url, all, { blocks: [4, 2] }));
  const between = { scope: 'block_height', between: [1, 5] };
  await addPredicate(admin, network, predicateOf('range', range.url, between, { start_block: 1, end_block: 3 }));
  await startWorker();
  expect((await inState('expired', 'some')).reason).toBe('it was to end with block 4');
  expect((await inState('expired', 'range')).reason).toBe('it was to end with block 3');
  const heights = (calls: readonly { text: string }[]) =>
    calls.map(({ text }) => JSON.parse(text).apply[0].block_identifier.index);
  expect([heights(some.calls), heights(range.calls)]).toEqual([
    [2, 4],
    [2, 3],
  ]);
});
