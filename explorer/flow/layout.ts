import type { Movement } from './transfers.ts';

export const MINT = 'minted';
export const BURN = 'burned';

export const NODE_WIDTH = 160;
/** Room for the text of an arrow; its line is straight below it. */
export const LABEL_WIDTH = 170;
/** Distance of lines that run side by side: a line and the text above it. */
const LANE = 28;
const NODE_HEIGHT = 34;
/** Where lines change their height, between the texts and the next column. */
const BEND = 60;
const GAP = LABEL_WIDTH + BEND;
const BETWEEN = 14;
const MARGIN = 6;

export type Point = readonly [x: number, y: number];
export type FlowNode = { id: string; x: number; y: number; height: number };
/** A line from sender to recipient. `label` is where its text begins, on the base line of the text. */
export type FlowEdge = { movement: Movement; line: readonly Point[]; label: Point };
export type Flow = { nodes: FlowNode[]; edges: FlowEdge[]; width: number; height: number };

type Side = 'left' | 'right';
/** A node, or the place where a line passes a column. */
type Item = { id: string | undefined; column: number; y: number; height: number; stops: Record<Side, Stop[]> };
/** Where a line touches an item. */
type Stop = { item: Item; side: Side; edge: number; opposite: Item; y: number };

/**
 * Principals in columns from left to right: who receives first stands one column right of the sender. Every line has a lane
 * of its own, straight below its text, so that neither texts nor lines of other arrows touch a text.
 */
export function layoutFlow(movements: readonly Movement[]): Flow {
  const columnOf = assignColumns(movements);
  const items = new Map<string, Item>();
  const columns: Item[][] = Array.from({ length: Math.max(...columnOf.values()) + 1 }, () => []);
  const add = (id: string | undefined, column: number): Item => {
    const item = { id, column, y: 0, height: NODE_HEIGHT, stops: { left: [], right: [] } };
    columns[column]!.push(item);
    if (id !== undefined) items.set(id, item);
    return item;
  };
  const nodeOf = (id: string) => items.get(id) ?? add(id, columnOf.get(id)!);

  const routes = movements.map(({ from = MINT, to = BURN }, edge) => {
    const ends = [nodeOf(from), nodeOf(to)] as const;
    const [first, last] = ends[0].column <= ends[1].column ? ends : [ends[1], ends[0]];
    const passed = Array.from({ length: Math.max(0, last.column - first.column - 1) }, (_, index) =>
      add(undefined, first.column + index + 1),
    );
    const route = stopsOf([first, ...passed, last], edge);
    for (const stop of route) stop.item.stops[stop.side].push(stop);
    return { route, backwards: first !== ends[0] };
  });

  const height = placeItems(columns);
  const edges = movements.map((movement, index): FlowEdge => {
    const { route, backwards } = routes[index]!;
    const line = lineOf(route);
    const [x, y] = line[0]!;
    return { movement, line: backwards ? line.toReversed() : line, label: [x + 12, y - 6] };
  });
  const right = Math.max(...edges.flatMap(({ line }) => line.map(([x]) => x)));
  return {
    nodes: [...items].map(([id, { column, y, height }]) => ({ id, x: xOf(column), y, height })),
    edges,
    width: Math.max(xOf(columns.length - 1) + NODE_WIDTH, right + BEND / 2) + MARGIN,
    height,
  };
}

const xOf = (column: number) => MARGIN + column * (NODE_WIDTH + GAP);

/** The columns of the principals, the leftmost being 0. New assets come from the left, burned ones go to the right. */
function assignColumns(movements: readonly Movement[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const { from, to } of movements) {
    if (from !== undefined && !columns.has(from)) {
      columns.set(from, to !== undefined && columns.has(to) && to !== from ? columns.get(to)! - 1 : 0);
    }
    if (to !== undefined && !columns.has(to)) columns.set(to, from === undefined ? 0 : columns.get(from)! + 1);
  }
  const minted = movements.flatMap(({ from, to }) =>
    from === undefined && to !== undefined ? [columns.get(to)!] : [],
  );
  const burned = movements.flatMap(({ from, to }) =>
    to === undefined && from !== undefined ? [columns.get(from)!] : [],
  );
  if (movements.some(({ from }) => from === undefined)) columns.set(MINT, Math.min(...minted, 1) - 1);
  if (movements.some(({ to }) => to === undefined)) columns.set(BURN, Math.max(...burned, 0) + 1);
  const leftmost = Math.min(...columns.values());
  return new Map([...columns].map(([id, column]) => [id, column - leftmost]));
}

/** Where a line touches the items on its way, from left to right. Within a column it leaves and returns on the right. */
function stopsOf(way: readonly Item[], edge: number): Stop[] {
  const stop = (item: Item, side: Side, opposite: Item): Stop => ({ item, side, edge, opposite, y: 0 });
  const [first, last] = [way[0]!, way.at(-1)!];
  if (first.column === last.column) return [stop(first, 'right', last), stop(last, 'right', first)];
  return way.slice(1).flatMap((item, index) => [stop(way[index]!, 'right', item), stop(item, 'left', way[index]!)]);
}

/** Stacks the items of each column around one middle, and gives each line its lane. Returns the height of the drawing. */
function placeItems(columns: readonly Item[][]): number {
  for (const item of columns.flat()) {
    item.height = Math.max(NODE_HEIGHT, LANE * Math.max(item.stops.left.length, item.stops.right.length));
  }
  const heightOf = (column: readonly Item[]) => column.reduce((sum, item) => sum + item.height + BETWEEN, -BETWEEN);
  const height = Math.max(...columns.map(heightOf)) + 2 * MARGIN;
  for (const column of columns) {
    let y = (height - heightOf(column)) / 2;
    for (const item of column) {
      item.y = y;
      y += item.height + BETWEEN;
    }
  }
  for (const { y, height, stops } of columns.flat()) {
    for (const side of ['left', 'right'] as const) {
      stops[side].sort((a, b) => a.opposite.y - b.opposite.y || a.edge - b.edge);
      const top = y + (height - LANE * stops[side].length) / 2;
      for (const [lane, stop] of stops[side].entries()) stop.y = top + (lane + 0.5) * LANE;
    }
  }
  return height;
}

/** The corners of a line from left to right. It is straight below the texts, and bends before the next column. */
function lineOf(route: readonly Stop[]): Point[] {
  return route.flatMap(({ item, side, y }, index): Point[] => {
    const left = xOf(item.column);
    if (side === 'left') return [[left, y]];
    const [edge, bend]: Point[] = [
      [left + NODE_WIDTH, y],
      [left + NODE_WIDTH + LABEL_WIDTH, y],
    ];
    const returns = index === 1 && route[0]!.side === 'right' && route[0]!.item.column === item.column;
    return returns ? [bend!, edge!] : [edge!, bend!];
  });
}

/** The line as a path: straight where two corners have one height, curved elsewhere. */
export function pathOf(line: readonly Point[]): string {
  return line
    .map(([x, y], index) => {
      const before = line[index - 1];
      if (!before) return `M${x} ${y}`;
      const [fromX, fromY] = before;
      if (fromY === y) return `H${x}`;
      const middle = fromX === x ? x + BEND / 2 : (fromX + x) / 2;
      return `C${middle} ${fromY},${middle} ${y},${x} ${y}`;
    })
    .join('');
}
