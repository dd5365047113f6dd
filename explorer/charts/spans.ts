/** A stretch of time up to now that charts show. `bucket` is the width of a bar; both are in seconds. */
export type Span = { id: string; label: string; seconds: number; bucket: number };

export const spans: readonly Span[] = [
  { id: '1h', label: 'the last hour', seconds: 3600, bucket: 60 },
  { id: '6h', label: 'the last 6 hours', seconds: 21_600, bucket: 300 },
  { id: '1d', label: 'the last day', seconds: 86_400, bucket: 1800 },
  { id: '7d', label: 'the last week', seconds: 604_800, bucket: 10_800 },
];

export const spanOf = (id: string | null): Span => spans.find(span => span.id === id) ?? spans[0]!;

/** Where a span begins, in Unix seconds. It moves in steps of a bucket, so that few different series are requested. */
export const startOf = ({ seconds, bucket }: Span, now: number): number =>
  Math.floor((now - seconds) / bucket) * bucket;

/** A time as the API reads it. */
export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19).concat('Z');

type Counted = { block_time: number; count: number };

/**
 * Counts of blocks as averages a minute, by buckets of time. Buckets before the first point are not known; the last
 * bucket counts the time up to now.
 */
export function ratesPerMinute(points: readonly Counted[], span: Span, now: number): { x: number[]; y: number[] } {
  const [first] = points;
  if (!first) return { x: [], y: [] };
  const { bucket } = span;
  const bucketOf = (time: number) => Math.floor(time / bucket) * bucket;
  const start = Math.max(startOf(span, now), bucketOf(first.block_time));
  const last = bucketOf(Math.max(now, points.at(-1)!.block_time));
  const counts = new Map<number, number>();
  for (const { block_time, count } of points) {
    const key = bucketOf(block_time);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const x: number[] = [];
  for (let at = start; at <= last; at += bucket) x.push(at);
  const minutesOf = (at: number) => Math.max(1, at === last ? (now - last) / 60 : bucket / 60);
  return { x, y: x.map(at => Math.round(((counts.get(at) ?? 0) / minutesOf(at)) * 10) / 10) };
}
