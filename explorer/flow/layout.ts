import type { Movement } from './transfers.ts';

export const MINT = 'minted';
export const BURN = 'burned';

export type FlowNode = { id: string; x: number; y: number };
export type FlowEdge = { movement: Movement; from: FlowNode; to: FlowNode; lane: number };
export type Flow = { nodes: FlowNode[]; edges: FlowEdge[]; width: number; height: number };

const COLUMN = 250;
const ROW = 64;
/** Room for a node at the right of the last column. */
const NODE_WIDTH = 170;

/**
 * Principals in columns from left to right, in the order of the movements: who receives first stands one column right of the
 * sender. Edges between the same two nodes get lanes of their own.
 */
export function layoutFlow(movements: readonly Movement[]): Flow {
  const column = new Map<string, number>();
  for (const { from = MINT, to = BURN } of movements) {
    if (!column.has(from)) column.set(from, 0);
    if (!column.has(to)) column.set(to, column.get(from)! + 1);
  }
  const rows = new Map<number, number>();
  const nodes = new Map(
    [...column].map(([id, at]) => {
      const row = rows.get(at) ?? 0;
      rows.set(at, row + 1);
      return [id, { id, x: at * COLUMN, y: row * ROW + ROW / 2 }];
    }),
  );
  const lanes = new Map<string, number>();
  const edges = movements.map(movement => {
    const { from = MINT, to = BURN } = movement;
    const key = [from, to].sort().join(' ');
    const lane = lanes.get(key) ?? 0;
    lanes.set(key, lane + 1);
    return { movement, from: nodes.get(from)!, to: nodes.get(to)!, lane };
  });
  const mostLanes = Math.max(1, ...lanes.values());
  return {
    nodes: [...nodes.values()],
    edges,
    width: Math.max(...column.values()) * COLUMN + NODE_WIDTH,
    height: Math.max(...rows.values(), mostLanes > 2 ? Math.ceil(mostLanes / 2) : 1) * ROW,
  };
}
