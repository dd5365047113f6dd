import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leaseChanges, leaseOf } from '../../explorer/chain/lease.ts';
import { paceOf, timeAt } from '../../explorer/chain/pace.ts';
import { ratesPerMinute, spanOf, startOf } from '../../explorer/charts/spans.ts';
import { treemap } from '../../explorer/charts/treemap.ts';
import { fitText, shortAmount } from '../../explorer/flow/label.ts';
import { LABEL_WIDTH, layoutFlow, NODE_WIDTH, pathOf } from '../../explorer/flow/layout.ts';
import { type Movement, movementsOf, netChanges, sumMovements } from '../../explorer/flow/transfers.ts';
import { cyclePosition } from '../../explorer/format/cycle.ts';
import { rawFields } from '../../explorer/format/raw-fields.ts';
import { addBlocks, groupByBurnBlock, MAX_SEEN, removeBlocks, type SeenBlock } from '../../explorer/live/chain-view.ts';
import { matchPath } from '../../explorer/path.ts';
import { postConditionWords } from '../../explorer/words/post-condition.ts';

const block = (height: number, change: Partial<SeenBlock> = {}): SeenBlock => ({
  height,
  hash: `0x${height}`,
  indexHash: `0xindex${height}`,
  canonical: true,
  time: height * 10,
  burnHeight: Math.floor(height / 3),
  tenure: 1,
  transactions: 2,
  ...change,
});

test('blocks that a rollback names become orphans', () => {
  const seen = removeBlocks(addBlocks([], [block(1), block(2), block(3)]), ['0xindex3', '0xindex2', '0xunknown']);
  expect(seen.map(({ height, canonical }) => [height, canonical])).toEqual([
    [3, false],
    [2, false],
    [1, true],
  ]);
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
  const byColumn = nodes.toSorted((a, b) => a.x - b.x);
  expect(byColumn.map(({ id }) => id)).toEqual(['minted', 'A', 'B', 'burned']);
  expect(edges).toHaveLength(3);
});

type Box = { left: number; right: number; top: number; bottom: number };
const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** What of a drawing lies on a text, or outside of the drawing. */
function faultsOf({ nodes, edges, width, height }: ReturnType<typeof layoutFlow>): string[] {
  const texts = edges.map(({ label: [x, y] }) => ({
    left: x,
    right: x + LABEL_WIDTH - 16,
    top: y - 10,
    bottom: y + 3,
  }));
  const boxes = nodes.map(({ id, x, y, height }) => ({
    id,
    left: x,
    right: x + NODE_WIDTH,
    top: y,
    bottom: y + height,
  }));
  const lines = edges.flatMap(({ line }) =>
    line.slice(1).map(([x, y], index): Box => {
      const [fromX, fromY] = line[index]!;
      const [left, right] = [Math.min(x, fromX), Math.max(x, fromX)];
      return { left, right, top: Math.min(y, fromY) - 0.5, bottom: Math.max(y, fromY) + 0.5 };
    }),
  );
  const outside = ({ left, right, top, bottom }: Box) => left < 0 || top < 0 || right > width || bottom > height;
  return [
    ...texts.flatMap((text, index) => [
      ...(outside(text) ? [`text ${index} is cut`] : []),
      ...texts.flatMap((other, at) => (at > index && meet(text, other) ? [`texts ${index} and ${at}`] : [])),
      ...lines.flatMap((line, at) => (meet(text, line) ? [`text ${index} and line ${at}`] : [])),
      ...boxes.flatMap(box => (meet(text, box) ? [`text ${index} and box ${box.id}`] : [])),
    ]),
    ...[...boxes, ...lines].flatMap((box, index) => (outside(box) ? [`box or line ${index} is cut`] : [])),
    ...boxes.flatMap(box => lines.flatMap((line, at) => (meet(box, line) ? [`box ${box.id} and line ${at}`] : []))),
  ];
}

const moves = (...pairs: [from: string | undefined, to: string | undefined][]): Movement[] =>
  pairs.map(([from, to], index) => ({ from, to, asset: { ft: `C.t::${index}` }, amount: 1n }));

test.each<[string, Movement[]]>([
  ['a transfer', moves(['A', 'B'])],
  ['a swap', moves(['A', 'B'], ['B', 'A'])],
  ['a principal that sends to itself', moves(['A', 'A'])],
  ['three parties in a circle', moves(['A', 'B'], ['B', 'C'], ['C', 'A'])],
  ['mints and burns', moves([undefined, 'A'], ['A', undefined], ['A', 'B'], [undefined, 'B'])],
  ['many lanes', moves(...Array.from({ length: 12 }, (): [string, string] => ['A', 'B']))],
  ['many recipients', moves(...Array.from({ length: 12 }, (_, index): [string, string] => ['A', `B${index}`]))],
])('texts of %s do not touch each other, lines, boxes or the edge', (_, movements) => {
  expect(faultsOf(layoutFlow(movements))).toEqual([]);
});

