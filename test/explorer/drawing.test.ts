import { expect, test } from 'vitest';
import { ratesPerMinute, spanOf, startOf } from '../../explorer/charts/spans.ts';
import { treemap } from '../../explorer/charts/treemap.ts';
import { layoutFlow } from '../../explorer/flow/layout.ts';
import { movementsOf, netChanges, sumMovements } from '../../explorer/flow/transfers.ts';
import { cyclePosition } from '../../explorer/format/cycle.ts';
import { rawFields } from '../../explorer/format/raw-fields.ts';
import { addBlocks, groupByBurnBlock, MAX_SEEN, type SeenBlock } from '../../explorer/live/chain-view.ts';
import { matchPath } from '../../explorer/path.ts';
import { postConditionWords } from '../../explorer/words/post-condition.ts';

const block = (height: number, change: Partial<SeenBlock> = {}): SeenBlock => ({
  height,
  hash: `0x${height}`,
  canonical: true,
  time: height * 10,
  burnHeight: Math.floor(height / 3),
  tenure: 1,
  transactions: 2,
  ...change,
});

test('a fork keeps the blocks that it replaced beside the new ones', () => {
  const seen = addBlocks([block(1), block(2)], [block(2, { canonical: false }), block(2, { hash: '0xnew' })]);
  expect(seen.map(({ hash, canonical }) => [hash, canonical])).toEqual([
    ['0xnew', true],
    ['0x2', false],
    ['0x1', true],
  ]);
  const many = Array.from({ length: 200 }, (_, index) => block(index));
  expect(addBlocks([], many)).toHaveLength(MAX_SEEN);
});

test('blocks stand together by their Bitcoin block', () => {
  const blocks = [block(8), block(7), block(6), block(5)];
  expect(groupByBurnBlock(blocks).map(group => group.blocks.length)).toEqual([3, 1]);
});

test('counts of blocks become averages a minute', () => {
  const hour = spanOf('1h');
  const now = 7_200_030;
  expect(startOf(hour, now)).toBe(7_196_400);
  const points = [
    { block_time: 7_200_000 - 120, count: 4 },
    { block_time: 7_200_000 - 65, count: 2 },
    { block_time: 7_200_000 - 10, count: 3 },
    { block_time: 7_200_020, count: 5 },
  ];
  expect(ratesPerMinute(points, hour, now)).toEqual({ x: [7_199_880, 7_199_940, 7_200_000], y: [6, 3, 5] });
  expect(ratesPerMinute(points, spanOf('6h'), now).y).toEqual([1.8, 5]);
  expect(ratesPerMinute([], hour, now)).toEqual({ x: [], y: [] });
  expect(spanOf('unknown')).toBe(hour);
});

test('the boxes of a treemap fill the rectangle in proportion', () => {
  const boxes = treemap(
    [5, 3, 2, 1, 1].map(weight => ({ item: weight, weight })),
    120,
    100,
  );
  for (const { item, width, height } of boxes) expect(width * height).toBeCloseTo(item * 1000, 6);
  for (const { x, y, width, height } of boxes) {
    expect(x + width).toBeLessThanOrEqual(120.0001);
    expect(y + height).toBeLessThanOrEqual(100.0001);
  }
  expect(treemap([], 10, 10)).toEqual([]);
});

test('events become movements, sums and net changes', () => {
  const event = (
    asset_event_type: 'transfer' | 'mint' | 'burn',
    sender: string,
    recipient: string,
    amount: string,
  ) => ({
    event_index: 0,
    tx_id: '0x',
    event_type: 'stx_asset' as const,
    asset: { asset_event_type, sender, recipient, amount },
  });
  const movements = sumMovements(
    movementsOf([
      event('transfer', 'A', 'B', '5'),
      event('transfer', 'A', 'B', '2'),
      event('mint', '', 'A', '1'),
      event('burn', 'B', '', '3'),
    ]),
  );
  expect(movements).toEqual([
    { from: 'A', to: 'B', asset: 'stx', amount: 7n },
    { from: undefined, to: 'A', asset: 'stx', amount: 1n },
    { from: 'B', to: undefined, asset: 'stx', amount: 3n },
  ]);
  expect(netChanges(movements).map(({ principal, change }) => [principal, change])).toEqual([
    ['A', -6n],
    ['B', 4n],
  ]);
  const { nodes, edges } = layoutFlow(movements);
  expect(nodes.map(({ id, x }) => [id, x])).toEqual([
    ['A', 0],
    ['B', 250],
    ['minted', 0],
    ['burned', 500],
  ]);
  expect(edges).toHaveLength(3);
});

test('a path fits its pattern only', () => {
  expect([matchPath('/', '/'), matchPath('/blocks', '/blocks/'), matchPath('/blocks', '/block')]).toEqual([
    '',
    '',
    undefined,
  ]);
  expect(matchPath('/tx/*', '/tx/0xab/')).toBe('0xab');
  expect(matchPath('/token/*', '/token/A.b%3A%3Ac')).toBe('A.b::c');
  for (const path of ['/tx', '/tx/', '/tx/a/b', '/extended', '/tx/%E0%A4%A'])
    expect(matchPath('/tx/*', path)).toBeUndefined();
});

test('the cycle of a Bitcoin height', () => {
  const pox = {
    first_burnchain_block_height: 100,
    current_burnchain_block_height: 137,
    reward_cycle_length: 20,
    prepare_phase_block_length: 5,
  } as Parameters<typeof cyclePosition>[0];
  expect(cyclePosition(pox)).toMatchObject({
    cycle: 1,
    passed: 17,
    left: 3,
    phase: 'prepare',
    prepareAt: 135,
    endsAt: 140,
  });
});

test('the bytes of a transaction are cut into fields that join to the whole', () => {
  const hex = `8080000000${'04'}${'00'}${'11'.repeat(20)}${'00'.repeat(16)}${'00'}${'22'.repeat(65)}03020000000000051a`;
  const fields = rawFields(`0x${hex}`);
  expect(fields.map(field => field.hex).join('')).toBe(hex);
  expect(fields.find(({ name }) => name === 'Sender: signature')?.hex).toHaveLength(130);
  expect(rawFields('0x00').map(({ name }) => name)).toEqual(['Version']);
});

test('post-conditions are sentences', () => {
  expect(
    postConditionWords({
      type: 'stx',
      condition_code: 'sent_less_than_or_equal_to',
      principal: { type_id: 'principal_origin' },
      amount: '5',
    }),
  ).toEqual({ principal: undefined, verb: 'must send at most', stx: '5' });
});
