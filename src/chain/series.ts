/** Whole numbers from `first` to `last` in equal steps, at most `points` of them, both ends included. */
export function equalSteps(first: number, last: number, points: number): number[] {
  if (last < first) return [];
  const steps = Math.min(points - 1, last - first);
  if (steps === 0) return [last];
  return Array.from({ length: steps + 1 }, (_, i) => first + Math.floor((i * (last - first)) / steps));
}
