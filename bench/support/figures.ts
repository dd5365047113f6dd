/** The value that a share of the list does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Four digits: more are noise. */
export const round = (value: number) => Number(value.toPrecision(4));

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