test('texts stay free in any drawing', () => {
  const principal = fc.option(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'), { nil: undefined });
  const movement = fc.tuple(principal, principal).filter(([from, to]) => from !== undefined || to !== undefined);
  fc.assert(
    fc.property(fc.array(movement, { minLength: 1, maxLength: 14 }), pairs => {
      expect(faultsOf(layoutFlow(moves(...pairs)))).toEqual([]);
    }),
  );
});

test('a line is straight or curved between its corners', () => {
  const [forth, back] = layoutFlow(moves(['A', 'B'], ['B', 'A'])).edges.map(({ line }) => pathOf(line));
  expect(forth).toMatch(/^M166 \d+H336H396$/);
  expect(back).toMatch(/^M396 \d+H336H166$/);
  expect(pathOf(layoutFlow(moves(['A', 'A'])).edges[0]!.line)).toMatch(/^M166 20H336C366 20,366 48,336 48H166$/);
});

test('texts of arrows fit, and amounts are rounded rather than cut', () => {
  expect(fitText('1.5 STX', 160)).toBe('1.5 STX');
  expect(fitText('abcdefghijklmnopqrstuvwxyz', 100)).toBe('abcdefgh…xyz');
  expect(fitText('石'.repeat(20), 100)).toBe('石石石石石…石石');
  expect(shortAmount('1,234,567.891234')).toBe('1,234,567.891234');
  expect(shortAmount('123,456,789.123456')).toBe('≈ 123,456,789.12');
  expect(shortAmount('340,282,366,920,938,463,463,374,607,431,768.211455')).toBe('≈ 3.403E32');
});

type LeaseName = Parameters<typeof leaseOf>[0];
const leased = (expires: Partial<LeaseName['expires']>, state: LeaseName['state'] = 'active') =>
  ({ state, expires: { chain: 'stacks', height: 150, grace_until: 200, never: false, ...expires } }) as LeaseName;
const drawn = (name: LeaseName, heights: Partial<Parameters<typeof leaseOf>[1]>) => {
  const lease = leaseOf(name, { registered: 100, renewed: undefined, now: 125, ...heights });
  return lease && { marks: lease.marks.map(mark => [mark.kind, mark.position]), stretches: lease.stretches };
};

test('a lease is drawn from its beginning to the end of its renewal', () => {
  expect(drawn(leased({}), {})).toEqual({
    marks: [
      ['registered', 0],
      ['now', 25],
      ['ends', 50],
      ['renewable', 100],
    ],
    stretches: [
      { kind: 'lease', from: 0, to: 50 },
      { kind: 'grace', from: 50, to: 100 },
    ],
  });
  // In its grace period, and after it: now lies behind the end of the lease.
  expect(drawn(leased({}, 'grace'), { now: 175 })?.marks).toContainEqual(['now', 75]);
  expect(drawn(leased({}, 'expired'), { now: 300 })?.marks.map(([kind]) => kind)).toEqual([
    'registered',
    'ends',
    'renewable',
    'now',
  ]);
  expect(drawn(leased({}, 'expired'), { now: 300 })?.marks.at(-1)).toEqual(['now', 100]);
  expect(drawn(leased({ grace_until: null }), {})?.stretches).toEqual([{ kind: 'lease', from: 0, to: 100 }]);
  // Without an end, some of the bar lies ahead.
  const open = drawn(leased({ height: null, grace_until: null, never: true }), { now: 200 })!;
  expect(open.stretches).toEqual([{ kind: 'open', from: 0, to: 100 }]);
  expect(open.marks[1]![1]).toBeCloseTo(76.9, 1);
  expect(drawn(leased({ height: null, grace_until: null }), {})).toBeUndefined();
  expect(drawn(leased({}, 'revoked'), {})).toBeUndefined();
  for (const heights of [{ registered: undefined }, { now: 100 }, { now: 100, registered: 100, renewed: 100 }]) {
    for (const name of [
      leased({}),
      leased({ height: 100, grace_until: null }),
      leased({ height: null, never: true }),
    ]) {
      for (const [, position] of drawn(name, heights)!.marks) expect(position).toSatisfy(Number.isFinite);
    }
  }
});

test('a lease begins with the newest registration, and a later renewal is named', () => {
  const change = (last_change: string) => ({ last_change }) as Parameters<typeof leaseChanges>[0][number];
  const history = ['name-renewal', 'name-transfer', 'name-register', 'name-renewal', 'name-import'].map(change);
  expect(leaseChanges(history)).toEqual({ begun: history[2], renewed: history[0] });
  expect(leaseChanges(history.slice(1))).toEqual({ begun: history[2] });
  expect(leaseChanges([change('name-update')])).toEqual({ begun: change('name-update') });
  expect(leaseChanges([])).toEqual({});
});

test('times ahead follow the mean pace of the last blocks', () => {
  const blocks = [30, 29, 20].map(height => ({ height, time: 1000 + height * 8 }));
  const pace = paceOf(blocks)!;
  expect(pace).toEqual({ height: 30, time: 1240, secondsPerBlock: 8, blocks: 10 });
  expect([timeAt(pace, 40), timeAt(pace, 25)]).toEqual([1320, 1200]);
  expect([paceOf([]), paceOf(blocks.slice(0, 1)), paceOf(blocks.map(block => ({ ...block, time: 5 })))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
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
