export type Box<T> = { item: T; x: number; y: number; width: number; height: number };
type Weighted<T> = { item: T; weight: number };

/**
 * Boxes whose areas are in proportion to the weights and that fill a rectangle. Squarified: rows are filled along the
 * shorter side as long as their boxes become more square.
 */
export function treemap<T>(items: readonly Weighted<T>[], width: number, height: number): Box<T>[] {
  const sorted = items.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const scale = total > 0 ? (width * height) / total : 0;
  const areas = sorted.map(({ item, weight }) => ({ item, area: weight * scale }));
  const boxes: Box<T>[] = [];
  let free = { x: 0, y: 0, width, height };
  for (let start = 0; start < areas.length; ) {
    const side = Math.min(free.width, free.height);
    let end = start + 1;
    while (end < areas.length && worst(areas.slice(start, end + 1), side) <= worst(areas.slice(start, end), side))
      end++;
    free = layRow(areas.slice(start, end), free, boxes);
    start = end;
  }
  return boxes;
}

/** How far the least square box of a row is from a square. */
function worst(row: readonly { area: number }[], side: number): number {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const most = row[0]!.area;
  const least = row.at(-1)!.area;
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

type Free = { x: number; y: number; width: number; height: number };

function layRow<T>(row: readonly { item: T; area: number }[], free: Free, boxes: Box<T>[]): Free {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const across = free.width >= free.height;
  const thickness = sum / (across ? free.height : free.width);
  let offset = 0;
  for (const { item, area } of row) {
    const length = area / thickness;
    boxes.push(
      across
        ? { item, x: free.x, y: free.y + offset, width: thickness, height: length }
        : { item, x: free.x + offset, y: free.y, width: length, height: thickness },
    );
    offset += length;
  }
  return across
    ? { ...free, x: free.x + thickness, width: free.width - thickness }
    : { ...free, y: free.y + thickness, height: free.height - thickness };
}
