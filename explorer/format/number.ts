const counts = new Intl.NumberFormat('en');

export const formatCount = (value: number | bigint): string => counts.format(value);

/** A share of a whole as percent, with enough digits to tell small shares from none. */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole === 0n) return '–';
  const percent = Number((part * 1_000_000n) / whole) / 10_000;
  if (percent === 0 && part > 0n) return '< 0.01 %';
  return `${percent.toFixed(percent < 10 ? 2 : 1)} %`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** A count with its noun: `1 block`, `2 blocks`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`;
