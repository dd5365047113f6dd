import type { SignerRow } from './signer-set-queries.ts';

/** The signers of a cycle, by slot, with their sums. */
export type SignerSet = { signers: readonly SignerRow[]; weight: number; stacked: bigint };

export const emptySet: SignerSet = { signers: [], weight: 0, stacked: 0n };

/** Groups the rows of several cycles. */
export function signerSets(rows: readonly SignerRow[]): Map<number, SignerSet> {
  const sets = new Map<number, SignerSet>();
  for (const row of rows) {
    const { signers, weight, stacked } = sets.get(row.cycle) ?? emptySet;
    const set = { signers: [...signers, row], weight: weight + row.weight, stacked: stacked + BigInt(row.stacked) };
    sets.set(row.cycle, set);
  }
  return sets;
}

/** A number with three decimals. */
export const round3 = (value: number): number => Math.round(value * 1000) / 1000;

/** A part of a whole in percent, with three decimals; 0 of nothing. */
export const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : round3((part / whole) * 100));

export const isoMs = (ms: number): string => new Date(ms).toISOString();
